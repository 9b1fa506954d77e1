import type { Prefix, Proposal, RoleEnvironment } from "@/lib/profile/roles";
import type { Step } from "@/lib/trajectory/types";

/** Whether an entry is a step of the policy that a localizer judges: the same entries that the rules judge. */
export const isJudged = ({ kind, copied, note }: Pick<Step, "kind" | "copied" | "note">): boolean =>
  kind === "agent" && !copied && note !== "demonstration" && note !== "correction";

/** A call of a tool that is no terminal, as a text in place of a command. */
function commandOf({ call }: Step): string | null {
  if (call === null) return null;
  if (call.command !== null) return call.command;
  const args = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
  return `${call.name} ${args}`;
}

/**
 * A stored step as it was proposed, with what its agent had seen then: no rejected step, and not what came back for
 * earlier calls of the same reply. `steps` are all entries of the trajectory; nothing from `index` on is looked at but the
 * step itself, without its observations.
 */
export function asProposed(
  environment: RoleEnvironment,
  steps: readonly Step[],
  index: number,
): { prefix: Prefix; proposal: Proposal } {
  const step = steps[index] as Step;
  const before = steps
    .slice(0, index)
    .filter(({ note }) => note !== "rejected")
    .map((earlier) =>
      earlier.kind === "agent" && earlier.turn !== null && earlier.turn === step.turn
        ? { ...earlier, observations: [] }
        : earlier,
    );
  const proposal: Proposal = {
    thinking: step.thinking,
    command: commandOf(step),
    message: step.message,
    formatError: null,
    reply: null,
    usage: null,
  };
  return { prefix: { environment, steps: before }, proposal };
}
