import { StackedBars } from "@/components/charts/stacked-bars";
import type { TrainingReport } from "@/lib/evaluate/cost/report";
import {
  changesAgainst,
  publishedResource,
  RESOURCE_NAMES,
  type ResourceRow,
  resourceOf,
} from "@/lib/evaluate/cost/resources";
import { visible } from "@/lib/text/glyphs";
import type { CostParams } from "./search-params";

/** One resource of trainings as bars, beside what the paper printed (its Fig. 10), or as changes against one of them (Fig. 9). */
export function Resources({
  trainings,
  all,
  params: { resource, against, paper },
}: {
  trainings: readonly TrainingReport[];
  all: readonly TrainingReport[];
  params: CostParams;
}) {
  const { name, unit, say } = RESOURCE_NAMES[resource];
  const other = all.find((t) => t.id === against);
  const rows = trainings.filter((t) => t !== other).map((t) => resourceOf(t, resource));
  const published = paper ? publishedResource(resource) : [];
  const reference = published.find((row) => row.name === "TMax-4B");
  const bar = (row: ResourceRow) => ({
    ...row,
    name: visible(row.name),
    href: row.trainingId === null ? null : `/train/${row.trainingId}`,
  });
  if (other)
    return (
      <StackedBars
        title={`${name}: change against ${visible(other.name)}`}
        note={
          reference
            ? "Published ones are against TMax-4B, as in Fig. 9 of the paper."
            : paper
              ? "The paper printed nothing of this resource."
              : undefined
        }
        name={`cost-${resource}-change`}
        of="Training"
        unit="change, %"
        say="percent"
        bars={[
          ...changesAgainst(rows, resourceOf(other, resource)),
          ...(reference ? changesAgainst(published, reference) : []),
        ].map(bar)}
      />
    );
  return (
    <StackedBars
      title={name}
      note={
        paper && published.length === 0
          ? "The paper printed nothing of this resource."
          : paper
            ? "Published ones are of models a thousand times larger: their scale says nothing of ours, their proportions do."
            : undefined
      }
      name={`cost-${resource}`}
      of="Training"
      unit={unit}
      say={say}
      bars={[...rows, ...published].map(bar)}
    />
  );
}
