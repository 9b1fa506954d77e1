import "server-only";
import type { Db } from "@/db/client";
import { openEnvironment } from "@/lib/environment/run";
import { connectSandboxHost } from "@/lib/sandbox/client";
import type { Ground } from "./rerun";

/** Fresh sandboxes of stored environments, through the sandbox host of this MISSTEP_HOME. Closing disposes all of them. */
export async function connectGround(db: Db): Promise<Ground> {
  const host = await connectSandboxHost();
  return {
    open: async (environmentId, driver) =>
      (await openEnvironment(db, host, environmentId, driver ? { driver } : {})).sandbox,
    close: () => host.close(),
  };
}
