/**
 * Sandboxes: one interface whatever the driver. Nothing here starts a process: sandboxes are made by the sandbox host
 * (its own process), and everyone else is its client.
 */

export const DRIVERS = ["bubblewrap", "podman", "docker", "apptainer"] as const;
export type DriverName = (typeof DRIVERS)[number];

/** Whether a driver can be used on this machine. `reason` and `install` tell what is missing and what to do. */
export interface DriverStatus {
  driver: DriverName;
  usable: boolean;
  version: string | null;
  reason: string | null;
  install: string | null;
  /** What this driver can limit here and by what means, for people. */
  notes: string[];
}

/** The root file system a sandbox starts from. A sandbox never writes to it. */
export type Image =
  /** The driver's own small Debian root. */
  | { kind: "base" }
  /** bubblewrap: read-only folders laid over the base, the first is the topmost. Absolute paths. */
  | { kind: "layers"; lower: string[] }
  /** podman, docker: a local image; apptainer: path of a .sif file. */
  | { kind: "reference"; name: string };

/** Hard limits of a whole sandbox. `null` means the driver's default. */
export interface Limits {
  memoryBytes: number;
  processes: number;
  /** Largest file a process may write. */
  fileBytes: number;
  openFiles: number;
  /** CPU seconds of a single process. */
  cpuSeconds: number;
  /** Bytes of everything written to the throw-away root. */
  rootBytes: number;
}

export const DEFAULT_LIMITS: Limits = {
  memoryBytes: 1024 ** 3,
  processes: 256,
  fileBytes: 256 * 1024 ** 2,
  openFiles: 1024,
  cpuSeconds: 600,
  rootBytes: 512 * 1024 ** 2,
};

/** Everything a driver needs to make a sandbox. Plain data: it goes over a socket. */
export interface SandboxSpec {
  driver: DriverName;
  image: Image;
  /** Where the first command starts; made when missing, owned by the user. */
  workdir: string;
  env: Record<string, string>;
  hostname: string;
  /** Only true when the environment asks for it. */
  network: boolean;
  limits: Limits;
}

/** Milliseconds a command may run (recipe 2: 120 s). */
export const COMMAND_TIMEOUT_MS = 120_000;

/** What a command did. Text is decoded as UTF-8, broken bytes as U+FFFD. */
export interface ExecResult {
  /** What the policy sees: see observation.ts (recipe 2). */
  observation: string;
  /** Whole streams, or their first and last part when they are over the keeping limit; then `*Bytes` says how long they were. */
  stdout: string;
  stderr: string;
  stdoutBytes: number;
  stderrBytes: number;
  /** 124 when timed out with TERM, 137 when it had to be killed. */
  exitCode: number;
  timedOut: boolean;
  /** From the start of the command in the sandbox, not from the request. */
  durationMs: number;
  /** The command submitted: the marker alone on the first line of its output (recipe 2). */
  submitted: boolean;
}

export interface TerminalSize {
  cols: number;
  rows: number;
}

/** A terminal (PTY) inside a sandbox that runs an interactive bash in the state the last command left. One a sandbox at a time. */
export interface Terminal {
  write(data: string): void;
  resize(size: TerminalSize): void;
  /** Raw output of the PTY. */
  onData(listener: (data: Buffer) => void): void;
  onExit(listener: (reason: string | null) => void): void;
  close(): Promise<void>;
}

/** A running sandbox. cwd and exported variables persist between commands. Calls are answered in order. */
export interface Sandbox {
  readonly id: string;
  readonly driver: DriverName;
  /** Identity of the root file system it started from. */
  readonly imageDigest: string;
  /** Rejects with SandboxFailure when the sandbox died: never a made-up result. */
  exec(command: string, options?: { timeoutMs?: number }): Promise<ExecResult>;
  /** Absolute path inside. Rejects with ENOENT-like SandboxFileError when it is not there. */
  readFile(path: string): Promise<Buffer>;
  /** Makes parent folders. Owned by the sandbox's user. */
  writeFile(path: string, data: Buffer | string, options?: { mode?: number }): Promise<void>;
  terminal(size: TerminalSize): Promise<Terminal>;
  /** Ends every process of it and removes everything it wrote. Never rejects twice; safe to call again. */
  dispose(): Promise<void>;
}

/** What an image is built from. */
export interface ImageRequest {
  driver: "podman" | "docker";
  /** Folder that COPY takes from; absolute. */
  context: string;
  /** Text of the Dockerfile. `FROM misstep/base` stands for the Debian root of this machine. */
  dockerfile: string;
  /** Name it gets. When there is an image of that name already, nothing is built. */
  name: string;
  /** Whether RUN may use a network. Base images that are not here are pulled in any case. */
  network: boolean;
  timeoutMs: number;
}

/** Image id, and what the engine printed ("" when the image was there). */
export interface BuiltImage {
  digest: string;
  log: string;
}

/** Connection to the sandbox host. Sandboxes of a connection end with it, however it ends. */
export interface SandboxHost {
  create(spec: SandboxSpec): Promise<Sandbox>;
  drivers(): Promise<DriverStatus[]>;
  /** Builds an image for podman or docker. Rejects with SandboxFailure("unsupported") and the end of the log. */
  buildImage(request: ImageRequest): Promise<BuiltImage>;
  /** Disposes all sandboxes of this connection. */
  close(): Promise<void>;
}

/** An infrastructure failure: the rollout or rerun is void, counted and shown, never scored. */
export class SandboxFailure extends Error {
  constructor(
    readonly kind: "cannot-start" | "died" | "host-gone" | "unsupported",
    message: string,
  ) {
    super(message);
    this.name = "SandboxFailure";
  }
}

/** A file in a sandbox could not be read or written. */
export class SandboxFileError extends Error {
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
    this.name = "SandboxFileError";
  }
}
