import type { Step } from "./types";

/**
 * Steps in the entries an export writes: the steps of one model reply together when only the first of them has text,
 * every other step alone.
 */
export function entriesOf(steps: readonly Step[]): Step[][] {
  const entries: Step[][] = [];
  for (const step of steps) {
    const entry = entries[entries.length - 1];
    const head = entry?.[0];
    if (entry && head && joins(head, step)) entry.push(step);
    else entries.push([step]);
  }
  return entries;
}

function joins(head: Step, step: Step): boolean {
  return (
    head.kind === "agent" &&
    step.kind === "agent" &&
    head.turn !== null &&
    head.turn === step.turn &&
    head.call !== null &&
    step.call !== null &&
    step.thinking === null &&
    step.message === null &&
    head.actor === step.actor &&
    head.copied === step.copied &&
    head.note === step.note
  );
}

/** Number of the model reply after these steps, where `turn` was the next before them. */
export function nextTurn(steps: readonly Step[], turn: number): number {
  return (steps.findLast((step) => step.turn !== null)?.turn ?? turn - 1) + 1;
}
