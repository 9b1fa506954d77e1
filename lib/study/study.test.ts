import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { getJob, type JobRow } from "@/lib/jobs/queue";
import { registerShipped } from "@/lib/model/policy/checkpoint";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { trainSettings } from "@/lib/train/settings";
import { StudyStopped } from "./context";
import { DESIGNS, studyDesign } from "./design";
import { bestOf } from "./phases/select";
import { settingsOf, trainingsOf } from "./phases/train";
import { beginStudy, type RunOptions, runStudy } from "./run";
import { PHASES, readStudy } from "./state";
import { workOf } from "./work";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
  seedBuiltinTypes(db);
  registerShipped(db);
});
afterEach(() => {
  db.$client.close();
});

const jobs = () => db.$client.prepare("select kind from job order by id").pluck().all();

/** Somebody who ends jobs as told instead of doing them. */
const seeing = (status: string): RunOptions => ({
  see: async (jobId) => {
    db.$client.prepare("update job set status = ?, listed = 1 where id = ?").run(status, jobId);
    return getJob(db, jobId) as JobRow;
  },
  onPhase: () => undefined,
  onProgress: () => undefined,
});
const dying: RunOptions = { ...seeing("done"), see: () => Promise.reject(new Error("killed")) };

test("a study that was killed goes on with the job it had queued", async () => {
  await expect(runStudy(db, beginStudy(db, DESIGNS.quick), dying)).rejects.toThrow("killed");
  expect(jobs()).toEqual(["profile"]);
  const again = beginStudy(db, DESIGNS.quick);
  expect(again.made.profile).toBeDefined();
  await expect(runStudy(db, again, dying)).rejects.toThrow("killed");
  expect(jobs()).toEqual(["profile"]);
});

test("phases that ended are not done again, and a job that fails stops the study with what to do", async () => {
  await expect(runStudy(db, beginStudy(db, DESIGNS.quick), seeing("failed"))).rejects.toThrow(StudyStopped);
  const state = beginStudy(db, DESIGNS.quick);
  state.times.profile = { startedAt: 1, finishedAt: 2, ms: 1 };
  const told: string[] = [];
  const options = { ...dying, onPhase: (phase: string, what: string) => void told.push(`${phase} ${what}`) };
  await expect(runStudy(db, state, options)).rejects.toThrow("killed");
  expect(told).toEqual(["profile was there", "heldout starts"]);
  expect(jobs()).toEqual(["profile", "profile"]);
});

test("a study that a person stopped says so, and goes on with the same job", async () => {
  await expect(runStudy(db, beginStudy(db, DESIGNS.quick), seeing("cancelled"))).rejects.toThrow(/goes on from there/);
  let found: string | undefined;
  const looking: RunOptions = {
    ...dying,
    see: (jobId) => {
      found = getJob(db, jobId)?.status;
      return Promise.reject(new Error("killed"));
    },
  };
  await expect(runStudy(db, beginStudy(db, DESIGNS.quick), looking)).rejects.toThrow("killed");
  expect(found).toBe("queued");
  expect(jobs()).toEqual(["profile"]);
});

test("another design, or an index that holds other things, is refused", () => {
  beginStudy(db, DESIGNS.quick);
  expect(() => beginStudy(db, DESIGNS.full)).toThrow(/holds the study "quick"/);
  expect(readStudy(db)?.design.scale).toBe("quick");
  const other = openMemoryDb();
  other.$client.exec(
    "insert into trajectory (study_id, format, outcome, steps, entries, content_hash, source_key) values (1, 'chat', 'unknown', 0, 0, 'x', 'x')",
  );
  expect(() => beginStudy(other, DESIGNS.quick)).toThrow(/holds trajectories already/);
  other.$client.close();
});

test("the shipped designs parse, and every recipe is trained with each of its seeds, first seeds first", () => {
  for (const design of Object.values(DESIGNS)) expect(studyDesign.parse(design)).toEqual(design);
  const all = trainingsOf(DESIGNS.full).map((t) => `${t.recipe} ${t.seed}`);
  expect(all.slice(0, 6).every((t) => t.endsWith(" 1"))).toBe(true);
  expect(all).toHaveLength(12);
  for (const recipe of ["mirl", "outcome-prefix", "outcome-random"])
    for (const seed of [1, 2, 3]) expect(all).toContain(`${recipe} ${seed}`);
});

test("all recipes are trained alike but for where they start and what they are paid", () => {
  const state = beginStudy(db, DESIGNS.full);
  state.made.prefixes = { drawId: 7 };
  state.made.profile = { profileId: 3 };
  const of = (recipe: string) => trainSettings.parse(settingsOf(state, 90, { recipe, seed: 2 }));
  expect(of("mirl")).toMatchObject({ start: { kind: "prefix", prefixes: { drawId: 7 } }, seed: 2, steps: 30 });
  expect(of("outcome-random").start).toMatchObject({ kind: "suite", count: 90 });
  expect(of("pivotrl").start).toMatchObject({ kind: "pivot", profileId: 3 });
  const { start: _a, reward: _b, recipe: _c, ...mirl } = of("mirl");
  const { start: _d, reward: _e, recipe: _f, ...random } = of("outcome-random");
  expect(random).toEqual(mirl);
});

test("the checkpoint that passes most is chosen; a tie goes to the training reward; an unscored one never wins", () => {
  const c = (step: number, average: number, passed: number | null, scored: number | null) => ({
    ...{ step, average, passed, scored },
  });
  expect(bestOf([c(6, 0.9, 10, 20), c(12, 0.1, 11, 20)])?.step).toBe(12);
  expect(bestOf([c(6, 0.2, 5, 10), c(12, 0.7, 10, 20)])?.step).toBe(12);
  expect(bestOf([c(6, 0.9, null, null), c(12, 0.1, 0, 20)])?.step).toBe(12);
  expect(bestOf([])).toBeNull();
});

test("work is expected of every phase, and trainings are most of it", () => {
  const work = workOf(DESIGNS.full);
  for (const phase of PHASES) expect(work[phase]).toBeGreaterThan(0);
  const whole = PHASES.reduce((sum, p) => sum + work[p], 0);
  expect(work.train / whole).toBeGreaterThan(0.4);
});

test("time left counts what the running job did, and is not led astray by a phase that just went on", async () => {
  const state = beginStudy(db, DESIGNS.quick);
  const work = workOf(DESIGNS.quick);
  // One millisecond a piece of work so far; then a training that was worked on before it was killed.
  for (const phase of ["profile", "heldout", "taxonomy", "prefixes", "rerun", "judge"] as const)
    state.times[phase] = { startedAt: 1, finishedAt: 2, ms: work[phase] };
  state.times.train = { startedAt: 1, finishedAt: null, ms: 1e9 };
  state.made.prefixes = { drawId: 1, heldoutDrawId: 2 } as never;
  state.made.profile = { profileId: 1, jobId: 1 } as never;
  const told: { share: number; leftMs: number | null }[] = [];
  const halted: RunOptions = {
    ...dying,
    onProgress: ({ share, leftMs }) => void told.push({ share, leftMs }),
  };
  await expect(runStudy(db, state, halted)).rejects.toThrow();
  const whole = PHASES.reduce((sum, phase) => sum + work[phase], 0);
  const done = PHASES.slice(0, PHASES.indexOf("train")).reduce((sum, phase) => sum + work[phase], 0);
  expect(told[0]?.share).toBeCloseTo(done / whole, 6);
  expect(told[0]?.leftMs).toBeCloseTo(whole - done, 3);
});
