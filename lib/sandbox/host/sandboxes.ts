import fs from "node:fs";
import path from "node:path";
import { DRIVER_LIST, driver } from "@/lib/sandbox/drivers";
import { sandboxDir } from "@/lib/sandbox/endpoint";
import { DEFAULT_LIMITS, type DriverName, type DriverStatus, type SandboxSpec } from "@/lib/sandbox/types";
import { FifoStock, IoDir } from "./io";
import { ownName } from "./leftovers";
import { Session } from "./session";

export interface LiveSandbox {
  id: string;
  driver: DriverName;
  imageDigest: string;
  session: Session;
  dispose(): Promise<void>;
}

const TRIAL: SandboxSpec = {
  driver: "bubblewrap",
  image: { kind: "base" },
  workdir: "/app",
  env: {},
  hostname: "trial",
  network: false,
  limits: DEFAULT_LIMITS,
};
const TO_ALLOW =
  "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0) and overlayfs";

/** All sandboxes of this process. Their folders lie in one that names the process, so that a later host can clean up. */
export class Sandboxes {
  private count = 0;
  private folders = 0;
  private spare: Promise<IoDir> | null = null;
  private closing = false;
  /** Why bubblewrap does not work, or null; asked once while it does. */
  private tried: Promise<string | null> | null = null;
  private readonly name = ownName();
  private readonly dir = path.join(sandboxDir(), this.name);
  private readonly stock = new FifoStock(path.join(this.dir, "fifos"));
  private readonly live = new Set<LiveSandbox>();

  constructor() {
    fs.mkdirSync(this.dir, { mode: 0o711 });
  }

  newId(): string {
    return `${this.name}-${++this.count}`;
  }

  /** bubblewrap is also tried: its program can be there and namespaces or overlayfs not. */
  drivers(): Promise<DriverStatus[]> {
    return Promise.all(
      DRIVER_LIST.map(async (d) => {
        const status = await d.status();
        if (d.name !== "bubblewrap" || !status.usable) return status;
        this.tried ??= this.tryBubblewrap();
        const reason = await this.tried;
        if (reason === null) return status;
        this.tried = null;
        return { ...status, usable: false, reason, install: TO_ALLOW };
      }),
    );
  }

  /** A folder of FIFOs. The next one is made while this sandbox is at work: a start need not wait for it. */
  private async nextDir(): Promise<IoDir> {
    const make = () => IoDir.make(path.join(this.dir, String(++this.folders)), this.stock);
    const ready = this.spare ?? make();
    this.spare = null;
    const io = await ready;
    if (!this.closing) {
      this.spare ??= make();
      this.spare.catch(() => undefined);
    }
    return io;
  }

  private async tryBubblewrap(): Promise<string | null> {
    try {
      const sandbox = await this.create(this.newId(), TRIAL);
      await sandbox.dispose();
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async create(id: string, spec: SandboxSpec): Promise<LiveSandbox> {
    const io = await this.nextDir();
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
    this.closing = true;
    await this.spare?.catch(() => undefined);
    await Promise.all([...this.live].map((s) => s.dispose()));
    fs.rmSync(this.dir, { recursive: true, force: true });
  }
}
