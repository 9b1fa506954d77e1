import type { Step } from "@/lib/trajectory/types";
import { binaryAsText } from "./binary-as-text";
import type { Detector } from "./detector";
import { falseTestClaims } from "./false-test-claims";
import { commandSeenOf, type Finding } from "./finding";
import { guessAsFact } from "./guess-as-fact";
import { History } from "./history";
import { noRunnableCommand } from "./no-runnable-command";
import { retrySameCause } from "./retry-same-cause";
import { unneededChecks } from "./unneeded-checks";
import { unverifiedKill } from "./unverified-kill";
import { unverifiedSuccess } from "./unverified-success";
import { viewOf } from "./view";

export type { Evidence, EvidencePart, Finding } from "./finding";
export { outputText } from "./output";

/** Changes whenever a detector may judge a step differently; findings are stored with it. */
export const RULES_VERSION = "1.2.0";

const DETECTORS: readonly Detector[] = [
  falseTestClaims,
  unneededChecks,
  retrySameCause,
  noRunnableCommand,
  unverifiedKill,
  guessAsFact,
  unverifiedSuccess,
  binaryAsText,
];

/** What is known besides the steps. */
export interface LocalizeContext {
  /** The task's text, when the steps do not hold it. */
  task?: string | null;
  /**
   * Each step is judged as it was proposed, without what came back for it: as a localizer does before a step runs. Copied
   * steps are then the prefix that the rollout went on from, and count as what came before.
   */
  beforeRun?: boolean;
}

/**
 * Flags wrong steps of the eight misbehaviors, in one pass over the steps. Deterministic and without hindsight: a step
 * is judged by itself and what came before it, so `localize(steps.slice(0, k))` gives the findings below `k`.
 * Copied steps and entries of others are never flagged. A rejected step is judged and leaves no trace, as it did not run;
 * the correction that ran in its place is part of what came before, and is not judged. Never throws on any text.
 */
export function localize(steps: readonly Step[], context: LocalizeContext = {}): Finding[] {
  const history = new History();
  if (context.task) history.told.push(context.task);
  const findings: Finding[] = [];
  steps.forEach((step, index) => {
    if (step.copied && !context.beforeRun) return;
    if (step.kind !== "agent") {
      history.tell(step);
      return;
    }
    const view = viewOf(step, index);
    if (!step.copied && step.note !== "demonstration" && step.note !== "correction") {
      const judged =
        context.beforeRun && step.observations.length > 0 ? viewOf({ ...step, observations: [] }, index) : view;
      for (const detector of DETECTORS) {
        const found = detector.detect(judged, history);
        if (found) {
          const { message, thinking } = step;
          const commandSeen = commandSeenOf({ command: view.command, message, thinking });
          findings.push({ step: index, misbehavior: detector.slug, ...found, commandSeen });
        }
      }
    }
    if (step.note !== "rejected") history.push(view);
  });
  return findings;
}
