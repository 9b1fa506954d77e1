import { afterEach, beforeEach, expect, test } from "vitest";
import { getBlob } from "@/db/blobs";
import { type Db, openMemoryDb } from "@/db/client";
import { SPAN, stepId } from "@/db/ids";
import { taxonomyInForce } from "@/db/queries/taxonomies";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { storeFindings } from "@/lib/profile/scan";
import { applyEdits } from "@/lib/taxonomy/edit/apply";
import { setInForce } from "@/lib/taxonomy/inForce";
import { prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import type { RerunResult } from "./rerun";
import { drawPrefixes, NoSuchStep, prefixOfStep, UnknownMisbehavior } from "./sample";
import { storeRerun } from "./store";
import { summarise } from "./summary";
import { recordedStep, recordedTrajectory } from "./testing";

let db: Db;
const ids: number[] = [];
/** Six trajectories with three error steps each, stored in this order. */
function fill(into: Db, order: readonly number[]): number[] {
  seedBuiltinTypes(into);
  return order.map((n) => {
    const steps = Array.from({ length: 4 }, (_, i) => recordedStep(`make ${n} ${i}`, "error", 2));
    const t = prepareTrajectory(recordedTrajectory(steps, { task: `task-${n}` }), `hash-${n}`);
    const { id } = storeTrajectory(into, t, { studyId: 1, jobId: null, sourceKey: `s${n}` });
    const finding = (step: number, misbehavior: "retry-same-cause" | "unneeded-checks") => ({
      step,
      misbehavior,
      reason: "r",
      commandSeen: "c",
      evidence: [],
    });
    storeFindings(
      into,
      id,
      [finding(1, "retry-same-cause"), finding(2, "retry-same-cause"), finding(2, "unneeded-checks")],
      true,
    );
    return id;
  });
}
beforeEach(() => {
  db = openMemoryDb();
  ids.length = 0;
  ids.push(...fill(db, [0, 1, 2, 3, 4, 5]));
});
afterEach(() => db.$client.close());

const prefixRow = (id: number) =>
  db.$client.prepare("select * from prefix where id = ?").get(id) as Record<string, unknown>;

test("a draw is stored with what was asked and what there was", () => {
  const { drawId, params } = drawPrefixes(db, { studyId: 1, per: 8, seed: 3, heldOut: 0.5, misbehaviors: [] });
  const rows = db.$client
    .prepare("select step_id, split, environment_id, commands, status from prefix where draw_id = ?")
    .all(drawId);
  expect(rows).toHaveLength(12);
  const retry = params.types.find((t) => t.slug === "retry-same-cause");
  const checks = params.types.find((t) => t.slug === "unneeded-checks");
  expect(retry).toMatchObject({ asked: 8, available: 12 });
  expect(checks).toMatchObject({ asked: 8, available: 6 });
  expect((retry?.drawn ?? 0) + (checks?.drawn ?? 0)).toBe(12);
  expect(params.types.filter((t) => t.available === 0)).toHaveLength(6);
  expect(rows.filter((r) => (r as { split: string }).split === "heldout").length).toBe(6);
  const stored = db.$client.prepare("select params from prefix_draw where id = ?").pluck().get(drawId) as string;
  expect(JSON.parse(stored)).toEqual(params);
  for (const row of rows as { step_id: number; commands: number }[])
    expect(row.commands).toBe(row.step_id % 2 === 0 ? 2 : 1);
});

test("only the named misbehaviors are drawn, and an unknown one is refused with the ones there are", () => {
  const { params } = drawPrefixes(db, { studyId: 1, per: 2, seed: 3, heldOut: 0, misbehaviors: ["unneeded-checks"] });
  expect(params.types).toMatchObject([{ slug: "unneeded-checks", drawn: 2, training: 2, heldout: 0 }]);
  expect(() => drawPrefixes(db, { studyId: 1, per: 2, seed: 3, heldOut: 0, misbehaviors: ["x"] })).toThrow(
    UnknownMisbehavior,
  );
});

test("a draw goes by the version in force, or by the one it is asked for", () => {
  const { taxonomyId } = applyEdits(db, {
    taxonomyId: taxonomyInForce(db),
    operations: [{ kind: "merge", types: ["retry-same-cause", "unneeded-checks"], name: "Does it again" }],
    actor: "ann",
  });
  const old = db.$client.prepare("select min(id) from taxonomy").pluck().get() as number;
  const ask = { studyId: 1, per: 50, seed: 3, heldOut: 0 };
  const drawn = ({ drawId, params }: ReturnType<typeof drawPrefixes>) => ({
    taxonomyId: params.taxonomyId,
    slugs: db.$client
      .prepare(
        `select e.slug, count(*) from prefix p join error_type e on e.id = p.error_type_id and e.taxonomy_id = ?
         where p.draw_id = ? group by 1 order by 1`,
      )
      .raw()
      .all(params.taxonomyId, drawId),
  });
  setInForce(db, taxonomyId, "ann");
  expect(drawn(drawPrefixes(db, ask))).toEqual({ taxonomyId, slugs: [["does-it-again", 12]] });
  const before = drawn(drawPrefixes(db, { ...ask, taxonomyId: old }));
  expect(before.taxonomyId).toBe(old);
  expect(before.slugs).toEqual([
    ["retry-same-cause", expect.any(Number)],
    ["unneeded-checks", expect.any(Number)],
  ]);
  setInForce(db, old, "ann");
  expect(drawn(drawPrefixes(db, { ...ask, taxonomyId }))).toEqual({ taxonomyId, slugs: [["does-it-again", 12]] });
  expect(drawn(drawPrefixes(db, ask))).toEqual(before);
  expect(() => drawPrefixes(db, { ...ask, taxonomyId: old, misbehaviors: ["does-it-again"] })).toThrow(
    UnknownMisbehavior,
  );
  expect(() => drawPrefixes(db, { ...ask, taxonomyId: 999 })).toThrow(UnknownMisbehavior);
  db.$client.prepare("update taxonomy set status = 'failed' where id = ?").run(taxonomyId);
  expect(() => drawPrefixes(db, { ...ask, taxonomyId })).toThrow("its build is failed");
});

test("a step becomes one prefix on demand, however often it is asked for", () => {
  const at = stepId(ids[0]!, 2);
  const id = prefixOfStep(db, at);
  expect(prefixOfStep(db, at)).toBe(id);
  expect(prefixRow(id)).toMatchObject({ draw_id: null, step_id: at, commands: 2, status: "pending" });
  expect(() => prefixOfStep(db, stepId(999, 1))).toThrow(NoSuchStep);
});

const result = (verdict: "exact" | "different" | "void"): RerunResult => ({
  verdict,
  voidReason: verdict === "void" ? "no" : null,
  commands:
    verdict === "void"
      ? []
      : [
          {
            index: 0,
            exact: verdict === "exact",
            normalised: true,
            exitCode: true,
            seen: { text: "what came", exitCode: 0 },
            durationMs: 1.4,
            diagnosis: verdict === "exact" ? null : { cause: "time", through: null, recorded: "a", rerun: "b" },
          },
        ],
  kept:
    verdict === "void"
      ? { exact: null, normalised: null, exitCode: null }
      : { exact: verdict === "exact", normalised: true, exitCode: true },
  driver: "bubblewrap",
  imageDigest: "i",
  host: "h",
  durationMs: 5,
});

test("reruns are stored once a repeat, with the differing observation, and sum up in the prefix", () => {
  const at = stepId(ids[0]!, 2);
  const prefixId = prefixOfStep(db, at);
  const put = (repeat: number, verdict: "exact" | "different" | "void", jobId = 1) =>
    storeRerun(db, { prefixId, stepId: at, repeat, repeats: 2, mode: "stop", jobId }, result(verdict));
  expect(put(1, "exact")).toBe(true);
  expect(prefixRow(prefixId)).toMatchObject({ status: "pending", reruns: 1, exact: 1 });
  expect(put(1, "exact")).toBe(false);
  put(2, "exact");
  expect(prefixRow(prefixId)).toMatchObject({ status: "kept", reruns: 2, exact: 2, cause: null });
  put(1, "different", 2);
  expect(prefixRow(prefixId)).toMatchObject({
    status: "flaky",
    reruns: 3,
    exact: 2,
    cause: "time",
    normalised_kept: 1,
  });
  const step = db.$client.prepare("select * from rerun_step where equal = 0").get() as {
    output_hash: string;
    step_id: number;
  };
  expect(getBlob(db, step.output_hash).toString()).toBe("what came");
  expect(step.step_id).toBe(stepId(ids[0]!, 0));
});

const facts = (verdict: "exact" | "different" | "void", jobId: number, ground = "g") => ({
  verdict,
  cause: verdict === "different" ? ("time" as const) : null,
  normalisedKept: verdict === "void" ? null : true,
  exitCodeKept: verdict === "void" ? null : true,
  ground: verdict === "void" ? null : ground,
  jobId,
});

test.each([
  ["nothing yet", [], 2, "pending"],
  ["one of two", [facts("exact", 1)], 2, "pending"],
  ["one of one", [facts("exact", 1)], 1, "kept"],
  ["two of two", [facts("exact", 1), facts("exact", 1)], 2, "kept"],
  ["one void beside an exact one", [facts("void", 1), facts("exact", 1)], 2, "void"],
  ["void alone", [facts("void", 1), facts("void", 1)], 2, "void"],
  ["different", [facts("different", 1)], 2, "different"],
  ["disagreement", [facts("exact", 1), facts("different", 1)], 2, "flaky"],
  ["disagreement with an older job", [facts("exact", 2), facts("exact", 2), facts("different", 1)], 2, "flaky"],
  [
    "an older job elsewhere does not count",
    [facts("exact", 2, "new"), facts("exact", 2, "new"), facts("different", 1, "old")],
    2,
    "kept",
  ],
  ["a later void job takes the verdict back", [facts("void", 2), facts("exact", 1), facts("exact", 1)], 2, "void"],
  ["a void job after a difference leaves it", [facts("void", 2), facts("different", 1)], 2, "different"],
] as const)("%s: %s", (_, list, repeats, status) => {
  expect(summarise(list, repeats).status).toBe(status);
});

test("a prefix counts the commands that ran: corrections, and no rejected step", () => {
  const steps = [
    recordedStep("ls"),
    { ...recordedStep("echo wrong"), observations: [], note: "rejected" as const },
    recordedStep("echo right", "right", 0, { note: "correction" }),
    recordedStep("echo b", "b"),
  ];
  const { id } = storeTrajectory(db, prepareTrajectory(recordedTrajectory(steps), "notes"), {
    studyId: 1,
    jobId: null,
    sourceKey: "notes",
  });
  const prefix = prefixOfStep(db, stepId(id, 3));
  expect(db.$client.prepare("select commands from prefix where id = ?").pluck().get(prefix)).toBe(2);
});

test("errors injected to try a localizer are not drawn", () => {
  const request = { studyId: 1, per: 100, seed: 1, heldOut: 0, misbehaviors: [] };
  const before = drawPrefixes(db, request).params.candidates;
  db.$client.exec(`insert into profile (id, study_id, job_id, checkpoint_id, name, mode, settings, seed)
    select 1, 1, 1, id, 'p', 'catch', '{}', 1 from checkpoint limit 1`);
  db.$client.prepare("insert into trial_step (step_id, profile_id) values (?, 1)").run(stepId(ids[0] ?? 0, 1));
  expect(drawPrefixes(db, request).params.candidates).toBe(before - 1);
});

test("rollouts of a profile that ended in another order give the same draw, in the same order", () => {
  const draw = (order: readonly number[]) => {
    const one = openMemoryDb();
    fill(one, order);
    one.$client.exec(`insert into profile (id, study_id, job_id, checkpoint_id, name, mode, settings, seed)
      select 1, 1, 1, id, 'p', 'profile', '{}', 1 from checkpoint limit 1;
      insert into profile_rollout (profile_id, environment_id, number, trajectory_id, status)
      select 1, environment_id, 1, id, 'finished' from trajectory`);
    const { drawId } = drawPrefixes(one, { studyId: 1, per: 3, seed: 5, heldOut: 0, misbehaviors: [] });
    const drawn = one.$client
      .prepare(
        `select t.task || ' ' || (p.step_id % ${SPAN}) || ' ' || p.error_type_id from prefix p join trajectory t on t.id = p.step_id / ${SPAN}
         where p.draw_id = ? order by p.id`,
      )
      .pluck()
      .all(drawId);
    one.$client.close();
    return drawn;
  };
  const first = draw([0, 1, 2, 3, 4, 5]);
  expect(first).toHaveLength(6);
  expect(draw([5, 3, 4, 0, 2, 1])).toEqual(first);
});
