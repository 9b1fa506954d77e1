import { proposedStep } from "@/lib/profile/proposal";
import type { Judgement, Localizer, Prefix, Proposal } from "@/lib/profile/roles";
import { localize, RULES_VERSION } from "@/lib/profile/rules";
import { commandSeenOf } from "@/lib/profile/rules/finding";

/** Name of the rule localizer in `localizer` and in settings. */
export const RULES_NAME = "rules";
const NOTHING = "No rule finds fault with it.";

/**
 * The eight detectors as a localizer: each proposal is judged over its prefix exactly as a scan of the stored trajectory
 * judges it again. Evidence counts entries of the prefix; the proposal is the entry after its last.
 */
export const rulesLocalizer: Localizer = {
  kind: "rule",
  name: RULES_NAME,
  version: RULES_VERSION,
  async judge(prefix: Prefix, proposal: Proposal): Promise<Judgement> {
    const at = prefix.steps.length;
    const findings = localize([...prefix.steps, proposedStep(proposal, at)], { beforeRun: true })
      .filter((f) => f.step === at)
      .map(({ misbehavior, reason, evidence }) => ({ misbehavior, reason, evidence }));
    return {
      verdict: findings.length > 0 ? "bad" : "good",
      commandSeen: commandSeenOf(proposal),
      reason: findings.map((f) => f.reason).join(" ") || NOTHING,
      findings,
      reply: null,
      usage: null,
    };
  },
};
