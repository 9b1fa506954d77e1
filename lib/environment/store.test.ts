import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { put, scratch } from "@/lib/trajectory/testing";
import { filesFolder } from "./home";
import { ensureOwnEnvironments } from "./ownEnvironments";
import { readEnvironment } from "./read";
import { environmentById, findEnvironment, storeEnvironment, substitute } from "./store";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
  vi.stubEnv("MISSTEP_HOME", scratch());
});
afterEach(() => vi.unstubAllEnvs());

function task(): string {
  const root = scratch();
  put(root, "tidy/task.toml", 'version = "1.0"\n');
  put(root, "tidy/instruction.md", "Tidy.");
  put(root, "tidy/environment/Dockerfile", "FROM ubuntu:24.04\n");
  return path.join(root, "tidy");
}
const rows = () => db.$client.prepare("select count(*) from environment").pluck().get();

test("importing twice adds nothing; changed files change the row and keep what a person replaced", () => {
  const directory = task();
  const first = storeEnvironment(db, { directory, spec: readEnvironment(directory) });
  expect(first.status).toBe("added");
  substitute(db, first.id, "ubuntu:24.04", "base");
  expect(storeEnvironment(db, { directory, spec: readEnvironment(directory) })).toEqual({
    ...first,
    status: "present",
  });
  put(directory, "instruction.md", "Tidy everything.");
  expect(storeEnvironment(db, { directory, spec: readEnvironment(directory) })).toEqual({
    ...first,
    status: "changed",
  });
  expect(rows()).toBe(1);
  expect(environmentById(db, first.id)?.spec).toMatchObject({
    instruction: "Tidy everything.",
    substitutions: { "ubuntu:24.04": "base" },
  });
  substitute(db, first.id, "ubuntu:24.04", null);
  expect(environmentById(db, first.id)?.spec?.substitutions).toEqual({});
});

test("an environment that trajectories name gets its files in the same row, unless two data sets share the name", () => {
  const directory = task();
  db.$client.prepare("insert into environment (name, dataset) values ('tidy', 'bench')").run();
  expect(storeEnvironment(db, { directory, spec: readEnvironment(directory) })).toMatchObject({
    id: 1,
    status: "attached",
  });
  const other = openMemoryDb();
  other.$client.exec("insert into environment (name, dataset) values ('tidy', 'one'), ('tidy', 'two')");
  expect(storeEnvironment(other, { directory, spec: readEnvironment(directory) })).toMatchObject({
    id: 3,
    status: "added",
  });
  expect(storeEnvironment(other, { directory, spec: readEnvironment(directory) }, { dataset: "two" })).toMatchObject({
    id: 2,
    status: "attached",
  });
  expect(() => findEnvironment(other, "tidy")).toThrow(/several environments.*Give the id/);
});

test("what runs use is a copy with fixed modes and times: the imported folder may change or go", () => {
  const directory = task();
  fs.chmodSync(path.join(directory, "instruction.md"), 0o600);
  const { digest } = readEnvironment(directory);
  storeEnvironment(db, { directory, spec: readEnvironment(directory) });
  fs.rmSync(directory, { recursive: true });
  const stat = fs.statSync(path.join(filesFolder(digest), "instruction.md"));
  expect(stat.mode & 0o777).toBe(0o644);
  expect(stat.mtime.toISOString()).toBe("2024-01-01T00:00:00.000Z");
  expect(readEnvironment(filesFolder(digest)).digest).toBe(digest);
});

test("our own environments are there after a start, once, with their families", () => {
  expect(ensureOwnEnvironments(db).map((e) => e.status)).toEqual(Array(6).fill("added"));
  expect(ensureOwnEnvironments(db).map((e) => e.status)).toEqual(Array(6).fill("present"));
  const families = db.$client.prepare("select family from environment order by family").pluck().all();
  expect(families).toEqual(["broken-script", "checksums", "config", "count", "duplicates", "rename"]);
});
