import Link from "next/link";
import { under } from "@/app/misbehaviors/shown";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Concentration, CoOccurrence, LabelSource } from "@/db/queries/generality";
import { formatCount, formatPercent, formatShare, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const percent = (share: number | null) => formatPercent(share === null ? null : 100 * share);

/** Is the type a habit, or a peculiarity of a few environments? */
export function Generality({
  spread,
  corpus,
  errorSteps,
}: {
  spread: Concentration;
  corpus: number;
  errorSteps: number;
}) {
  const facts: [string, string, string][] = [
    [
      "Environments",
      `${formatCount(spread.environments)} of ${formatCount(corpus)} (${formatShare(spread.environments, corpus)})`,
      "with at least one such step",
    ],
    ["In the one with most", percent(spread.top1), "of its error steps"],
    ["In the five with most", percent(spread.top5), "of its error steps"],
    ["In the top tenth", percent(spread.topTenth), "of the environments it occurs in, rounded up"],
    [
      "Spread as over",
      spread.effective === null ? "—" : `${spread.effective.toFixed(1)} environments`,
      "that had equally many (inverse Simpson index)",
    ],
  ];
  return (
    <section aria-label="Is it generalizable?" className="rounded-lg border bg-surface p-3">
      <h2 className="font-medium">Is it generalizable?</h2>
      {spread.errorSteps === 0 ? (
        <p className="text-sm text-muted">
          {errorSteps === 0
            ? "No error step has it."
            : "No trajectory with it names an environment, so nothing can be said."}
        </p>
      ) : (
        <dl className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-6 gap-y-2 text-sm">
          {facts.map(([name, value, note]) => (
            <div key={name}>
              <dt className="text-xs text-muted">{name}</dt>
              <dd className="font-medium tabular-nums">{value}</dd>
              <dd className="text-xs text-muted">{note}</dd>
            </div>
          ))}
        </dl>
      )}
      {spread.withoutEnvironment > 0 ? (
        <p className="mt-1 text-xs text-muted">
          {plural(spread.withoutEnvironment, "error step")} of trajectories that name no environment are left out.
        </p>
      ) : null}
    </section>
  );
}

/** Types on the same error steps. `lift`: how much more often than if both were independent. */
export function CoOccurring({
  rows,
  steps,
  all,
  linked,
}: {
  rows: CoOccurrence[];
  /** Error steps of this type, and of any. */
  steps: number;
  all: number;
  linked: number | null;
}) {
  return (
    <TableFrame label="Types on the same steps">
      <thead>
        <tr>
          <Th>Also on the step</Th>
          <Th className="text-right">Both</Th>
          <Th className="text-right">Of this type</Th>
          <Th className="text-right">Than by chance</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((r) => (
          <tr key={r.id}>
            <Td className="foreign">
              <Link href={under(`/misbehaviors/${r.slug}`, linked)} className="text-accent hover:underline">
                {visible(r.name)}
              </Link>
            </Td>
            <Td className="text-right">{formatCount(r.both)}</Td>
            <Td className="text-right">{formatShare(r.both, steps)}</Td>
            <Td className="text-right" title="steps with both, by what independence would give">
              {steps * r.steps === 0 ? "—" : `${((r.both * all) / (steps * r.steps)).toFixed(1)}×`}
            </Td>
          </tr>
        ))}
        {rows.length === 0 ? (
          <tr>
            <Td colSpan={4} className="text-muted">
              No step has another type of this version as well.
            </Td>
          </tr>
        ) : null}
      </tbody>
    </TableFrame>
  );
}

const SOURCE: Record<string, string> = { rule: "rules", model: "model", person: "person", dataset: "data set" };

/** Who put the labels. */
export function Sources({ rows }: { rows: LabelSource[] }) {
  return (
    <TableFrame label="Sources of the labels">
      <thead>
        <tr>
          <Th>Labelled by</Th>
          <Th className="text-right">Error steps</Th>
          <Th className="text-right">Carried over</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((r) => (
          <tr key={`${r.source}/${r.name}/${r.version}`}>
            <Td className="foreign">
              {SOURCE[r.source] ?? r.source}{" "}
              <span className="text-muted">
                {visible([r.name === SOURCE[r.source] ? null : r.name, r.version].filter(Boolean).join(" "))}
              </span>
            </Td>
            <Td className="text-right">{formatCount(r.steps)}</Td>
            <Td className="text-right">{formatCount(r.carried)}</Td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
