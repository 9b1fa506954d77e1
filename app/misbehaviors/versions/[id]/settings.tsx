import type { TaxonomyParams, TaxonomySettings } from "@/lib/taxonomy/settings";
import { formatCount, formatPercent, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

function looked(steps: TaxonomySettings["steps"]): string {
  if ("profile" in steps) return `of profile ${steps.profile}`;
  if ("study" in steps) return `of study ${steps.study}`;
  if ("checkpoints" in steps) return `of models ${steps.checkpoints.join(", ")}`;
  return "all";
}

const ENDED = {
  calm: "new patterns had become rare",
  most: "the most batches were used",
  "used-up": "no error step was left that had not been shown",
};

/** What a build was made with and what it came to. */
export function Settings({ build, result }: { build: TaxonomySettings; result: TaxonomyParams["result"] }) {
  const facts: [string, string][] = [
    [
      "Annotator",
      build.annotator.use === "rules" ? "rules" : `model ${visible(build.annotator.model ?? "of the annotator role")}`,
    ],
    ["Error steps", looked(build.steps)],
    ["Seed", String(build.seed)],
    [
      "Batches",
      `${build.proposeBatches} to propose, at most ${build.maxRefine} to refine, of ${build.batchSize} steps`,
    ],
    [
      "Refining ends",
      `below ${formatPercent(100 * build.newShare)} new patterns in ${plural(build.calmBatches, "batch", "batches")} in a row`,
    ],
    ["A type has to be seen in", plural(build.recurrence, "batch", "batches")],
    ["Kept from", `${formatPercent(100 * build.keepShare)} of the error steps`],
    ...(result
      ? ([
          ["Refining ended", `after ${plural(result.refineBatches, "batch", "batches")}: ${ENDED[result.refineEnded]}`],
          [
            "Error steps",
            `${formatCount(result.errorSteps)}: ${formatCount(result.labelled)} labelled, ${formatCount(result.none)} fit no type, ${formatCount(result.failed)} failed, ${formatCount(result.unparsed)} unreadable`,
          ],
        ] as [string, string][])
      : []),
  ];
  return (
    <section aria-label="How it was built" className="rounded-lg border bg-surface p-3">
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] gap-x-6 gap-y-2 text-sm">
        {facts.map(([name, value], i) => (
          <div key={`${name}${i > 6 ? " came to" : ""}`}>
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="foreign">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
