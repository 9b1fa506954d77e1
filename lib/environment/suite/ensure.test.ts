import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { ensureTinyEnvironments } from "./ensure";
import { environmentAt, parseSuiteName, suiteName } from "./splits";

let home: string;
let db: Db;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-ensure-"));
  process.env.MISSTEP_HOME = home;
  db = openMemoryDb();
});
afterEach(() => {
  db.$client.close();
  fs.rmSync(home, { recursive: true, force: true });
});

test("missing environments of the suite are made once, with family, seed and the part they belong to", () => {
  const names = [0, 1].map((n) => {
    const { family, seed } = environmentAt("heldout", n);
    return suiteName(family, seed);
  });
  const ids = ensureTinyEnvironments(db, ["tiny-process-3", ...names]);
  expect(
    db.$client.prepare("select name, dataset, kind, family, seed, split from environment order by id").raw().all(),
  ).toEqual([
    ["tiny-process-3", "tiny", "tiny", "process", 3, "training"],
    [names[0], "tiny", "tiny", "count", 900_000, "heldout"],
    [names[1], "tiny", "tiny", "extract", 900_000, "heldout"],
  ]);
  expect(ensureTinyEnvironments(db, ["tiny-process-3", ...names])).toEqual(ids);
  expect(db.$client.prepare("select count(*) from environment").pluck().get()).toBe(3);
});

test("names of the suite are read back; others are refused", () => {
  expect(parseSuiteName(suiteName("sums", 17))).toEqual({ family: "sums", seed: 17 });
  for (const name of ["tiny-nothing-1", "mend-harvest", "tiny-sums-", "tiny-sums-1x"])
    expect(parseSuiteName(name)).toBeNull();
  expect(() => ensureTinyEnvironments(db, ["mend-harvest"])).toThrow(/tiny-FAMILY-SEED/);
});
