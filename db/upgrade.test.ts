import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openDb, openMemoryDb } from "./client";
import { FailedUpgradeError, KEPT_UPGRADE_BACKUPS, migrateDb } from "./migrate";

const MIGRATIONS = path.join(import.meta.dirname, "migrations");
const JOURNAL = "meta/_journal.json";
interface Journal {
  entries: { tag: string; when: number }[];
}
const journal = JSON.parse(fs.readFileSync(path.join(MIGRATIONS, JOURNAL), "utf8")) as Journal;

let folder: string;
let file: string;
let db: Db | undefined;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "upgrade-"));
  file = path.join(folder, "misstep.db");
});
afterEach(() => {
  db?.$client.close();
  db = undefined;
  fs.rmSync(folder, { recursive: true, force: true });
});

/** The first `n` migrations, and what else is given, as a folder of their own. */
function firstMigrations(n: number, broken?: string): string {
  const target = path.join(folder, `first-${n}${broken ? "-broken" : ""}`);
  fs.mkdirSync(path.join(target, "meta"), { recursive: true });
  const entries = journal.entries.slice(0, n);
  for (const { tag } of entries) fs.copyFileSync(path.join(MIGRATIONS, `${tag}.sql`), path.join(target, `${tag}.sql`));
  if (broken !== undefined) {
    fs.writeFileSync(path.join(target, "9999_broken.sql"), broken);
    const last = { ...entries.at(-1), idx: n, tag: "9999_broken", when: Date.now() } as Journal["entries"][number];
    entries.push(last);
  }
  fs.writeFileSync(path.join(target, JOURNAL), JSON.stringify({ ...journal, entries }));
  return target;
}

/** Rows that every schema had from the first on. */
const ROWS = `
  insert into environment (id, name, dataset) values (7, 'e', 'd');
  insert into checkpoint (id, name) values (3, 'm');
  insert into job (id, kind, title, params, status, requested_by) values (5, 'import', 'Import', '{"path":"x"}', 'done', 'cli');
  insert into trajectory (id, study_id, environment_id, checkpoint_id, format, outcome, steps, entries, error_steps, content_hash, source_key)
    values (1, 1, 7, 3, 'chat', 'passed', 10, 12, 2, 'hash', 'key');
  insert into step (id, kind, number, preview, output_chars, chunk) values (1048576, 'agent', 1, 'ls', 3, 0);
  insert into chunk (id, first, count, data) values (1048576, 0, 1, x'0102');
  insert into localizer (id, kind, name, version) values (90, 'rule', 'r', '1');
  insert into localization (id, step_id, localizer_id, verdict, reason) values (1, 1048576, 90, 'bad', 'because');
  insert into error_step (step_id, trajectory_id, environment_id, checkpoint_id) values (1048576, 1, 7, 3);
  insert into trajectory_type values (0, 1, 2);
  insert into person (id, name, role) values (1, 'ada', 'admin');
  insert into usage (id, model, role) values (1, 'm', 'localizer');
`;
const CHECKS = [
  "select name, dataset from environment where id = 7",
  "select params, status from job where id = 5",
  "select steps, entries, error_steps, content_hash from trajectory",
  "select preview, hex(data) from step join chunk on chunk.id = step.id",
  "select reason, verdict from localization",
  "select active from error_step",
  "select name, role from person",
  "select model from usage",
  "select steps, error_steps from corpus_count where trajectories > 0",
  "select error_steps from type_count where trajectories > 0",
];
const answers = (of: Db) => CHECKS.map((sql) => of.$client.prepare(sql).raw().all());

/** Every table with its columns, in an order that migrations do not decide. */
function shape(of: Db): string[] {
  const tables = of.$client
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'")
    .pluck()
    .all() as string[];
  const named = tables.flatMap((table) =>
    (of.$client.pragma(`table_info(${table})`) as { name: string; type: string; notnull: number }[]).map(
      (c) => `${table}.${c.name} ${c.type} ${c.notnull}`,
    ),
  );
  const others = of.$client
    .prepare("select type || ' ' || name from sqlite_master where type in ('index', 'trigger')")
    .pluck()
    .all() as string[];
  return [...named, ...others].sort();
}

