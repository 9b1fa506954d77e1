import "server-only";
import { spawn } from "node:child_process";
import fs from "node:fs";
import { exitOf, launchFiles, logOf, writeLaunchScript } from "./files";
import type { Launcher } from "./types";

/** When a process began, in clock ticks since boot: a number that is used again is another process. */
function bornAt(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/** The group leader of a launch that is still running. */
function alive(folder: string, name: string): number | null {
  const { pid: file } = launchFiles(folder, name);
  if (!fs.existsSync(file)) return null;
  const [pid, born] = fs.readFileSync(file, "utf8").split(" ");
  return bornAt(Number(pid)) === born ? Number(pid) : null;
}

/** Whether any process of a group still runs; one that nobody has reaped yet does not. */
function groupRuns(group: number): boolean {
  return fs.readdirSync("/proc").some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
      const [state, , pgrp] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return state !== "Z" && Number(pgrp) === group;
    } catch {
      return false; // it ended between the listing and the reading
    }
  });
}

/** A process of this machine, of its own session: it outlives the worker, which finds it again. */
export const localLauncher: Launcher = {
  async submit(folder, name) {
    const { pid: file } = launchFiles(folder, name);
    if (fs.existsSync(file)) return;
    const script = writeLaunchScript(folder, name);
    const child = spawn("/bin/bash", [script], { detached: true, stdio: "ignore" });
    child.unref();
    if (child.pid === undefined) throw new Error("/bin/bash could not be started");
    fs.writeFileSync(file, `${child.pid} ${bornAt(child.pid)}`);
  },
  async status(folder, name) {
    if (alive(folder, name) !== null) return { state: "running", message: null };
    const code = exitOf(folder, name);
    if (code === null) return { state: "lost", message: "the process is gone and left no exit code" };
    return { state: code === 0 ? "succeeded" : "failed", message: `exit code ${code}` };
  },
  log: async (folder, name, from) => logOf(folder, name, from),
  async stop(folder, name) {
    const pid = alive(folder, name);
    if (pid === null) return;
    process.kill(-pid, "SIGTERM");
    const until = Date.now() + 10_000;
    while (groupRuns(pid) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 100));
    if (groupRuns(pid)) process.kill(-pid, "SIGKILL");
  },
};
