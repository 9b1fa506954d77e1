import { prefixesOf } from "@/lib/evaluate/behavior/known";
import type { BehaviorSummary } from "@/lib/evaluate/behavior/summary";

import { plural } from "@/lib/text/format";

/** How it was measured, in one sentence. */
export function protocolText({ protocol, plan, checkpoints }: BehaviorSummary): string {
  const prefixes = plan.misbehaviors.reduce((sum, m) => sum + m.prefixes.length, 0);
  return `${plural(checkpoints.length, "checkpoint")} x ${prefixesOf(prefixes, protocol.split)} of ${plural(plan.misbehaviors.length, "misbehavior")} x ${plural(protocol.samples, "sample")}; judges read the first ${plural(protocol.window, "step")}; temperature ${protocol.temperature}, top-p ${protocol.topP}, seed ${protocol.seed}`;
}