function earlier(n: number): Db {
  const old = openDb(file);
  migrate(old, { migrationsFolder: firstMigrations(n) });
  old.$client.exec(ROWS);
  return old;
}

// After the first two, before and after profiles, taxonomies, trainings, reviews, and the last but one.
test.each([2, 3, 5, 7, 8, 11, 13, 14, journal.entries.length - 1])(
  "an index of the first %i migrations comes to the present schema with its rows, and a copy from before",
  (n) => {
    db = earlier(n);
    const before = answers(db);
    const columns = shape(db);
    const done = migrateDb(db, MIGRATIONS);
    expect(answers(db)).toEqual(before);
    expect(before.every((rows) => rows.length === 1)).toBe(true);
    const fresh = openMemoryDb();
    expect(shape(db)).toEqual(shape(fresh));
    fresh.$client.close();
    expect(db.$client.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(db.$client.pragma("foreign_key_check")).toEqual([]);
    const copy = openDb(done?.backup ?? "", { readonly: true });
    expect(answers(copy)).toEqual(before);
    expect(shape(copy)).toEqual(columns);
    copy.$client.close();
    expect(migrateDb(db, MIGRATIONS)).toBeNull();
  },
);

test("environments that no row is about go with the upgrade; those that a score, a rollout or a suite is about stay", () => {
  db = earlier(19);
  db.$client.exec(`
    insert into environment (id, name, kind, dataset) values (8, 'bare', 'imported', ''), (9, 'scored', 'imported', ''), (10, 'own', 'tiny', 'tiny'), (11, 'held', 'imported', '');
    insert into evaluation (id, study_id, kind, name, protocol) values (1, 1, 'score', 's', '{}');
    insert into score (evaluation_id, checkpoint_id, environment_id, run, metric, value) values (1, 3, 9, 0, 'reward', 1);
    insert into prefix (study_id, step_id, environment_id) values (1, 1048576, 11);`);
  migrateDb(db, MIGRATIONS);
  expect(db.$client.prepare("select id from environment order by id").pluck().all()).toEqual([7, 9, 10, 11]);
});

test("a new index needs no copy", () => {
  db = openDb(file);
  expect(migrateDb(db, MIGRATIONS)).toEqual({ backup: null, removed: [] });
  expect(fs.existsSync(path.join(folder, "backups"))).toBe(false);
});

test("an upgrade that fails changes nothing and says where the copy is", () => {
  db = earlier(8);
  const [before, columns] = [answers(db), shape(db)];
  const broken = firstMigrations(
    11,
    "create table half (id integer);--> statement-breakpoint\ninsert into nowhere values (1);",
  );
  const failed = (() => {
    try {
      return migrateDb(db, broken);
    } catch (error) {
      return error;
    }
  })();
  expect(failed).toBeInstanceOf(FailedUpgradeError);
  const [backup] = fs.readdirSync(path.join(folder, "backups"));
  expect((failed as Error).message).toContain(path.join(folder, "backups", backup ?? "nothing"));
  expect(shape(db)).toEqual(columns);
  expect(answers(db)).toEqual(before);
  // The present migrations still find their way from there.
  migrateDb(db, MIGRATIONS);
  expect(answers(db)).toEqual(before);
});

test("the newest copies are kept, others go, and it is said which", () => {
  const backups = path.join(folder, "backups");
  fs.mkdirSync(backups);
  const old = [1, 2, 3, 4].map((n) => path.join(backups, `before-upgrade-200${n}-01-01T00-00-00-000Z.db`));
  for (const one of old) fs.writeFileSync(one, "");
  fs.writeFileSync(path.join(backups, "misstep-mine.db"), "");
  db = earlier(8);
  const done = migrateDb(db, MIGRATIONS);
  expect(done?.removed).toEqual(old.slice(0, 2));
  expect(fs.readdirSync(backups).filter((name) => name.startsWith("before-upgrade"))).toHaveLength(
    KEPT_UPGRADE_BACKUPS,
  );
  expect(fs.existsSync(path.join(backups, "misstep-mine.db"))).toBe(true);
});
