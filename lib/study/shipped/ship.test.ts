import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closeDb, type Db, getDb } from "@/db/client";
import { plain } from "@/db/codec";
import { home, projectRoot } from "@/db/home";
import { migrateDb } from "@/db/migrate";
import { filesFolder } from "@/lib/environment/home";
import { ensureTinyEnvironments } from "@/lib/environment/suite/ensure";
import { restoreSuiteFiles } from "@/lib/environment/suite/restore";
import { ownFolder, readCard, registerCheckpoint } from "@/lib/model/policy/checkpoint";
import { emptyStep, emptyTrajectory } from "@/lib/trajectory/build";
import { loadSteps } from "@/lib/trajectory/load";
import { prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import { NotPackable, textColumns } from "./clean";
import { isUnused, loadShipped } from "./load";
import { readManifest } from "./manifest";
import { packStudy } from "./pack";
import { BrokenArchive } from "./unpack";

const ENVIRONMENT = "tiny-count-0";
let folder: string;
let archive: string;

/** The index of a home of this test, migrated. */
function open(name: string): Db {
  closeDb();
  process.env.MISSTEP_HOME = path.join(folder, name);
  const db = getDb();
  migrateDb(db, path.join(projectRoot(), "db/migrations"));
  return db;
}

/** A home nobody has opened yet. */
function fresh(name: string): void {
  closeDb();
  process.env.MISSTEP_HOME = path.join(folder, name);
}

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "ship-"));
  archive = path.join(folder, "study.tar.br");
});
afterEach(() => {
  closeDb();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** A checkpoint that differs from the base in a few numbers. */
function makeCheckpoint(db: Db, name: string): Buffer {
  const base = path.join(projectRoot(), "lib/model/base/tiny-base");
  const weights = fs.readFileSync(path.join(base, "model.safetensors"));
  for (let at = weights.length - 400; at < weights.length; at += 4)
    weights.writeFloatLE(weights.readFloatLE(at) + 1e-3, at);
  fs.mkdirSync(ownFolder(name), { recursive: true });
  fs.writeFileSync(path.join(ownFolder(name), "model.safetensors"), weights);
  fs.copyFileSync(path.join(base, "vocabulary.json"), path.join(ownFolder(name), "vocabulary.json"));
  const card = readCard(base);
  const own = { ...card, name, data: { baseWeights: card.weights } };
  own.weights = createHash("sha256").update(weights).digest("hex");
  fs.writeFileSync(path.join(ownFolder(name), "card.json"), JSON.stringify(own));
  registerCheckpoint(db, own);
  return weights;
}

/** A home as a study leaves it: environment, rollout, rerun, jobs that name this machine, checkpoint, learned judge. */
function makeStudy() {
  const db = open("study");
  const environment = ensureTinyEnvironments(db, [ENVIRONMENT]).get(ENVIRONMENT);
  const trajectory = emptyTrajectory("misstep");
  const step = emptyStep("agent", 1);
  step.thinking = "Look first \u0000 \ud800.";
  step.call = { id: null, name: "bash", arguments: { command: "cat /tmp/notes" }, command: "cat /tmp/notes" };
  trajectory.steps.push(step);
  const s = db.$client;
  const job = s
    .prepare(
      "insert into job (kind, title, params, status, requested_by, lease_owner, lease_until, error) values ('profile', 'Profile', ?, 'failed', 'cli', 'local:1', 1, ?)",
    )
    .run(JSON.stringify({ path: home().root }), `cannot read ${home().root}/x`);
  s.prepare("insert into rerun (step_id, repeat, driver, verdict, host, job_id) values (1, 1, 'x', 'exact', ?, ?)").run(
    os.hostname(),
    job.lastInsertRowid,
  );
  const stored = storeTrajectory(db, prepareTrajectory(trajectory, "hash"), {
    studyId: 1,
    jobId: Number(job.lastInsertRowid),
    sourceKey: "u",
  });
  fs.mkdirSync(path.join(home().root, "judges"), { recursive: true });
  fs.writeFileSync(path.join(home().root, "judges/second.json"), '{"judge":1}');
  return { db, environment, stored, weights: makeCheckpoint(db, "mirl-1-step-2") };
}

/** Every text of an index, decoded ones too. */
function textsOf(db: Db): string {
  const s = db.$client;
  const columns = textColumns(db).flatMap(({ table, column }) =>
    s.prepare(`select ${column} from ${table}`).pluck().all(),
  );
  const data = ["chunk", "trajectory_detail"].flatMap((table) =>
    (s.prepare(`select data from ${table}`).pluck().all() as Buffer[]).map((packed) => plain(packed).toString("utf8")),
  );
  return [...columns, ...data].join("\n");
}

test("what is loaded is what was packed: texts, weights to the last bit, judges; nothing of the machine", async () => {
  const { db, environment, stored, weights } = makeStudy();
  const packed = await packStudy(db, archive, { checkpoints: ["mirl-1-step-2"] });
  expect(packed.manifest).toMatchObject({ trajectories: 1, judges: ["second"], left: [] });
  const before = loadSteps(db, stored.id);
  const digest = db.$client.prepare("select digest from environment where id = ?").pluck().get(environment) as string;

  fresh("new");
  expect(await loadShipped(archive)).toEqual(packed.manifest);
  const loaded = open("new");
  expect(textsOf(loaded)).not.toContain(folder);
  expect(loaded.$client.prepare("select host from rerun").pluck().all()).toEqual([null]);
  expect(loaded.$client.prepare("select lease_owner, error from job").get()).toEqual({
    lease_owner: null,
    error: "cannot read MISSTEP_HOME/x",
  });
  expect(loadSteps(loaded, stored.id)).toEqual(before);
  expect(readManifest(loaded)).toEqual(packed.manifest);
  expect(fs.readFileSync(path.join(ownFolder("mirl-1-step-2"), "model.safetensors")).equals(weights)).toBe(true);
  expect(fs.readFileSync(path.join(home().root, "judges/second.json"), "utf8")).toBe('{"judge":1}');

  // Environments run again: their files are made from their seeds, as they were.
  expect(fs.existsSync(filesFolder(digest))).toBe(false);
  expect(restoreSuiteFiles(loaded)).toEqual([]);
  expect(fs.existsSync(path.join(filesFolder(digest), "instruction.md"))).toBe(true);
});

test("an index somebody used is left alone; one that only started is not used", async () => {
  const { db } = makeStudy();
  await packStudy(db, archive);
  const used = open("used");
  expect(isUnused(home().database)).toBe(true);
  used.$client.prepare("insert into person (name, role) values ('ada', 'admin')").run();
  closeDb();
  expect(await loadShipped(archive)).toBeNull();
  expect(open("used").$client.prepare("select count(*) from trajectory").pluck().get()).toBe(0);

  open("begun");
  closeDb();
  expect(await loadShipped(archive)).not.toBeNull();
  expect(open("begun").$client.prepare("select count(*) from trajectory").pluck().get()).toBe(1);
});

test("an archive that is cut off leaves nothing behind, and what a killed load left is swept by the next", async () => {
  const { db } = makeStudy();
  await packStudy(db, archive);
  const cut = path.join(folder, "cut.tar.br");
  const whole = fs.readFileSync(archive);
  fs.writeFileSync(cut, whole.subarray(0, whole.length / 2));
  fresh("new");
  await expect(loadShipped(cut)).rejects.toThrow(BrokenArchive);
  const { root, database } = home();
  expect(fs.readdirSync(root).filter((name) => name.startsWith(".loading") || name === "misstep.db")).toEqual([]);

  fs.mkdirSync(path.join(root, ".loading-dead/checkpoints"), { recursive: true });
  fs.writeFileSync(path.join(root, ".loading-dead/misstep.db"), "half");
  expect(await loadShipped(archive)).not.toBeNull();
  expect(fs.existsSync(database)).toBe(true);
  expect(fs.readdirSync(root).filter((name) => name.startsWith(".loading"))).toEqual([]);
});

test("checkpoints that do not fit are named; an index that does not fit or is still at work is refused", async () => {
  const { db } = makeStudy();
  const { bytes } = await packStudy(db, archive);
  const packed = await packStudy(db, archive, { checkpoints: ["mirl-1-step-2"], most: bytes + 100 });
  expect(packed.manifest.checkpoints).toEqual([]);
  expect(packed.manifest.left.join()).toContain("mirl-1-step-2");
  await expect(packStudy(db, archive, { most: 100 })).rejects.toThrow(NotPackable);
  db.$client.prepare("update job set status = 'queued'").run();
  await expect(packStudy(db, archive)).rejects.toThrow(/1 jobs .* not finished/);
});
