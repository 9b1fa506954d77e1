import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Db, openDb } from "@/db/client";

const root = path.resolve(import.meta.dirname, "..");
let dir: string;
let home: string;
let db: Db;

const said = (text: string) => [
  { role: "user", content: text },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "a", type: "function", function: { name: "bash", arguments: '{"command":"wc notes.txt"}' } }],
  },
  { role: "tool", tool_call_id: "a", content: "3 notes.txt\n\n(exit_code=0)" },
];

function misstep(...args: string[]) {
  const done = spawnSync(process.execPath, [path.join(root, "dist/cli.mjs"), ...args], {
    cwd: root,
    env: { ...process.env, MISSTEP_ROOT: root, MISSTEP_HOME: home, INIT_CWD: dir },
    encoding: "utf8",
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}
const json = (...args: string[]) => JSON.parse(misstep(...args, "--json").out);
const count = (table: string) => db.$client.prepare(`select count(*) from ${table}`).pluck().get();

beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-calls-"));
  home = path.join(dir, "home");
  fs.mkdirSync(path.join(dir, "runs"));
  for (const n of [1, 2, 3]) fs.writeFileSync(path.join(dir, `runs/${n}.json`), JSON.stringify(said(`try ${n}`)));
  fs.writeFileSync(path.join(dir, "deep.json"), `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`);
  expect(misstep("import", "runs").code).toBe(0);
  db = openDb(path.join(home, "misstep.db"));
  db.$client.pragma("foreign_keys = off");
  // Trajectory 2 goes on from a prefix of the first, 3 is a rollout of a training.
  db.$client.exec(`update trajectory set parent_id = 1 where id = 2;
    insert into training_run (id, study_id, name, recipe, settings, launcher, seed) values (5, 1, 't', 'mirl', '{}', 'embedded', 1);
    insert into rollout_group (id, training_run_id, step, number) values (1, 5, 1, 1);
    insert into rollout (group_id, number, trajectory_id) values (1, 1, 3);`);
});
afterAll(() => {
  db.$client.close();
  fs.rmSync(dir, { recursive: true, force: true });
});

test("an unusable call of any depth ends with 2, says what to do, and has queued and made nothing", () => {
  const before = [count("job"), count("profile"), count("evaluation"), count("taxonomy")];
  for (const [args, says] of [
    [["measure", "labels", "export", "1"], /--sample/],
    [["train", "judge"], /--judge|id/],
    [["people", "token", "nonsense"], /unknown command/],
    [["profile", "--environments", "1", "--localizer", "nobody"], /there is no localizer "nobody".*rules/],
    [["profile", "--environments", "1", "--alongside", "nobody"], /there is no localizer "nobody"/],
    [["profile", "--environments", "1", "--teacher", "nobody"], /there is no teacher "nobody".*expert/],
    [["profile", "--environments", "1", "--localizer", ""], /^misstep: localizer\.use: /],
    [["review", "create", "", "--question", "wrong", "-n", "5"], /give it a name/],
    [["taxonomy", "build", "mine", "--profile", "99"], /no error step to look at in what --profile/],
    [["train", "--settings", ""], /the path is empty/],
    [["train", "--learning-rate", ""], /a number/],
    [["train", "--settings", "deep.json"], /deep\.json.*nested/],
    [["environment", "list", "--after", "nonsense"], /no cursor/],
    [["prefix", "list", "--misbehavior", "nonsense"], /is no misbehavior/],
    [["pretrain", "--name", "tiny-base"], /already.*--name/],
    [["list", "--training", "99"], /there is no training 99/],
    [["list", "--unaided", "--aided"], /cannot be used with/],
    [["taxonomy", "import", "runs"], /cannot be read: EISDIR/],
    [["suite", "--out", "deep.json"], /a file is in its place/],
    [["export", "1", "--format", "chat", "--out", "runs/1.json/x"], /a file is in its place/],
    [["study", "pack", "--home", "nowhere", "--out", "pack.br"], /nowhere holds no index/],
    [["study", "pack", "--out", "pack.br"], /holds no study/],
  ] as [string[], RegExp][]) {
    const { code, err } = misstep(...args);
    expect(err, args.join(" ")).toMatch(says);
    expect(code, args.join(" ")).toBe(2);
  }
  expect([count("job"), count("profile"), count("evaluation"), count("taxonomy")]).toEqual(before);
  expect(fs.existsSync(path.join(dir, "nowhere"))).toBe(false);
}, 120_000);

test("a rerun by a driver that does not work here is refused before it makes a kept prefix void", () => {
  const drivers = json("sandbox", "drivers") as { driver: string; usable: boolean }[];
  const unusable = drivers.find((d) => !d.usable);
  if (!unusable) return;
  const { code, err } = misstep("rerun", "--trajectory", "1", "--step", "1", "--driver", unusable.driver);
  expect(err).toMatch(new RegExp(`driver ${unusable.driver} cannot be used: .*misstep sandbox drivers`));
  expect([code, count("prefix"), count("rerun")]).toEqual([2, 0, 0]);
});

test("an archive of a study is not replaced by one of an index without a whole study", () => {
  const archive = path.join(dir, "pack.br");
  fs.writeFileSync(archive, "a study");
  expect(misstep("study", "pack", "--out", "pack.br").code).toBe(2);
  expect(fs.readFileSync(archive, "utf8")).toBe("a study");
});

test("list takes the makers and the aid of rollouts, in the words of the pages", () => {
  const ids = (...args: string[]) => json("list", ...args).trajectories.map((t: { id: number }) => t.id);
  expect(ids()).toEqual([3, 2, 1]);
  expect(ids("--unaided")).toEqual([3, 1]);
  expect(ids("--aided")).toEqual([2]);
  expect(ids("--training", "5")).toEqual([3]);
});

test("search leaves out what trainings and measurements made until asked for, and says how much that is", () => {
  const ids = (...args: string[]) =>
    json("search", "notes", ...args).hits.map((h: { trajectory: number }) => h.trajectory);
  expect(ids()).toEqual([2, 1]);
  expect(ids("--made")).toEqual([3, 2, 1]);
  expect(json("search", "notes").leftOut).toEqual({ total: 1, moreThanTotal: false });
  expect(misstep("search", "notes").out).toContain("in which 1 more; with them: --made");
  expect(misstep("search", "notes", "--made").out).not.toContain("--made");
});
