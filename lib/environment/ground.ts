import "server-only";
import type { Db } from "@/db/client";
import { connectSandboxHost } from "@/lib/sandbox/client";
import type { DriverName } from "@/lib/sandbox/types";
import type { Prepared } from "./prepare";
import { type OpenEnvironment, prepareEnvironment, startEnvironment } from "./run";
import { findEnvironment, type StoredEnvironment } from "./store";

/** Opens fresh sandboxes of stored environments until it is closed. */
export interface Ground {
  /** Throws like openEnvironment. The caller disposes the sandbox. */
  open(environmentId: number, driver?: DriverName): Promise<OpenEnvironment>;
  /** Disposes whatever is still open. */
  close(): Promise<void>;
}

/**
 * Fresh sandboxes of stored environments, through the sandbox host of this MISSTEP_HOME. What an environment needs before
 * it starts is made ready once a connection; each sandbox is new, and its ENTRYPOINT runs first.
 */
export async function connectGround(db: Db): Promise<Ground> {
  const host = await connectSandboxHost();
  const ready = new Map<string, Promise<{ environment: StoredEnvironment; prepared: Prepared }>>();
  const prepare = async (environmentId: number, driver: DriverName | undefined) => {
    const environment = findEnvironment(db, environmentId);
    return { environment, prepared: await prepareEnvironment(host, environment, driver ? { driver } : {}) };
  };
  return {
    async open(environmentId, driver) {
      const key = `${environmentId}/${driver ?? ""}`;
      let one = ready.get(key);
      if (!one) {
        one = prepare(environmentId, driver);
        one.catch(() => ready.delete(key));
        ready.set(key, one);
      }
      const { environment, prepared } = await one;
      return startEnvironment(host, environment, prepared);
    },
    close: () => host.close(),
  };
}
