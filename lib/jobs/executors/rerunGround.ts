import "server-only";
import type { Db } from "@/db/client";
import type { Prepared } from "@/lib/environment/prepare";
import { prepareEnvironment } from "@/lib/environment/run";
import { findEnvironment } from "@/lib/environment/store";
import { connectSandboxHost } from "@/lib/sandbox/client";
import type { DriverName } from "@/lib/sandbox/types";
import type { Ground } from "./rerun";

/**
 * Fresh sandboxes of stored environments, through the sandbox host of this MISSTEP_HOME. What an environment needs before
 * it starts is made ready once a connection; each sandbox is new. Closing disposes all of them.
 */
export async function connectGround(db: Db): Promise<Ground> {
  const host = await connectSandboxHost();
  const ready = new Map<string, Promise<Prepared>>();
  const prepared = (environmentId: number, driver: DriverName | undefined): Promise<Prepared> => {
    const key = `${environmentId}/${driver ?? ""}`;
    let one = ready.get(key);
    if (!one) {
      one = prepareEnvironment(host, findEnvironment(db, environmentId), driver ? { driver } : {});
      one.catch(() => ready.delete(key));
      ready.set(key, one);
    }
    return one;
  };
  return {
    open: async (environmentId, driver) => host.create((await prepared(environmentId, driver)).sandbox),
    close: () => host.close(),
  };
}
