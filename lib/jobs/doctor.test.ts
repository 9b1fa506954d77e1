import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openDb, openMemoryDb } from "@/db/client";
import { migrateDb } from "@/db/migrate";
import { doctor } from "./doctor";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
});
afterEach(() => db.$client.close());

const counters = () => doctor(db).find((c) => c.name === "Counters");

test("counters that sum up right but stand in the wrong row are found", () => {
  db.$client.exec(`
    insert into checkpoint (id, name) values (1, 'a'), (2, 'b');
    insert into trajectory (study_id, checkpoint_id, format, outcome, steps, entries, error_steps, content_hash, source_key)
    values (1, 1, 'chat', 'passed', 3, 3, 1, 'h', 'k');
    insert into error_step (step_id, trajectory_id, checkpoint_id) values (1048576, 1, 1);
    insert into trajectory_type values (0, 1, 1);`);
  expect(counters()?.level).toBe("ok");
  db.$client.exec("update type_count set checkpoint_id = 2");
  expect(counters()).toMatchObject({ level: "fail", detail: expect.stringContaining("misbehavior") });
  db.$client.exec("update type_count set checkpoint_id = 1; update corpus_count set checkpoint_id = 2");
  expect(counters()).toMatchObject({ level: "fail", detail: expect.stringContaining("trajectories") });
});

test("an index that others wrote to since this process searched it is not called corrupt", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-doctor-"));
  const [here, other] = [openDb(path.join(folder, "misstep.db")), openDb(path.join(folder, "misstep.db"))];
  try {
    migrateDb(here, path.resolve(import.meta.dirname, "../../db/migrations"));
    const index = () => doctor(here).find((c) => c.name === "Index");
    const write = other.$client.prepare("insert into reason_fts (rowid, reason) values (?, ?)");
    const fill = (from: number) =>
      other.$client.transaction(() => {
        for (let i = from; i < from + 300; i++) write.run(i, `reason ${i} and ${(i * 7919) % 1000}`);
      })();
    // Again and again: now and then parts of the text index are merged into others, which then are no more.
    for (let from = 1; from < 60 * 300; from += 300) {
      fill(from);
      expect(index()).toMatchObject({ level: "ok" });
    }
  } finally {
    here.$client.close();
    other.$client.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
