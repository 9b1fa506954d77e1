import { RULES_NAME } from "@/lib/profile/roles/rulesLocalizer";
import { localize, RULES_VERSION } from "@/lib/profile/rules";
import type { BehaviorJudge } from "@/lib/reward/types";

/** The detectors as a behavior judge. */
export const rulesJudge: BehaviorJudge = {
  kind: "rule",
  name: RULES_NAME,
  version: RULES_VERSION,
  async judge({ prefix, steps }, mode) {
    const own = prefix.steps.length;
    const found = localize([...prefix.steps, ...steps], { beforeRun: true }).find(
      (f) => f.step >= own && mode.detectors.includes(f.misbehavior),
    );
    return found
      ? { answer: "yes", step: found.step - own, reason: found.reason, callId: null }
      : { answer: "no", step: null, reason: null, callId: null };
  },
};
