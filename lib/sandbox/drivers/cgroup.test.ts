import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "@/lib/sandbox/types";
import { findCgroups, makeCgroup } from "./cgroup";

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "misstep cgroup-"));
  process.env.MISSTEP_HOME = path.join(root, "home");
  fs.mkdirSync(process.env.MISSTEP_HOME);
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const mount = (name: string, type: string, options: string, shown = "/") =>
  `30 20 0:1 ${shown} ${path.join(root, name).replaceAll(" ", "\\040")} rw - ${type} cgroup rw,${options}\n`;

function folder(name: string, enabled?: string): string {
  const dir = path.join(root, name);
  fs.mkdirSync(dir, { recursive: true });
  if (enabled !== undefined) fs.writeFileSync(path.join(dir, "cgroup.subtree_control"), enabled);
  return dir;
}

it("version 1: below the own group, so that the limits of that stay in force", () => {
  const memory = folder("memory/own/job");
  const pids = folder("pids");
  const found = findCgroups({
    mountinfo: mount("memory", "cgroup", "memory") + mount("pids", "cgroup", "pids"),
    self: "4:memory:/own/job\n8:pids:/\n",
  });
  expect(found).toEqual({ kind: "v1", memory, pids });
  const group = makeCgroup("a", DEFAULT_LIMITS, found);
  expect(group?.procs.map((p) => path.dirname(path.dirname(p)))).toEqual([memory, pids]);
  const [first = "", second = ""] = group?.procs.map((p) => path.dirname(p)) ?? [];
  expect(fs.readFileSync(path.join(first, "memory.limit_in_bytes"), "utf8")).toBe(String(1024 ** 3));
  expect(fs.readFileSync(path.join(second, "pids.max"), "utf8")).toBe("256");
});

it("version 2: beside the own group, where memory and processes are handed on", () => {
  const slice = folder("unified/user.slice", "cpu memory pids\n");
  folder("unified/user.slice/session.scope", "");
  const files = { mountinfo: mount("unified", "cgroup2", "x"), self: "0::/user.slice/session.scope\n" };
  const found = findCgroups(files);
  expect(found).toEqual({ kind: "v2", dir: slice });
  const group = makeCgroup("a", DEFAULT_LIMITS, found);
  const dir = path.dirname(group?.procs[0] ?? "");
  expect(fs.readFileSync(path.join(dir, "memory.max"), "utf8")).toBe(String(1024 ** 3));
  expect(fs.readFileSync(path.join(dir, "pids.max"), "utf8")).toBe("256");
  fs.writeFileSync(path.join(dir, "memory.events"), "oom 3\noom_kill 2\n");
  expect(group?.outOfMemory()).toBe(2);
});

it("without a group of these two, limits are left to each process, and the reason is told", () => {
  folder("unified/own", "hugetlb\n");
  const files = { mountinfo: mount("unified", "cgroup2", "x"), self: "0::/own\n" };
  expect(findCgroups(files)).toMatchObject({ kind: "none", reason: expect.stringMatching(/writable/) });
  expect(makeCgroup("a", DEFAULT_LIMITS, findCgroups(files))).toBeNull();
});
