import type { DriverName, DriverStatus, SandboxSpec } from "@/lib/sandbox/types";

/** A sandbox a driver has started: a loop (host/loop.ts) runs in it, or will at once. */
export interface Launched {
  imageDigest: string;
  /** Settles when the sandbox is gone, with what is known about why. Never rejects. */
  ended: Promise<string>;
  /** Signal to the first process of the sandbox. */
  signal(name: "SIGUSR1" | "SIGUSR2"): Promise<void>;
  /** Ends every process and removes what the driver made for it. Safe to call again. */
  kill(): Promise<void>;
}

export interface LaunchRequest {
  /** Unique on this machine, short, [a-z0-9-]. */
  id: string;
  spec: SandboxSpec;
  /** Folder of FIFOs on the host; to be seen read-only as IO_DIR in the sandbox. */
  io: string;
}

export interface Driver {
  name: DriverName;
  status(): Promise<DriverStatus>;
  /** Rejects with SandboxFailure("cannot-start" | "unsupported"). */
  launch(request: LaunchRequest): Promise<Launched>;
  /** Removes what a killed host left behind: sandboxes whose id `isGone`. */
  cleanUp(isGone: (id: string) => boolean): Promise<void>;
}
