import fs from "node:fs";
import path from "node:path";
import { DRIVER_LIST, driver } from "@/lib/sandbox/drivers";
import { sandboxDir } from "@/lib/sandbox/endpoint";
import type { DriverName, DriverStatus, SandboxSpec } from "@/lib/sandbox/types";
import { IoDir } from "./io";
import { ownName } from "./leftovers";
import { Session } from "./session";

export interface LiveSandbox {
  id: string;
  driver: DriverName;
  imageDigest: string;
  session: Session;
  dispose(): Promise<void>;
}

/** All sandboxes of this process. Their folders lie in one that names the process, so that a later host can clean up. */
export class Sandboxes {
  private count = 0;
  private readonly name = ownName();
  private readonly dir = path.join(sandboxDir(), this.name);
  private readonly live = new Set<LiveSandbox>();

  constructor() {
    fs.mkdirSync(this.dir, { mode: 0o711 });
  }

  newId(): string {
    return `${this.name}-${++this.count}`;
  }

  drivers(): Promise<DriverStatus[]> {
    return Promise.all(DRIVER_LIST.map((d) => d.status()));
  }

  async create(id: string, spec: SandboxSpec): Promise<LiveSandbox> {
    const io = await IoDir.make(path.join(this.dir, id));
    const session = new Session(io, spec);
    let disposed: Promise<void> | null = null;
    const dispose = () => {
      disposed ??= (async () => {
        try {
          await session.close();
          fs.rmSync(io.dir, { recursive: true, force: true });
        } catch (error) {
          process.stderr.write(`misstep: a sandbox could not be removed whole: ${String(error)}\n`);
        }
        this.live.delete(sandbox);
      })();
      return disposed;
    };
    const sandbox: LiveSandbox = { id, driver: spec.driver, imageDigest: "", session, dispose };
    this.live.add(sandbox);
    try {
      const launched = await driver(spec.driver).launch({ id, spec, io: io.dir });
      if (disposed) await launched.kill();
      sandbox.imageDigest = launched.imageDigest;
      await session.attach(launched);
      return sandbox;
    } catch (error) {
      await dispose();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.live].map((s) => s.dispose()));
    fs.rmSync(this.dir, { recursive: true, force: true });
  }
}
