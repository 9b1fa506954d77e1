import fs from "node:fs";
import path from "node:path";
import { DRIVER_LIST } from "@/lib/sandbox/drivers";
import { cleanCgroups } from "@/lib/sandbox/drivers/cgroup";
import { sandboxDir } from "@/lib/sandbox/endpoint";

const NAME = /^h(\d+)-([0-9a-z]+)/;

/** When a process started, in clock ticks since boot, or null when there is none: with the id it names a process for good. */
function startOf(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]).toString(36);
  } catch {
    return null;
  }
}

/** Name of this host process: of its folder, and first part of the ids of its sandboxes. */
export const ownName = (): string => `h${process.pid}-${startOf(process.pid) ?? "0"}`;

/** Whether the host that made a folder or sandbox of this name is no more. */
export function isGone(name: string): boolean {
  const [, pid, start] = NAME.exec(name) ?? [];
  return pid !== undefined && startOf(Number(pid)) !== start;
}

/** A loop that was still waiting for its host ends when its FIFO is opened and closed. */
function release(dir: string): void {
  const control = path.join(dir, "ctl");
  if (!fs.lstatSync(control, { throwIfNoEntry: false })?.isFIFO()) return;
  fs.closeSync(fs.openSync(control, fs.constants.O_RDWR | fs.constants.O_NONBLOCK));
}

/** Removes what hosts that were killed left behind: processes, control groups, containers, folders. */
export async function cleanLeftovers(): Promise<void> {
  const gone = fs.readdirSync(sandboxDir()).filter((name) => NAME.test(name) && isGone(name));
  for (const name of gone) {
    const dir = path.join(sandboxDir(), name);
    for (const sandbox of fs.readdirSync(dir)) release(path.join(dir, sandbox));
  }
  await cleanCgroups(isGone);
  if (gone.length === 0) return;
  for (const driver of DRIVER_LIST) await driver.cleanUp(isGone);
  for (const name of gone) fs.rmSync(path.join(sandboxDir(), name), { recursive: true, force: true });
}
