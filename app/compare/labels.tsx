import { ReviewThese } from "@/app/review/review-these";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { BehaviorCell, BehaviorSummary } from "@/lib/evaluate/behavior/summary";
import { percentText, rangeText, refusalText } from "@/lib/evaluate/behavior/view";
import type { Corrected, Refusal } from "@/lib/evaluate/stats/corrected";
import type { LabelsNeeded } from "@/lib/evaluate/stats/labelsNeeded";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

/** How many more labels tell a checkpoint from the base, by misbehavior and judge. */
export interface Needed {
  checkpointId: number;
  errorTypeId: number;
  judge: string;
  needed: LabelsNeeded;
}

function neededText(needed: LabelsNeeded | undefined, base: string): string {
  if (needed === undefined) return "is the base";
  if (needed.kind === "separated") return `told apart from ${base}`;
  if (needed.kind === "more") return `about ${plural(needed.labels, "more label")} to separate it from ${base}`;
  if (needed.kind === "never") return "not even with every window labelled: it takes more prefixes or samples";
  return "not known: too few labels, or all say the same";
}

function Rate({ rate }: { rate: Corrected | { refused: Refusal } }) {
  if ("refused" in rate) return <span className="text-xs text-muted">{refusalText(rate.refused)}</span>;
  return (
    <>
      {percentText(rate.value)} <span className="text-xs whitespace-nowrap text-muted">{rangeText(rate.interval)}</span>
    </>
  );
}

const share = (x: number | null) => (x === null ? <span className="text-muted">not known</span> : percentText(x));

function Row({ summary, cell, needed }: { summary: BehaviorSummary; cell: BehaviorCell; needed: Needed | undefined }) {
  const { corrected, rate } = cell;
  if (!corrected) return null;
  return (
    <tr>
      <Td className="foreign min-w-36">
        {visible(summary.plan.misbehaviors.find((m) => m.errorTypeId === cell.errorTypeId)?.name ?? "")}
      </Td>
      <Td className="foreign min-w-28">
        {visible(summary.checkpoints.find((c) => c.id === cell.checkpointId)?.name ?? "")}
      </Td>
      <Td className="foreign min-w-24">{visible(cell.judge)}</Td>
      <Td className="text-right">{formatCount(corrected.quality.labels)}</Td>
      <Td className="text-right">{share(corrected.quality.sensitivity)}</Td>
      <Td className="text-right">{share(corrected.quality.specificity)}</Td>
      <Td className="text-right">
        {share(rate.value)} <span className="text-xs whitespace-nowrap text-muted">{rangeText(rate.interval)}</span>
      </Td>
      <Td className="min-w-40 text-right">
        <Rate rate={corrected.roganGladen} />
      </Td>
      <Td className="min-w-40 text-right">
        <Rate rate={corrected.predictionPowered} />
      </Td>
      <Td className="foreign min-w-44">
        {visible(neededText(needed?.needed, summary.checkpoints[0]?.name ?? "the base"))}
      </Td>
    </tr>
  );
}

/** Rates corrected by people's labels beside the raw ones, or how labels are made. */
export function Labels({ summary, needed }: { summary: BehaviorSummary; needed: Needed[] }) {
  const cells = summary.cells.filter((c) => c.corrected !== null);
  return (
    <section aria-labelledby="labels" className="flex min-w-0 flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="labels" className="font-medium">
          Corrected by people
        </h2>
        <ReviewThese list="trajectories" href="" question="window" measurement={summary.id} />
      </div>
      {cells.length === 0 ? (
        <p className="text-sm text-muted">
          No window drawn at random has a label of people, so no rate can be corrected.{" "}
          <code className="font-mono text-xs">
            misstep measure labels export {summary.id} --sample 100 &gt; windows.jsonl
          </code>{" "}
          draws some, blind; fill in answer and author, then{" "}
          <code className="font-mono text-xs">misstep measure labels import {summary.id} windows.jsonl</code>.
        </p>
      ) : (
        <>
          <p className="text-sm text-muted">
            Rogan-Gladen corrects a rate by the judge’s sensitivity and specificity; PPI++ takes people’s rate and moves
            it by what the judge says of the rest. Both intervals carry both errors. Only windows drawn at random count.
          </p>
          <TableFrame label="Corrected rates">
            <thead>
              <tr>
                <Th>Misbehavior</Th>
                <Th>Checkpoint</Th>
                <Th>Judge</Th>
                <Th className="text-right">Labels</Th>
                <Th className="text-right">Sensitivity</Th>
                <Th className="text-right">Specificity</Th>
                <Th className="text-right">Raw</Th>
                <Th className="text-right">Rogan-Gladen</Th>
                <Th className="text-right">PPI++</Th>
                <Th>Against the base</Th>
              </tr>
            </thead>
            <tbody>
              {cells.map((cell) => (
                <Row
                  key={`${cell.judge} ${cell.errorTypeId} ${cell.checkpointId}`}
                  summary={summary}
                  cell={cell}
                  needed={needed.find(
                    (n) =>
                      n.judge === cell.judge &&
                      n.errorTypeId === cell.errorTypeId &&
                      n.checkpointId === cell.checkpointId,
                  )}
                />
              ))}
            </tbody>
          </TableFrame>
        </>
      )}
    </section>
  );
}
