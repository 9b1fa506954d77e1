import "server-only";
import { RoleFailure } from "@/lib/profile/roles";
import type { BehaviorJudge } from "@/lib/reward/types";
import { featuresOf } from "./features";
import { readLearnedJudge } from "./learnedFile";
import { probability } from "./logistic";

/**
 * A judge learned from labels of people or of another judge: logistic regression over hashed features of the window, free
 * and local. A misbehavior it was not trained for is a failure, not a "no". Throws UnknownRole.
 */
export function learnedBehaviorJudge(name: string): BehaviorJudge {
  const file = readLearnedJudge(name);
  return {
    kind: "model",
    name: `learned:${name}`,
    version: file.hash.slice(0, 12),
    async judge({ steps, prefix }, mode) {
      const own = file.modes.find((m) => m.misbehavior === mode.name);
      if (!own) {
        const why = file.refused.find((m) => m.misbehavior === mode.name)?.reason ?? "it was not among its labels";
        throw new RoleFailure("failed", `learned:${name} cannot judge "${mode.name}": ${why}`);
      }
      const p = probability(own, featuresOf(steps, prefix.steps));
      return { answer: p >= 0.5 ? "yes" : "no", step: null, reason: `probability ${p.toFixed(3)}`, callId: null };
    },
  };
}
