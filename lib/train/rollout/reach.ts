import "server-only";
import type { Ground } from "@/lib/environment/ground";
import type { OpenEnvironment } from "@/lib/environment/run";
import { restorePrefix } from "@/lib/prefix/restore";
import { RolloutVoid } from "@/lib/profile/rollout";
import type { Sandbox } from "@/lib/sandbox/types";
import type { TrainStart } from "./starts";

/** Where sandboxes come from, and what ends the waiting. */
export interface ReachGround {
  ground: Ground;
  signal: AbortSignal;
}

/** Opens the environment, and brings it to the state of the prefix when there is one. Throws RolloutVoid when it is not reached. */
export async function reach(
  shared: ReachGround,
  start: TrainStart,
): Promise<{ open: OpenEnvironment; sandbox: Sandbox }> {
  const { ground, signal } = shared;
  if (start.prefix === null) {
    const open = await ground.open(start.environment.id);
    return { open, sandbox: open.sandbox };
  }
  let open: OpenEnvironment | null = null;
  const restored = await restorePrefix(
    start.prefix.replay,
    async () => {
      open = await ground.open(start.environment.id);
      return open.sandbox;
    },
    { signal },
  );
  if ("reason" in restored) throw new RolloutVoid(`prefix ${start.prefix.id}: ${restored.reason}`);
  return { open: open as unknown as OpenEnvironment, sandbox: restored.sandbox };
}
