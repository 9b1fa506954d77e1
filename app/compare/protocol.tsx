import { TriangleAlert } from "lucide-react";
import type { BehaviorSummary } from "@/lib/evaluate/behavior/summary";
import { contestedTexts } from "@/lib/evaluate/behavior/view";
import { plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

/** Which part of the environments the prefixes are of. A judge is taught on the training part. */
const PART = { heldout: "held-out", training: "training" } as const;
const prefixesOf = (n: number, split: keyof typeof PART, kept = ""): string =>
  plural(n, `${kept}${PART[split]} prefix`, `${kept}${PART[split]} prefixes`);

/** What has to be known before the numbers are read: claims under one judge only, leaks, what was left out. */
export function Warnings({ summary }: { summary: BehaviorSummary }) {
  const { plan, checkpoints } = summary;
  const texts = [
    ...contestedTexts(summary),
    ...plan.leaks.map(
      (l) =>
        `† ${checkpoints.find((c) => c.id === l.checkpointId)?.name ?? "A checkpoint"} was trained in the environments of ${plural(l.prefixes.length, "prefix", "prefixes")}: its rates there may flatter it.`,
    ),
    ...plan.left.map(
      (l) => `Left out: ${l.slug}, which has only ${prefixesOf(l.prefixes, summary.protocol.split, "kept ")}.`,
    ),
  ];
  if (texts.length === 0) return null;
  return (
    <ul aria-label="To be known" className="flex flex-col gap-1 text-sm">
      {texts.map((text) => (
        <li key={text} className="flex items-start gap-1.5 text-warn">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="foreign min-w-0">{visible(text)}</span>
        </li>
      ))}
    </ul>
  );
}

/** How it was measured, in one sentence. */
export function protocolText({ protocol, plan, checkpoints }: BehaviorSummary): string {
  const prefixes = plan.misbehaviors.reduce((sum, m) => sum + m.prefixes.length, 0);
  return `${plural(checkpoints.length, "checkpoint")} x ${prefixesOf(prefixes, protocol.split)} of ${plural(plan.misbehaviors.length, "misbehavior")} x ${plural(protocol.samples, "sample")}; judges read the first ${plural(protocol.window, "step")}; temperature ${protocol.temperature}, top-p ${protocol.topP}, seed ${protocol.seed}`;
}
