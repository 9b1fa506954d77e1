import "server-only";
import { explain, isMachineFailure } from "@/db/failure";
import type { Ground } from "@/lib/environment/ground";
import type { ItemRow, ItemsContext } from "@/lib/jobs/executor";
import { BudgetReached } from "@/lib/model/chat/types";
import { RolloutCancelled } from "@/lib/profile/rollout";
import { SandboxFailure } from "@/lib/sandbox/types";

/** Deaths of the sandbox host that one run of a job survives. */
const HOST_DEATHS = 3;

const isHostGone = (error: unknown): boolean => error instanceof SandboxFailure && error.kind === "host-gone";

/** How many times the sandbox host died under a job so far. */
export interface HostDeaths {
  count: number;
}

interface Grounded {
  /** What is in flight, as it stands in the log: "rollouts". */
  what: string;
  parallel: number;
  connect: () => Promise<Ground>;
  /** Runs an item and ends it. Throws RolloutCancelled when the job was stopped meanwhile. */
  run: (item: ItemRow, ground: Ground) => Promise<void>;
}

/** Runs what is queued on one ground and closes it. Gives back what keeps it from going on, or undefined; items in flight are queued again. */
async function runQueue(
  context: ItemsContext,
  queue: ItemRow[],
  { parallel, connect, run }: Grounded,
): Promise<unknown> {
  const ground = await connect();
  let broken: unknown;
  const lane = async () => {
    while (!context.signal.aborted && broken === undefined) {
      const item = queue.shift();
      if (!item) return;
      try {
        await run(item, ground);
      } catch (error) {
        if (error instanceof RolloutCancelled) return;
        if (isHostGone(error) || isMachineFailure(error) || error instanceof BudgetReached) {
          queue.unshift(item);
          broken = error;
          return;
        }
        const message = error instanceof Error ? error.message : String(error);
        context.log("error", `${item.key}: ${message}`);
        context.end(item, { status: "failed", error: message });
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: parallel }, lane));
  } finally {
    await ground.close();
  }
  return broken;
}

/**
 * Runs items that need sandboxes, `parallel` at a time so that a policy can batch. An item that fails is failed alone; a
 * sandbox host that dies is replaced, HOST_DEATHS times; what stops everything (a full disk, a budget) is thrown.
 */
export async function runGrounded(
  context: ItemsContext,
  queue: ItemRow[],
  deaths: HostDeaths,
  grounded: Grounded,
): Promise<void> {
  for (;;) {
    const broken = await runQueue(context, queue, grounded);
    if (broken === undefined || context.signal.aborted) return;
    if (!isHostGone(broken) || ++deaths.count > HOST_DEATHS) throw broken;
    context.log(
      "warn",
      `${explain(broken)}: a new sandbox host is started, the ${grounded.what} in flight are done anew`,
    );
  }
}
