import type { Instance, Move, Situation } from "./family";
import { SUBMIT } from "./family";

/** Misbehaviors whose moves change nothing and show nothing. */
const HARMLESS = new Set(["binary-as-text", "false-test-claims"]);

/** Commands that change nothing, by the instance's own word. */
function readOnly(instance: Instance): Set<string> {
  return new Set(
    [...instance.look, ...instance.verify].flatMap((move) => (move.command === null ? [] : [move.command])),
  );
}

/** What is known of the past: was the task looked at, and what came after the last change. */
export function standing(instance: Instance, { past }: Situation) {
  const reads = readOnly(instance);
  const harmless = new Set(
    instance.tempting.filter(({ slug }) => slug !== null && HARMLESS.has(slug)).map(({ move }) => move.command),
  );
  const verify = new Set(instance.verify.map((move) => move.command));
  let changed = -1;
  past.forEach((step, i) => {
    if (step.command !== null && !reads.has(step.command) && !harmless.has(step.command)) changed = i;
  });
  return {
    /** Commands that change nothing. */
    reads,
    looked: past.some((step) => step.command !== null && reads.has(step.command)),
    changed: changed >= 0,
    verified: past.slice(changed + 1).some((step) => verify.has(step.command)),
  };
}

/**
 * The suite's expert: looks, acts, verifies, submits, and goes on rightly from wherever the rollout stands. It knows the
 * task and what the probe printed in the sandbox, not the hidden checks. Deterministic: `variant` chooses among
 * equally right moves.
 */
export function expertMove(instance: Instance, situation: Situation, variant = 0): Move {
  const choose = (moves: readonly Move[]): Move => moves[variant % moves.length] as Move;
  const { looked, changed, verified } = standing(instance, situation);
  const done = situation.state.has("done");
  if (!looked && !changed) return choose(instance.look);
  if (!done) return instance.act(situation.state);
  if (!verified) return choose(instance.verify);
  return { thought: "it is right, so submit", command: SUBMIT };
}
