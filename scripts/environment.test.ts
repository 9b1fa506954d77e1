import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
let dir: string;

beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-environment-"));
  const put = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    fs.writeFileSync(path.join(dir, name), text);
  };
  put("tasks/foreign/task.toml", 'version = "1.0"\n');
  put("tasks/foreign/instruction.md", "Do it.\n");
  put("tasks/foreign/environment/Dockerfile", "FROM ubuntu:24.04\n");
  put("tasks/bad/task.toml", "= 1");
  put("empty/readme.md", "");
  put("commands.txt", "pwd\nfalse\n");
  put("broken.jsonl", "{\n");
});
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

function misstep(...args: string[]) {
  const done = spawnSync(process.execPath, [path.join(root, "dist/cli.mjs"), ...args], {
    cwd: root,
    env: { ...process.env, MISSTEP_ROOT: root, MISSTEP_HOME: path.join(dir, "home"), INIT_CWD: dir },
    encoding: "utf8",
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

test("an unusable call ends with 2 and says what to do", { timeout: 120_000 }, () => {
  for (const args of [
    ["environment", "show", "nothing-such"],
    ["environment", "import", "no-such-folder"],
    ["environment", "import", "empty"],
    ["environment", "check", "nothing-such"],
    ["environment", "check", "--driver", "vmware"],
    ["environment", "prepare", "water-plan", "--base", "ubuntu:24.04"],
    ["environment", "prepare", "water-plan", "--base", "ubuntu:24.04=base"],
    ["record", "water-plan"],
    ["record", "water-plan", "--commands", "no-such-file"],
    ["record", "water-plan", "--commands", "broken.jsonl"],
    ["record", "nothing-such", "--commands", "commands.txt"],
  ]) {
    const result = misstep(...args);
    expect(result.code, args.join(" ")).toBe(2);
    expect(result.err.trim(), args.join(" ")).not.toBe("");
  }
});

test("import lists what was refused, a replaced base is remembered, and a recording tells its trajectory", {
  timeout: 120_000,
}, () => {
  const first = misstep("environment", "import", "tasks", "--json");
  expect(first.code).toBe(1);
  expect(JSON.parse(first.out)).toMatchObject({
    added: 1,
    present: 0,
    refusals: [{ key: "bad/task.toml", position: "line 1, column 1" }],
  });
  expect(JSON.parse(misstep("environment", "import", "tasks/foreign", "--json").out)).toMatchObject({
    added: 0,
    present: 1,
  });
  expect(JSON.parse(misstep("environment", "list", "--json").out)).toMatchObject({ total: 7 });
  const able = JSON.parse(misstep("sandbox", "drivers", "--json").out).some(
    (d: { driver: string; usable: boolean }) => d.driver === "bubblewrap" && d.usable,
  );
  if (!able) return console.log("skipped: recording in a real sandbox (bubblewrap cannot be used here)");
  const refused = misstep("record", "foreign", "--commands", "commands.txt");
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/nothing was stored[\s\S]*--base ubuntu:24\.04=base/);
  const prepared = misstep("environment", "prepare", "foreign", "--base", "ubuntu:24.04=base", "--json");
  expect(prepared.code).toBe(0);
  expect(JSON.parse(prepared.out).notes.join()).toMatch(/ubuntu:24\.04 is replaced/);
  const recorded = misstep("record", "foreign", "--commands", "commands.txt", "--json");
  expect(recorded.code).toBe(0);
  expect(JSON.parse(recorded.out)).toMatchObject({
    trajectory: 1,
    tests: null,
    steps: [
      { command: "pwd", exitCode: 0 },
      { command: "false", exitCode: 1 },
    ],
  });
  expect(JSON.parse(misstep("search", "command:pwd", "--json").out)).toMatchObject({ total: 1 });
});
