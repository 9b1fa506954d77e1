import "server-only";
import { execFile } from "node:child_process";

/** A command of Slurm failed: which, and what it said. */
export class SlurmError extends Error {
  override name = "SlurmError";
  constructor(
    readonly command: string,
    readonly said: string,
    /** The command is not installed here. */
    readonly missing: boolean,
  ) {
    super(
      missing
        ? `${command} is not installed on this machine (Debian: apt-get install slurm-client munge)`
        : `${command}: ${said}`,
    );
  }

  /** It could not be asked: asking again may help. */
  get isTransient(): boolean {
    return /Unable to contact|no answer|timed out|Connection|Socket|temporarily|Resource/i.test(this.said);
  }
}

/** What a task is doing, by Slurm's word. */
export interface TaskState {
  /** Base state, for example PENDING, RUNNING, COMPLETED, NODE_FAIL. */
  state: string;
  /** Why it waits or ended, as far as Slurm says. */
  reason: string;
}

/** State of an array task, by "job_index". */
export type TaskStates = Map<string, TaskState>;

const LIMIT_MS = 30_000;
/** What the commands of Slurm see of our environment. sbatch hands it on to the tasks, and ours may hold keys. */
const PASSED = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "SLURM_CONF", "SLURM_CLUSTERS"];
/** Names and numbers as in C, so that they can be read. */
const environment = (): NodeJS.ProcessEnv => {
  const passed = PASSED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...Object.fromEntries(passed), LC_ALL: "C.UTF-8", SLURM_TIME_FORMAT: "standard" } as NodeJS.ProcessEnv;
};

/** Runs a command of Slurm. Rejects with SlurmError. */
function run(command: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      { env: environment(), timeout: LIMIT_MS, maxBuffer: 256 * 1024 * 1024, killSignal: "SIGKILL" },
      (error, stdout, stderr) => {
        if (!error) {
          resolve(stdout);
          return;
        }
        const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
        const said = error.killed
          ? `no answer in ${LIMIT_MS / 1000} s; is slurmctld running?`
          : (stderr || stdout || error.message).trim().split("\n").slice(-3).join("; ");
        reject(new SlurmError(command, said, missing));
      },
    );
  });
}

/** Slurm says that it knows no such job any more. */
const isUnknownJob = (error: unknown): boolean =>
  error instanceof SlurmError && /Invalid job id|Invalid job array/i.test(error.said);

/** States in which nothing more happens to a task by itself. */
const ENDED = new Set([
  "COMPLETED",
  "FAILED",
  "CANCELLED",
  "TIMEOUT",
  "NODE_FAIL",
  "OUT_OF_MEMORY",
  "BOOT_FAIL",
  "DEADLINE",
  "PREEMPTED",
  "SPECIAL_EXIT",
]);
export const hasEnded = ({ state }: TaskState): boolean => ENDED.has(state);

/** Partitions as sinfo lists them: what the "test" button shows. Rejects with SlurmError. */
export async function sinfo(): Promise<{ partition: string; nodes: number; state: string; limit: string }[]> {
  const lines = (await run("sinfo", ["--noheader", "--format=%P|%D|%t|%l"])).split("\n").filter(Boolean);
  return lines.map((line) => {
    const [partition = "", nodes = "0", state = "", limit = ""] = line.split("|");
    return { partition, nodes: Number(nodes), state, limit };
  });
}

let arrayLimit: number | null = null;
/** Most tasks of one array: MaxArraySize, which counts the index 0. */
export async function maxArrayTasks(): Promise<number> {
  arrayLimit ??= Number(/^MaxArraySize\s*=\s*(\d+)/m.exec(await run("scontrol", ["show", "config"]))?.[1] ?? 1001);
  return Math.max(1, arrayLimit - 1);
}

/** Submits a script; gives back the id of the job. */
export async function sbatch(args: string[], script: string): Promise<string> {
  const said = (await run("sbatch", ["--parsable", ...args, script])).trim();
  const id = /^\d+/.exec(said)?.[0];
  if (!id) throw new SlurmError("sbatch", `gave no job id: ${said}`, false);
  return id;
}

/** Id of the newest job of that name, when Slurm still knows one. */
export async function jobNamed(name: string): Promise<string | null> {
  const ids = (await run("squeue", ["--noheader", "--states=all", `--name=${name}`, "--format=%F"])).split("\n");
  const known = ids.map(Number).filter((id) => id > 0);
  return known.length === 0 ? null : String(Math.max(...known));
}

/** `states` of squeue: base states, without flags such as COMPLETING. */
function readStates(lines: string): TaskStates {
  const states: TaskStates = new Map();
  for (const line of lines.split("\n")) {
    const [task, state, ...reason] = line.split("|");
    if (task && state) states.set(task, { state: state.split(/[ +]/)[0] as string, reason: reason.join("|") });
  }
  return states;
}

/** What squeue knows of these jobs; jobs it has forgotten are not in it. */
async function squeue(ids: readonly string[]): Promise<TaskStates> {
  const ask = (some: readonly string[]) =>
    run("squeue", ["--noheader", "--array", "--states=all", `--jobs=${some.join(",")}`, "--format=%i|%T|%r"]);
  try {
    return readStates(await ask(ids));
  } catch (error) {
    if (!isUnknownJob(error)) throw error;
    if (ids.length === 1) return new Map();
    // One forgotten job spoils the answer for all: ask for each.
    const each = await Promise.all(ids.map((id) => squeue([id])));
    return new Map(each.flatMap((states) => [...states]));
  }
}

/** What accounting knows of these jobs; empty where there is no accounting. */
async function sacct(ids: readonly string[]): Promise<TaskStates> {
  try {
    const args = [
      "--noheader",
      "--parsable2",
      "--allocations",
      `--jobs=${ids.join(",")}`,
      "--format=JobID,State,ExitCode",
    ];
    return readStates(await run("sacct", args));
  } catch (error) {
    if (error instanceof SlurmError) return new Map();
    throw error;
  }
}

/** States of the tasks of these jobs: the queue's word, and accounting's where the queue has forgotten them. */
export async function taskStates(ids: readonly string[]): Promise<TaskStates> {
  if (ids.length === 0) return new Map();
  const states = await squeue(ids);
  const seen = new Set([...states.keys()].map((task) => task.split("_")[0]));
  const forgotten = ids.filter((id) => !seen.has(id));
  if (forgotten.length > 0)
    for (const [task, state] of await sacct(forgotten)) if (!states.has(task)) states.set(task, state);
  return states;
}

/** Cancels jobs; those that are through or forgotten already are no error. */
export async function scancel(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    try {
      await run("scancel", [id]);
    } catch (error) {
      if (!isUnknownJob(error)) throw error;
    }
  }
}

/** Exit code of an ended task, "status:signal", when the controller still knows it. */
export async function exitCode(task: string): Promise<string | null> {
  try {
    return /ExitCode=(\d+:\d+)/.exec(await run("scontrol", ["show", "job", task]))?.[1] ?? null;
  } catch (error) {
    if (error instanceof SlurmError) return null;
    throw error;
  }
}
