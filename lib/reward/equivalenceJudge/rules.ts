import { attemptKey } from "@/lib/profile/rules/normalise";
import { parseCommand } from "@/lib/profile/rules/shell";
import type { EquivalenceJudge } from "@/lib/reward/types";

const keyOf = (command: string): string => attemptKey(command, parseCommand(command));

/**
 * Equivalence by the normalised command: the same attempt, apart from white space, quoting, verbosity, time limits and
 * where errors go. Stricter than a model: another way to the same end is different.
 */
export const rulesEquivalenceJudge: EquivalenceJudge = {
  kind: "rule",
  name: "rules",
  version: "1",
  async compare({ gold, candidate }) {
    const equivalent = keyOf(gold) === keyOf(candidate);
    const reason = equivalent ? "The normalised commands are the same." : "The normalised commands differ.";
    return { equivalent, reason, callId: null };
  },
};
