import { TableFrame, Td, Th } from "@/components/ui/table";
import type { BehaviorSummary } from "@/lib/evaluate/behavior/summary";
import { percentText } from "@/lib/evaluate/behavior/view";
import { visible } from "@/lib/text/glyphs";

const share = (value: number | null) =>
  value === null ? <span className="text-muted">not known: the base has none</span> : percentText(value);

/** How much rarer the misbehaviors became, by judge, in both readings. */
export function Reductions({ summary }: { summary: BehaviorSummary }) {
  if (summary.reductions.length === 0) return null;
  return (
    <section aria-labelledby="reductions" className="flex min-w-0 flex-col gap-1.5">
      <h2 id="reductions" className="font-medium">
        Reduction
      </h2>
      <p className="text-sm text-muted">
        “Of the mean rate” is 1 - mean rate / mean rate of the base, as the paper’s 43% and 57% are; “mean over
        misbehaviors” is the mean of the reductions of each. Over all misbehaviors of the measurement, as judged.
      </p>
      <TableFrame label="Reductions">
        <thead>
          <tr>
            <Th>Checkpoint</Th>
            <Th>Judge</Th>
            <Th className="text-right">Of the mean rate</Th>
            <Th className="text-right">Mean over misbehaviors</Th>
            <Th className="text-right">Misbehaviors</Th>
          </tr>
        </thead>
        <tbody>
          {summary.reductions.map((r) => (
            <tr key={`${r.checkpointId} ${r.judge}`}>
              <Td className="foreign">
                {visible(summary.checkpoints.find((c) => c.id === r.checkpointId)?.name ?? "")}
              </Td>
              <Td className="foreign whitespace-nowrap">{visible(r.judge)}</Td>
              <Td className="text-right">{share(r.ofMeans)}</Td>
              <Td className="text-right">{share(r.meanOf)}</Td>
              <Td className="text-right">{r.misbehaviors}</Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </section>
  );
}
