import "server-only";
import type { Db } from "@/db/client";
import { connectGround as connectEnvironments } from "@/lib/environment/ground";
import type { Ground } from "./rerun";

/** Fresh sandboxes for reruns, each as a rollout begins: its ENTRYPOINT has run. Closing disposes all of them. */
export async function connectGround(db: Db): Promise<Ground> {
  const ground = await connectEnvironments(db);
  return {
    open: async (environmentId, driver) => (await ground.open(environmentId, driver)).sandbox,
    close: () => ground.close(),
  };
}
