import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
let dir: string;
let home: string;

const run = [
  { role: "user", content: "Count the lines of notes.txt" },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "a", type: "function", function: { name: "bash", arguments: '{"command":"wc -l notes.txt"}' } }],
  },
  { role: "tool", tool_call_id: "a", content: "3 \u001b[31mnotes\u001b[0m.txt\u0000\n\n(exit_code=0)" },
  { role: "assistant", content: "There are 3 lines. \ud800" },
];

beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-cli-"));
  home = path.join(dir, "home");
  fs.mkdirSync(path.join(dir, "runs"));
  fs.writeFileSync(path.join(dir, "runs/good.json"), JSON.stringify(run));
  fs.writeFileSync(path.join(dir, "runs/cut.json"), JSON.stringify(run).slice(0, 100));
});
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

function misstep(...args: string[]) {
  const done = spawnSync(process.execPath, [path.join(root, "scripts/misstep.mjs"), ...args], {
    cwd: root,
    env: { ...process.env, MISSTEP_HOME: home, INIT_CWD: dir },
    encoding: "utf8",
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}
const json = (result: { out: string }) => JSON.parse(result.out);

test("an unusable call ends with 2 and says what to do", () => {
  for (const args of [
    ["import"],
    ["import", "no-such-folder"],
    ["show", "abc"],
    ["show", "99"],
    ["export", "--format", "atif", "--out", "x"],
    ["nonsense"],
  ]) {
    const result = misstep(...args);
    expect(result.code, args.join(" ")).toBe(2);
    expect(result.err.trim(), args.join(" ")).not.toBe("");
  }
});

test("import: the readable comes in, the refused is named with its position and makes the exit code 1", () => {
  const first = misstep("import", "runs", "--json");
  expect(first.code).toBe(1);
  expect(json(first)).toMatchObject({
    imported: 1,
    present: 0,
    refused: 1,
    steps: 2,
    formats: { chat: { imported: 1 } },
  });
  expect(json(first).refusals[0]).toMatchObject({ key: "cut.json", position: expect.stringMatching(/1:\d+/) });
  expect(json(misstep("import", "runs", "--json"))).toMatchObject({ imported: 0, present: 1 });
});

test("list, show, search and stats tell of it; control characters do not reach the terminal", () => {
  expect(json(misstep("list", "--json"))).toMatchObject({
    total: 1,
    trajectories: [{ steps: 2, outcome: "unknown", tokens: null }],
  });
  const shown = misstep("show", "1");
  expect(shown.out).toContain("$ wc -l notes.txt");
  expect(shown.out).not.toMatch(/[\u0000\u001b]/);
  expect(json(misstep("show", "1", "--step", "1", "--json")).steps[0].observations[0].content).toBe(run[2]?.content);
  expect(json(misstep("search", "output:notes", "--json"))).toMatchObject({
    total: 1,
    notIndexedYet: 0,
    hits: [{ trajectory: 1, step: 1 }],
  });
  expect(json(misstep("stats", "--json"))).toMatchObject({
    corpus: { trajectories: 1, steps: 2, outcomes: { unknown: 1, failed: 0 } },
  });
});

test("what is exported comes back as the same steps", () => {
  for (const [format, out] of [
    ["atif", "atif-out"],
    ["chat", "chat-out/all.jsonl"],
  ] as const) {
    expect(misstep("export", "--all", "--format", format, "--out", out).code).toBe(0);
    const other = path.join(dir, `home-${format}`);
    const env = { ...process.env, MISSTEP_HOME: other, INIT_CWD: dir };
    const cli = (...args: string[]) =>
      spawnSync(process.execPath, [path.join(root, "scripts/misstep.mjs"), ...args], {
        cwd: root,
        env,
        encoding: "utf8",
      }).stdout;
    cli("import", out.split("/")[0] ?? out);
    const texts = (t: { steps: { message: string; call: unknown; observations: { content: string }[] }[] }) =>
      t.steps.map((s) => [s.message, s.call, s.observations.map((o) => o.content)]);
    expect(texts(JSON.parse(cli("show", "1", "--json"))), format).toEqual(texts(json(misstep("show", "1", "--json"))));
  }
});

test("a restored backup is the index it was made of, and what was there is kept", () => {
  expect(misstep("backup", "kept.db").code).toBe(0);
  fs.writeFileSync(path.join(dir, "runs/second.json"), JSON.stringify([...run, { role: "user", content: "and now?" }]));
  misstep("import", "runs");
  expect(json(misstep("list", "--json")).total).toBe(2);
  expect(misstep("restore", "runs/good.json").code).toBe(1);
  expect(json(misstep("list", "--json")).total).toBe(2);
  const restored = misstep("restore", "kept.db", "--json");
  expect(restored.code).toBe(0);
  expect(fs.existsSync(json(restored).kept)).toBe(true);
  expect(json(misstep("list", "--json")).total).toBe(1);
});

test("doctor finds the index healthy; a database of a newer version is refused with words", () => {
  expect(misstep("doctor").code).toBe(0);
  const future = path.join(dir, "future");
  fs.cpSync(home, future, { recursive: true });
  const script = `const D = require("better-sqlite3"); const d = new D(${JSON.stringify(path.join(future, "misstep.db"))}); d.prepare("insert into __drizzle_migrations (hash, created_at) values ('x', 9e15)").run(); d.close();`;
  spawnSync(process.execPath, ["-e", script], { cwd: root });
  const refused = spawnSync(process.execPath, [path.join(root, "scripts/misstep.mjs"), "list"], {
    cwd: root,
    env: { ...process.env, MISSTEP_HOME: future },
    encoding: "utf8",
  });
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain("newer version of Misstep");
});
