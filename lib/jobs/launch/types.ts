/** What a launched bundle is doing. `lost`: its target knows nothing of it and it left no exit code. */
export interface LaunchStatus {
  state: "waiting" | "running" | "succeeded" | "failed" | "stopped" | "lost";
  /** What the target says of it. */
  message: string | null;
}

/** A place that runs the launch.sh of a bundle. Names are ours, so that a submission is found again. */
export interface Launcher {
  /** Submits, unless it is there already. Rejects with LaunchFailure. */
  submit(folder: string, name: string): Promise<void>;
  status(folder: string, name: string): Promise<LaunchStatus>;
  /** What was printed after the first `from` characters. */
  log(folder: string, name: string, from: number): Promise<string>;
  /** Resolves when the target took the request; also for what is through already. */
  stop(folder: string, name: string): Promise<void>;
}

/** A target did not do as asked. `transient`: it cannot be reached now, and may be later. */
export class LaunchFailure extends Error {
  override name = "LaunchFailure";
  constructor(
    message: string,
    readonly transient: boolean,
  ) {
    super(message);
  }
}
