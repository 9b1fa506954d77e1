import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { claimJob, enqueue, renewLease } from "@/lib/jobs/queue";
import { seeThrough } from "./runJob";

let db: Db;
let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-run-"));
  process.env.MISSTEP_HOME = home;
  db = openMemoryDb();
});
afterEach(() => {
  db.$client.close();
  fs.rmSync(home, { recursive: true, force: true });
});

test("a job that a killed command left running is taken up again", async () => {
  const id = enqueue(db, { kind: "of no executor", title: "left", params: {}, requestedBy: "test" });
  claimJob(db, "gone", id);
  db.$client.prepare("update job set lease_until = ? where id = ?").run(Date.now() - 1, id);
  const job = await seeThrough(db, id);
  expect(job).toMatchObject({ status: "failed", crashes: 1 });
  expect(renewLease(db, id, "gone")).toBe(false);
});
