import type { MisbehaviorSlug } from "@/lib/profile/misbehaviors";
import type { Evidence } from "./finding";
import type { History } from "./history";
import type { StepView } from "./view";

/** What a detector says about a step: one sentence naming the fact, and where it can be seen. */
export interface Detection {
  reason: string;
  evidence: Evidence[];
}

/**
 * Recognises one misbehavior. It sees the step (with what came back for it) and what happened before; the history
 * holds nothing later, so a detector has no hindsight. Never throws; work per step is bounded by the step's size.
 */
export interface Detector {
  slug: MisbehaviorSlug;
  detect(view: StepView, history: History): Detection | null;
}

/** Evidence over a whole command. */
export function wholeCommand(view: StepView, note: string): Evidence {
  return { step: view.index, part: "command", start: 0, end: view.command?.length ?? 0, note };
}

/** How an earlier step is named in a sentence; the exact one is in the evidence. */
export function ago(view: StepView, history: History): string {
  for (const [i, word] of ["the step before", "the second step before", "the third step before"].entries())
    if (history.views.at(-1 - i) === view) return word;
  return "an earlier step";
}
