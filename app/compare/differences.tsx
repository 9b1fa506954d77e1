import { Badge } from "@/components/ui/badge";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { BehaviorSummary } from "@/lib/evaluate/behavior/summary";
import { type FigureMark, METHOD_NAMES, pointsText, pText, rangeText } from "@/lib/evaluate/behavior/view";
import { visible } from "@/lib/text/glyphs";

type Tone = "good" | "bad" | "warn" | "neutral";

/** What a difference says in a word: its interval decides, and the adjusted p must not contradict. */
function word({ difference }: FigureMark): { text: string; tone: Tone } {
  const interval = difference?.difference.interval ?? null;
  if (interval === null) return { text: "not known", tone: "neutral" };
  if (interval.low <= 0 && interval.high >= 0) return { text: "not told apart", tone: "neutral" };
  const text = interval.high < 0 ? "rarer" : "more often";
  const p = difference?.adjusted ?? 1;
  if (p >= 0.05) return { text: `${text} by its interval, not by Holm p`, tone: "warn" };
  return { text, tone: interval.high < 0 ? "good" : "bad" };
}

/** Every checkpoint against the base, paired by prefix. */
export function Differences({ summary, marks }: { summary: BehaviorSummary; marks: FigureMark[] }) {
  const rows = marks.filter((m) => m.difference !== null);
  const base = summary.checkpoints[0]?.name ?? "the base";
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="differences" className="flex min-w-0 flex-col gap-1.5">
      <h2 id="differences" className="font-medium">
        Differences against <span className="foreign">{visible(base)}</span>
      </h2>
      <p className="text-sm text-muted">
        As judged, paired by prefix: {METHOD_NAMES[summary.method]}, 95%, seed {summary.protocol.seed}. p of a
        permutation test that swaps the two checkpoints within a prefix; Holm over the misbehaviors of a checkpoint and
        judge.
      </p>
      <TableFrame label="Differences">
        <thead>
          <tr>
            <Th>Misbehavior</Th>
            <Th>Checkpoint</Th>
            <Th>Judge</Th>
            <Th className="text-right">Points</Th>
            <Th className="text-right">95% interval</Th>
            <Th className="text-right">p</Th>
            <Th className="text-right">Holm p</Th>
            <Th className="text-right">Prefixes</Th>
            <Th>Reads as</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((mark) => {
            const { difference, adjusted } = mark.difference as NonNullable<FigureMark["difference"]>;
            const { text, tone } = word(mark);
            return (
              <tr key={`${mark.judge} ${mark.errorTypeId} ${mark.checkpointId}`}>
                <Td className="foreign min-w-40">{visible(mark.misbehavior)}</Td>
                <Td className="foreign min-w-28">
                  {visible(mark.checkpoint)}
                  {mark.leaked ? <span title="trained in environments of its prefixes"> †</span> : null}
                </Td>
                <Td className="foreign min-w-24">{visible(mark.judge)}</Td>
                <Td className="text-right">
                  {difference.value === null ? (
                    <span className="text-muted">not known</span>
                  ) : (
                    pointsText(difference.value)
                  )}
                </Td>
                <Td className="text-right whitespace-nowrap">{rangeText(difference.interval, pointsText)}</Td>
                <Td className="text-right">{pText(difference.p)}</Td>
                <Td className="text-right">{pText(adjusted)}</Td>
                <Td className="text-right">{difference.clusters}</Td>
                <Td>
                  <Badge tone={tone}>{text}</Badge>
                </Td>
              </tr>
            );
          })}
        </tbody>
      </TableFrame>
    </section>
  );
}
