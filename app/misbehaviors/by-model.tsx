import Link from "next/link";
import { filterOn, listHref } from "@/app/trajectories/search-params";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { MisbehaviorOverview, ModelCorpus, ModelTypeRow } from "@/db/queries/misbehaviors";
import { underTaxonomy } from "@/db/queries/trajectory-filters";
import { ALL_ERRORS, scopesOf } from "@/db/schema/errors";
import { formatCount, formatRate, formatShare, plural, UNKNOWN } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const key = (model: string | null) => model ?? "\0none";

/** Error steps per 100 steps, by model and misbehavior; each cell leads to its rows. */
export function ByModel({
  overview,
  counts,
  corpus,
  taxonomyId,
  linked,
}: {
  overview: MisbehaviorOverview;
  counts: ModelTypeRow[];
  corpus: ModelCorpus[];
  taxonomyId: number;
  /** Id that links name; null: the version in force. */
  linked: number | null;
}) {
  const cells = new Map(counts.map((c) => [`${key(c.model)}/${c.scope}`, c]));
  const pseudo = scopesOf(taxonomyId);
  const columns = [
    { scope: ALL_ERRORS, slug: "any", name: "All error steps" },
    ...overview.rows.map((m) => ({ scope: m.id, slug: m.slug, name: m.name })),
    { scope: pseudo.unlabelled, slug: "unlabelled", name: "Unlabelled" },
  ];
  return (
    <section className="flex flex-col gap-2">
      <h2 className="font-medium">
        By model{" "}
        <span className="text-sm font-normal text-muted">
          error steps per 100 steps; each cell opens the trajectories with them
        </span>
      </h2>
      <TableFrame label="Error steps by model">
        <thead>
          <tr>
            <Th className="align-bottom">Model</Th>
            <Th className="text-right align-bottom">Trajectories</Th>
            <Th className="text-right align-bottom">Passed</Th>
            {columns.map((c) => (
              <Th key={c.slug} className="max-w-32 min-w-20 py-1 text-right align-bottom whitespace-normal">
                {c.name}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {corpus.map((m) => {
            const judged = m.trajectories - m.unknown;
            const model = filterOn(m.model);
            const of = (scope: number) => cells.get(`${key(m.model)}/${scope}`);
            const all = of(ALL_ERRORS)?.errorSteps ?? 0;
            const looked = (of(pseudo.named)?.errorSteps ?? 0) + (of(pseudo.unlabelled)?.errorSteps ?? 0);
            return (
              <tr key={key(m.model)} className="hover:bg-raised/60">
                <Td className="foreign min-w-32">
                  {m.model === null ? <span className="text-muted">not stated</span> : visible(m.model)}
                </Td>
                <Td className="text-right">
                  <Link href={listHref({ model })} prefetch={false} className="text-accent hover:underline">
                    {formatCount(m.trajectories)}
                  </Link>
                </Td>
                <Td
                  className="text-right"
                  title={`${m.passed} of ${judged} with a known outcome; ${m.unknown} unknown`}
                >
                  {judged === 0 ? (
                    <span className="text-muted">{UNKNOWN}</span>
                  ) : (
                    <Link
                      href={listHref({ model, outcome: ["passed"] })}
                      prefetch={false}
                      className="text-accent hover:underline"
                    >
                      {formatShare(m.passed, judged)}
                    </Link>
                  )}
                </Td>
                {columns.map((c) => (
                  <Rate
                    key={c.slug}
                    cell={of(c.scope)}
                    looked={c.scope === ALL_ERRORS ? null : { steps: looked, all }}
                    steps={m.steps}
                    href={listHref({ misbehavior: c.slug === "any" ? "any" : underTaxonomy(c.slug, linked), model })}
                  />
                ))}
              </tr>
            );
          })}
        </tbody>
      </TableFrame>
    </section>
  );
}

function Rate({
  cell,
  looked,
  steps,
  href,
}: {
  cell: ModelTypeRow | undefined;
  /** Of the model's error steps, those that were looked at under the version; null where that does not matter. */
  looked: { steps: number; all: number } | null;
  steps: number;
  href: string;
}) {
  const partly =
    looked && looked.steps < looked.all
      ? `${formatCount(looked.steps)} of ${plural(looked.all, "error step")} looked at under this version`
      : undefined;
  if (!cell)
    return (
      <Td className="text-right text-muted" title={partly}>
        {partly && looked?.steps === 0 ? UNKNOWN : formatRate(0, steps)}
      </Td>
    );
  return (
    <Td className="text-right">
      <Link
        href={href}
        prefetch={false}
        className="text-accent hover:underline"
        title={`${plural(cell.errorSteps, "error step")} of ${plural(steps, "step")}, in ${plural(cell.trajectories, "trajectory", "trajectories")}${partly ? `; ${partly}` : ""}`}
      >
        {formatRate(cell.errorSteps, steps)}
      </Link>
    </Td>
  );
}
