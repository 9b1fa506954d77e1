import { RoleFailure } from "@/lib/profile/roles";
import { localize, RULES_VERSION } from "@/lib/profile/rules";
import type { BehaviorJudge } from "@/lib/reward/types";

/**
 * The rule detectors of a misbehavior as its judge: they read prefix and window as a scan does, and only what they find in
 * the window counts. A misbehavior without detectors cannot be judged by rules: that is a failure, not a "no".
 */
export const rulesBehaviorJudge: BehaviorJudge = {
  kind: "rule",
  name: "rules",
  version: RULES_VERSION,
  async judge({ prefix, steps }, mode) {
    if (mode.detectors.length === 0)
      throw new RoleFailure(
        "failed",
        `no rule detects "${mode.name}"; choose a model as the judge of this misbehavior`,
      );
    const wanted = new Set(mode.detectors);
    const from = prefix.steps.length;
    const found = localize([...prefix.steps, ...steps], { beforeRun: true }).find(
      (finding) => finding.step >= from && wanted.has(finding.misbehavior),
    );
    return found
      ? { answer: "yes", step: found.step - from, reason: found.reason, callId: null }
      : { answer: "no", step: null, reason: null, callId: null };
  },
};
