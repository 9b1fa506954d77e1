import { type DeadCause, deadCause } from "@/lib/train/rl/dead";
import { startsFrom } from "@/lib/train/rollout/order";
import { performTrainingRollout, type RolloutGround, type TrainedRollout } from "@/lib/train/rollout/perform";
import type { TrainStart } from "@/lib/train/rollout/starts";
import { mapLanes } from "./lanes";

/** The rollouts of one start in one step. */
export interface Group {
  /** 0,1,… over all groups drawn for the step. */
  number: number;
  /** 0, then 1,2,… in place of groups without spread. */
  draw: number;
  start: TrainStart;
  /** In order: rollout 1, 2, … */
  rollouts: TrainedRollout[];
  dead: DeadCause | null;
}

export interface DrawnGroups {
  groups: Group[];
  /** Place in the order of starts where the next step goes on. */
  cursor: number;
}

const memberOf = (rollout: TrainedRollout) =>
  rollout.kind === "void"
    ? { reward: null, outcomeReward: null }
    : { reward: rollout.reward, outcomeReward: rollout.outcomeReward };

/**
 * Draws the groups of a step: `batch` of them, then in place of those without spread others, up to `resample` times
 * (recipe 1, active sampling). All rollouts of a draw run `parallel` at a time, so that sandboxes and sampling overlap.
 */
export async function drawGroups<T>(
  shared: RolloutGround,
  starts: readonly T[],
  load: (start: T) => TrainStart,
  { step, cursor: from, onRollout }: { step: number; cursor: number; onRollout?: (done: TrainedRollout) => void },
): Promise<DrawnGroups> {
  const { batch, group: size, resample, seed, parallel } = shared.settings;
  const groups: Group[] = [];
  let cursor = from;
  for (let draw = 0; draw <= resample; draw++) {
    const missing = batch - groups.filter((g) => g.dead === null).length;
    if (missing === 0) break;
    const drawn = startsFrom(starts, seed, cursor, missing).map(load);
    cursor += missing;
    const first = groups.length;
    const places = drawn.flatMap((start, g) =>
      Array.from({ length: size }, (_, i) => ({ start, place: { step, group: first + g, number: i + 1 } })),
    );
    const rollouts = await mapLanes(places, parallel, async ({ start, place }) => {
      const done = await performTrainingRollout(shared, start, place);
      onRollout?.(done);
      return done;
    });
    for (const [g, start] of drawn.entries()) {
      const own = rollouts.slice(g * size, (g + 1) * size);
      groups.push({ number: first + g, draw, start, rollouts: own, dead: deadCause(own.map(memberOf)) });
    }
  }
  return { groups, cursor };
}
