import { spread } from "@/lib/train/rl/advantages";
import type { RolloutGround } from "@/lib/train/rollout/perform";
import { performPivot } from "@/lib/train/rollout/pivot";
import type { TrainStart } from "@/lib/train/rollout/starts";
import { mapLanes } from "./lanes";

/**
 * Candidates whose sampled actions differ in reward under the policy as it is now (recipe 4): those kept of `ids`, in order.
 * `step` 0 of the training, so that the draws are none of a later step's.
 */
export async function findPivots(
  shared: RolloutGround,
  ids: readonly number[],
  load: (id: number) => TrainStart,
  actions: number,
): Promise<number[]> {
  const places = ids.flatMap((id, group) => Array.from({ length: actions }, (_, i) => ({ id, group, number: i + 1 })));
  const rewards = await mapLanes(places, shared.settings.parallel, async ({ id, group, number }) => {
    const { environment, pivot } = load(id);
    if (!pivot) throw new Error("a candidate is a pivot start");
    const done = await performPivot(shared, environment, pivot, { step: 0, group, number });
    return done.kind === "done" ? done.reward : null;
  });
  return ids.filter((_, g) => {
    const own = rewards.slice(g * actions, (g + 1) * actions).filter((r): r is number => r !== null);
    return own.length >= 2 && spread(own) > 0;
  });
}
