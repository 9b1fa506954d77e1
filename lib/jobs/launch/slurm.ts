import "server-only";
import type { SlurmSettings } from "@/lib/jobs/place/settings";
import { hasEnded, jobNamed, SlurmError, sbatch, scancel, taskStates } from "@/lib/jobs/place/slurm/client";
import { exitOf, launchFiles, logOf, writeLaunchScript } from "./files";
import { type Launcher, LaunchFailure } from "./types";

/** sbatch on a folder that the nodes see. */
export function slurmLauncher(settings: SlurmSettings): Launcher {
  const asking = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SlurmError) throw new LaunchFailure(error.message, !error.missing && error.isTransient);
      throw error;
    }
  };
  const { partition, account, time, cpusPerTask, memory } = settings;
  return {
    submit: (folder, name) =>
      asking(async () => {
        if ((await jobNamed(name)) !== null || exitOf(folder, name) !== null) return;
        const options = [
          `--job-name=${name}`,
          "--export=ALL",
          "--output=/dev/null",
          "--chdir=/",
          "--no-requeue",
          `--cpus-per-task=${cpusPerTask}`,
          ...(partition ? [`--partition=${partition}`] : []),
          ...(account ? [`--account=${account}`] : []),
          ...(time ? [`--time=${time}`] : []),
          ...(memory ? [`--mem=${memory}`] : []),
        ];
        await sbatch(options, writeLaunchScript(folder, name));
      }),
    status: (folder, name) =>
      asking(async () => {
        const id = await jobNamed(name);
        const state = id === null ? undefined : (await taskStates([id])).get(id);
        if (state && !hasEnded(state))
          return {
            state: state.state === "PENDING" ? "waiting" : "running",
            message: `Slurm job ${id}: ${state.state}`,
          };
        const code = exitOf(folder, name);
        if (code !== null) return { state: code === 0 ? "succeeded" : "failed", message: `exit code ${code}` };
        if (state?.state === "CANCELLED") return { state: "stopped", message: `Slurm job ${id}: CANCELLED` };
        if (state) return { state: "failed", message: `Slurm job ${id}: ${state.state} ${state.reason}` };
        return {
          state: "lost",
          message: `Slurm knows no job ${name}, and ${launchFiles(folder, name).exit} is missing`,
        };
      }),
    log: async (folder, name, from) => logOf(folder, name, from),
    stop: (_, name) =>
      asking(async () => {
        const id = await jobNamed(name);
        if (id !== null) await scancel([id]);
      }),
  };
}
