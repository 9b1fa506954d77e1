import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDb } from "@/db/client";

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
  const done = spawnSync(process.execPath, [path.join(root, "dist/cli.mjs"), ...args], {
    cwd: root,
    env: { ...process.env, MISSTEP_ROOT: root, MISSTEP_HOME: home, INIT_CWD: dir },
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
    ["import", ""],
    ["list", "--misbehavior", "no-such-thing"],
    ["show", "99999999999999999999"],
    ["export", "1", "--format", "atif", "--out", ""],
    ["export", "1", "--format", "chat", "--out", "runs"],
    ["rerun"],
    ["rerun", "99"],
    ["rerun", "--draw", "5"],
    ["prefix", "sample", "--per", "3", "--seed", "1", "--misbehavior", "no-such-thing"],
  ]) {
    const result = misstep(...args);
    expect(result.code, args.join(" ")).toBe(2);
    expect(result.err.trim(), args.join(" ")).not.toBe("");
  }
}, 120_000);

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

test("a prefix that cannot be rerun is void with its reason, and the exit code is 1", () => {
  const { trajectories } = json(misstep("list", "--json"));
  const id = String(trajectories[0].id);
  const result = misstep("rerun", "--trajectory", id, "--step", "1", "--json");
  expect(result.code).toBe(1);
  expect(json(result)).toMatchObject({
    kept: 0,
    of: 1,
    prefixes: [{ status: "void", voidReason: expect.stringMatching(/^environment not available: /) }],
  });
  expect(misstep("prefix", "list").out).toMatch(/void .*trajectory \d+ step 1 .*environment not available/);
});

test("what is exported comes back as the same steps", () => {
  for (const [format, out] of [
    ["atif", "atif-out"],
    ["chat", "chat-out/all.jsonl"],
  ] as const) {
    expect(misstep("export", "--all", "--format", format, "--out", out).code).toBe(0);
    const other = path.join(dir, `home-${format}`);
    const env = { ...process.env, MISSTEP_ROOT: root, MISSTEP_HOME: other, INIT_CWD: dir };
    const cli = (...args: string[]) =>
      spawnSync(process.execPath, [path.join(root, "dist/cli.mjs"), ...args], {
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
  const refused = spawnSync(process.execPath, [path.join(root, "dist/cli.mjs"), "list"], {
    cwd: root,
    env: { ...process.env, MISSTEP_ROOT: root, MISSTEP_HOME: future },
    encoding: "utf8",
  });
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain("newer version of Misstep");
});

/** Runs the command line in a shell, so that pipes are real. */
const shell = (command: string, ofHome = home) =>
  spawnSync("bash", ["-c", command], {
    cwd: root,
    env: {
      ...process.env,
      MISSTEP_ROOT: root,
      MISSTEP_HOME: ofHome,
      INIT_CWD: dir,
      M: path.join(root, "dist/cli.mjs"),
    },
    encoding: "utf8",
  });

test("a reader that has seen enough ends nothing with a stack trace", () => {
  const piped = shell('(sleep 1; node "$M" show 1 --json; echo "code $?" >&2) | true');
  expect(piped.stderr).toBe("code 0\n");
});

test("an export that cannot be made leaves nothing behind", () => {
  const before = fs.readdirSync(dir);
  expect(misstep("export", "1", "99", "--format", "chat", "--out", "half.jsonl").code).toBe(2);
  expect(fs.readdirSync(dir)).toEqual(before);
});

test("a home where nothing can be kept is refused with words, at once", () => {
  const file = path.join(dir, "runs/good.json");
  for (const place of [file, path.join(file, "below"), "/proc/nowhere"]) {
    const refused = spawnSync(process.execPath, [path.join(root, "dist/cli.mjs"), "list"], {
      cwd: root,
      env: { ...process.env, MISSTEP_ROOT: root, MISSTEP_HOME: place },
      encoding: "utf8",
      timeout: 20_000,
    });
    expect(refused.status, place).toBe(1);
    expect(refused.stderr).toContain("Set MISSTEP_HOME");
  }
});

test("what is damaged says so, and a restore brings it back; what was there is kept", () => {
  const hurt = path.join(dir, "hurt");
  const backup = path.join(dir, "for-hurt.db");
  expect(misstep("backup", backup).code).toBe(0);
  fs.mkdirSync(hurt);
  fs.writeFileSync(path.join(hurt, "misstep.db"), "this was a database once");
  fs.writeFileSync(path.join(hurt, "misstep.db-wal"), "and this its log");
  const listed = shell('node "$M" list', hurt);
  expect(listed.status).toBe(1);
  expect(listed.stderr).toContain("misstep restore");
  const restored = shell(`node "$M" restore ${backup} --json`, hurt);
  expect(restored.stderr).toBe("");
  expect(fs.readFileSync(JSON.parse(restored.stdout).kept, "utf8")).toBe("this was a database once");
  expect(shell('node "$M" doctor', hurt).status).toBe(0);
});

test("a backup of a newer version is not restored", () => {
  const newer = path.join(dir, "newer.db");
  expect(misstep("backup", newer).code).toBe(0);
  const db = openDb(newer);
  db.$client.prepare("insert into __drizzle_migrations (hash, created_at) values ('x', 9e15)").run();
  db.$client.pragma("journal_mode = DELETE");
  db.$client.close();
  const refused = misstep("restore", newer);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("newer version");
  expect(misstep("doctor").code).toBe(0);
});

test("reading does not wait for a writer", () => {
  const db = openDb(path.join(home, "misstep.db"));
  db.$client.exec("begin immediate");
  try {
    const started = Date.now();
    expect(misstep("list", "--json").code).toBe(0);
    expect(Date.now() - started).toBeLessThan(8000);
  } finally {
    db.$client.exec("rollback");
    db.$client.close();
  }
});
