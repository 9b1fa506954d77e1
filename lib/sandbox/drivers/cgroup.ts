import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { sandboxDir } from "@/lib/sandbox/endpoint";
import type { Limits } from "@/lib/sandbox/types";

/** Control groups this process may make children in. `none`: limits are per process (prlimit) only. */
export type CgroupParent =
  | { kind: "v1"; memory: string | null; pids: string | null }
  | { kind: "v2"; dir: string }
  | { kind: "none"; reason: string };

/** Group of one sandbox: `procs` are files a process writes its id to in order to join. */
export interface Cgroup {
  procs: string[];
  limitsMemory: boolean;
  limitsProcesses: boolean;
  /** How often the kernel ended a process for want of memory; null where it does not say. */
  outOfMemory(): number | null;
  remove(): Promise<void>;
}

/** Files of the kernel that tests replace. */
export interface CgroupFiles {
  mountinfo: string;
  self: string;
}

const readKernel = (): CgroupFiles => ({
  mountinfo: fs.readFileSync("/proc/self/mountinfo", "utf8"),
  self: fs.readFileSync("/proc/self/cgroup", "utf8"),
});

interface Mount {
  root: string;
  point: string;
  type: string;
  options: string[];
}

function mounts(mountinfo: string): Mount[] {
  const plain = (text: string) =>
    text.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
  return mountinfo
    .split("\n")
    .filter((line) => line.includes(" - cgroup"))
    .map((line) => {
      const [before = "", after = ""] = line.split(" - ");
      const fields = before.split(" ");
      const [type = "", , options = ""] = after.split(" ");
      return { root: plain(fields[3] ?? "/"), point: plain(fields[4] ?? ""), type, options: options.split(",") };
    });
}

const writable = (dir: string): boolean => {
  try {
    fs.accessSync(dir, fs.constants.W_OK);
    return fs.statSync(dir).isDirectory();
  } catch {
    return false;
  }
};

/** Where a mounted hierarchy shows the group that `own` names; the mount point itself when it is not below it. */
function place(mount: Mount, own: string): string {
  const relative = path.posix.relative(mount.root, own);
  const dir = relative.startsWith("..") ? mount.point : path.posix.join(mount.point, relative);
  return fs.existsSync(dir) ? dir : mount.point;
}

/** Looks where a child group could be made: below the own group (v1), beside it (v2, where groups with processes have no children). */
export function findCgroups(files: CgroupFiles = readKernel()): CgroupParent {
  const all = mounts(files.mountinfo);
  const own = (controller: string) =>
    files.self
      .split("\n")
      .map((line) => line.split(":"))
      .find(([, names]) => (names ?? "").split(",").includes(controller))?.[2] ?? "/";
  const v1 = (controller: string): string | null => {
    const mount = all.find((m) => m.type === "cgroup" && m.options.includes(controller));
    if (!mount) return null;
    const dir = place(mount, own(controller));
    return writable(dir) ? dir : null;
  };
  const memory = v1("memory");
  const pids = v1("pids");
  if (memory || pids) return { kind: "v1", memory, pids };
  for (const mount of all.filter((m) => m.type === "cgroup2")) {
    const dir = place(mount, own(""));
    for (const parent of [path.posix.dirname(dir), dir]) {
      if (!parent.startsWith(mount.point) || !writable(parent)) continue;
      const control = path.join(parent, "cgroup.subtree_control");
      const enabled = fs.existsSync(control) ? fs.readFileSync(control, "utf8").split(/\s+/) : [];
      if (
        enabled.includes("memory") &&
        enabled.includes("pids") &&
        writable(path.join(parent, "cgroup.procs")) !== null
      )
        return { kind: "v2", dir: parent };
    }
  }
  return { kind: "none", reason: "no control group for memory and processes is writable" };
}

/** Names of this MISSTEP_HOME's groups begin with it. */
const prefix = (): string => `misstep-${createHash("sha256").update(sandboxDir()).digest("hex").slice(0, 8)}-`;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A group that just lost its last process may be busy for a moment. */
async function removeDir(dir: string): Promise<void> {
  for (let tries = 0; fs.existsSync(dir); tries++) {
    try {
      fs.rmdirSync(dir);
    } catch (error) {
      if (tries >= 200) throw error;
      await sleep(5);
    }
  }
}

function count(file: string, name: string): number | null {
  try {
    const line = fs
      .readFileSync(file, "utf8")
      .split("\n")
      .find((l) => l.startsWith(`${name} `));
    return line ? Number(line.split(" ")[1]) : null;
  } catch {
    return null;
  }
}

/** A group with the limits of one sandbox, or null where none can be made. */
export function makeCgroup(id: string, limits: Limits, parent: CgroupParent = findCgroups()): Cgroup | null {
  if (parent.kind === "none") return null;
  const dirs: string[] = [];
  const make = (below: string): string => {
    const dir = path.join(below, prefix() + id);
    fs.mkdirSync(dir);
    dirs.push(dir);
    return dir;
  };
  const set = (dir: string, file: string, value: number | string) =>
    fs.writeFileSync(path.join(dir, file), String(value));
  const optional = (dir: string, file: string, value: number | string) => {
    if (fs.existsSync(path.join(dir, file))) set(dir, file, value);
  };
  let oom: () => number | null = () => null;
  try {
    if (parent.kind === "v2") {
      const dir = make(parent.dir);
      set(dir, "memory.max", limits.memoryBytes);
      optional(dir, "memory.swap.max", 0);
      set(dir, "pids.max", limits.processes);
      oom = () => count(path.join(dir, "memory.events"), "oom_kill");
    } else {
      if (parent.memory) {
        const dir = make(parent.memory);
        set(dir, "memory.limit_in_bytes", limits.memoryBytes);
        optional(dir, "memory.memsw.limit_in_bytes", limits.memoryBytes);
        oom = () => count(path.join(dir, "memory.oom_control"), "oom_kill");
      }
      if (parent.pids) set(make(parent.pids), "pids.max", limits.processes);
    }
  } catch (error) {
    for (const dir of dirs) fs.rmdirSync(dir);
    throw error;
  }
  return {
    procs: dirs.map((dir) => path.join(dir, "cgroup.procs")),
    limitsMemory: parent.kind === "v2" || parent.memory !== null,
    limitsProcesses: parent.kind === "v2" || parent.pids !== null,
    outOfMemory: oom,
    async remove() {
      for (const dir of dirs) await removeDir(dir);
    },
  };
}

/** Folders of the groups of this MISSTEP_HOME. */
export function ownCgroups(parent: CgroupParent = findCgroups()): { dir: string; id: string }[] {
  if (parent.kind === "none") return [];
  const parents = parent.kind === "v2" ? [parent.dir] : [parent.memory, parent.pids].filter((d) => d !== null);
  return parents.flatMap((below) =>
    fs
      .readdirSync(below)
      .filter((name) => name.startsWith(prefix()))
      .map((name) => ({ dir: path.join(below, name), id: name.slice(prefix().length) })),
  );
}

/** Ends what still runs in groups whose sandbox `isGone` and removes them. */
export async function cleanCgroups(isGone: (id: string) => boolean, parent = findCgroups()): Promise<void> {
  for (const { dir, id } of ownCgroups(parent)) {
    if (!isGone(id)) continue;
    for (const pid of fs.readFileSync(path.join(dir, "cgroup.procs"), "utf8").split("\n").filter(Boolean)) {
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // It ended by itself.
      }
    }
    await removeDir(dir);
  }
}
