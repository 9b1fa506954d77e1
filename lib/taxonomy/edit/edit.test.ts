import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { concentration, concentrationOf, coOccurrence, labelSources } from "@/db/queries/generality";
import { countsByModel, misbehaviorOverview } from "@/db/queries/misbehaviors";
import { lookedAt, taxonomyInForce, typesOf } from "@/db/queries/taxonomies";
import { lineageBetween, NO_TYPE, operationsOf, staleSteps, taxonomyFlow } from "@/db/queries/taxonomy-flow";
import { doctor } from "@/lib/jobs/doctor";
import { recount } from "@/lib/profile/errorSteps";
import { scanTrajectory } from "@/lib/profile/scan";
import { madeIndex, makeTrajectory } from "@/lib/taxonomy/testing";
import { applyEdits } from "./apply";
import { EditRefused, type GivenOperation } from "./operations";

let db: Db;
beforeEach(() => {
  db = madeIndex();
  // Retries in three environments (4, 1, 1), two binary steps of which one is a kill too, one step of no type by a data set.
  for (let i = 0; i < 4; i++) makeTrajectory(db, [["make", "retry-same-cause"], ["ls"]], { task: "a", model: "m" });
  makeTrajectory(db, [["make", "retry-same-cause"]], { task: "b", model: "m" });
  makeTrajectory(db, [["make", "retry-same-cause"]], { task: "c", model: "n" });
  makeTrajectory(
    db,
    [
      ["cat x", "binary-as-text"],
      ["pkill y", "binary-as-text", "unverified-kill"],
    ],
    { task: "a", model: "n" },
  );
});
afterEach(() => db.$client.close());

const edit = (operations: GivenOperation[], taxonomyId = taxonomyInForce(db)) =>
  applyEdits(db, { taxonomyId, operations, actor: "ann" });
/** Every number that pages show under a version. */
const numbers = (taxonomyId: number) => ({
  overview: misbehaviorOverview(db, taxonomyId),
  byModel: countsByModel(db).filter((r) => typesOf(db, taxonomyId).some((t) => t.id === r.scope)),
  types: typesOf(db, taxonomyId).map((t) => ({
    ...t,
    pairs: coOccurrence(db, t.id),
    spread: concentrationOf(db, t.id),
    sources: labelSources(db, t.id),
  })),
});
const steps = (taxonomyId: number) =>
  Object.fromEntries(
    typesOf(db, taxonomyId)
      .filter((t) => t.errorSteps > 0)
      .map((t) => [t.slug, t.errorSteps]),
  );

test("merge, split, retire and the rest leave every old number as it was", () => {
  const before = numbers(1);
  const two = edit([{ kind: "merge", types: ["binary-as-text", "unverified-kill"], name: "Careless tools" }]);
  expect(two).toEqual({ taxonomyId: 2, version: 2, stale: 0 });
  // Three labels on two steps are one type on two steps.
  expect(steps(2)).toEqual({ "retry-same-cause": 6, "careless-tools": 2 });
  expect(misbehaviorOverview(db, 2)).toMatchObject({ named: { errorSteps: 8 }, unlabelled: { errorSteps: 0 } });
  const second = numbers(2);
  edit([
    {
      kind: "split",
      type: "retry-same-cause",
      into: [
        { name: "Repeats", definition: "the same command" },
        { name: "Rewords", definition: "a different command" },
      ],
    },
    { kind: "rename", type: "careless-tools", name: "Blunt tools" },
  ]);
  expect(steps(3)).toEqual({ repeats: 6, rewords: 6, "careless-tools": 2 });
  edit([
    { kind: "retire", type: "rewords" },
    { kind: "redefine", type: "careless-tools", definition: "other" },
  ]);
  expect(numbers(1)).toEqual(before);
  expect(numbers(2)).toEqual(second);
  // Also when what is counted is counted anew.
  for (const id of db.$client.prepare("select id from trajectory").pluck().all() as number[]) recount(db, id);
  expect(numbers(1)).toEqual(before);
  expect(numbers(2)).toEqual(second);
  expect(doctor(db).find((c) => c.name === "Counters")).toMatchObject({ level: "ok" });
  expect(operationsOf(db, 4, 1).map((o) => [o.version, o.kind, o.actor])).toEqual([
    [2, "merge", "ann"],
    [3, "split", "ann"],
    [3, "rename", "ann"],
    [4, "retire", "ann"],
    [4, "redefine", "ann"],
  ]);
  expect(operationsOf(db, 4, 3).map((o) => o.kind)).toEqual(["retire", "redefine"]);
});

test("labels of a touched definition are listed as stale; a new name and chosen examples leave them valid", () => {
  edit([
    { kind: "rename", type: "retry-same-cause", name: "Again" },
    { kind: "examples", type: "retry-same-cause", steps: [1_048_576] },
  ]);
  expect(staleSteps(db, 2)).toEqual([]);
  expect(typesOf(db, 2).find((t) => t.slug === "retry-same-cause")).toMatchObject({
    name: "Again",
    examples: [1_048_576],
    detectors: ["retry-same-cause"],
  });
  const { stale } = edit([
    { kind: "redefine", type: "binary-as-text", definition: "Prints bytes that nobody can read.", excludes: ["hex"] },
  ]);
  expect(stale).toBe(2);
  expect(staleSteps(db, 3).map((s) => [s.preview, s.types.split("; ").length])).toEqual([
    ["cat x", 1],
    ["pkill y", 2],
  ]);
  expect(staleSteps(db, 3, { after: staleSteps(db, 3)[0]?.stepId })).toHaveLength(1);
  expect(lookedAt(db, 3).stale).toBe(2);
  // Still stale a version later.
  edit([{ kind: "rename", type: "unverified-kill", name: "Kills" }]);
  expect(lookedAt(db, 4).stale).toBe(2);
});

test("an edit of a version that is not the newest is refused with who made the newer one, and writes nothing", () => {
  edit([{ kind: "rename", type: "retry-same-cause", name: "Again" }]);
  expect(() => edit([{ kind: "rename", type: "retry-same-cause", name: "Third" }], 1)).toThrow(
    /version 2 of mirl was made meanwhile by ann/,
  );
  const bad: GivenOperation[][] = [
    [{ kind: "merge", types: ["retry-same-cause", "retry-same-cause"], name: "x" }],
    [{ kind: "merge", types: ["retry-same-cause", "nothing"], name: "x" }],
    [{ kind: "rename", type: "retry-same-cause", name: "Treats guesses as facts" }],
    [
      { kind: "retire", type: "retry-same-cause" },
      { kind: "rename", type: "retry-same-cause", name: "y" },
    ],
    [{ kind: "restore", type: "retry-same-cause" }],
    [
      {
        kind: "split",
        type: "retry-same-cause",
        into: [
          { name: "One", definition: "d" },
          { name: "one", definition: "d" },
        ],
      },
    ],
    [
      {
        kind: "split",
        type: "retry-same-cause",
        into: [
          { name: "One  part", definition: "d" },
          { name: "one part", definition: "d" },
        ],
      },
    ],
    [],
  ];
  const rows = () =>
    db.$client
      .prepare("select (select count(*) from taxonomy) + (select count(*) from label) + (select count(*) from audit)")
      .pluck()
      .get();
  const before = rows();
  for (const operations of bad) expect(() => edit(operations)).toThrow(EditRefused);
  expect(rows()).toBe(before);
});

test("retired types count nowhere and come back with their labels", () => {
  edit([{ kind: "retire", type: "retry-same-cause" }]);
  expect(misbehaviorOverview(db)).toMatchObject({ named: { errorSteps: 2 }, unlabelled: { errorSteps: 6 } });
  edit([{ kind: "rename", type: "binary-as-text", name: "Bytes" }]);
  edit([{ kind: "restore", type: "retry-same-cause" }]);
  expect(misbehaviorOverview(db)).toMatchObject({ named: { errorSteps: 8 }, unlabelled: { errorSteps: 0 } });
  expect(steps(4)).toEqual(steps(1));
});

test("new findings go to the newest version and the built-in one; versions between stay as they were", () => {
  edit([{ kind: "rename", type: "retry-same-cause", name: "Again" }]);
  const between = numbers(2);
  edit([{ kind: "merge", types: ["binary-as-text", "unverified-kill"], name: "Careless tools" }]);
  const [first] = makeTrajectory(db, [["cat z", "binary-as-text", "unverified-kill"]], { task: "d" });
  expect(steps(3)).toEqual({ "retry-same-cause": 6, "careless-tools": 3 });
  expect(steps(1)).toMatchObject({ "binary-as-text": 3, "unverified-kill": 2 });
  expect(misbehaviorOverview(db, 2).unseen).toBe(1);
  const { overview, ...rest } = numbers(2);
  expect(rest).toEqual({ byModel: between.byModel, types: between.types });
  expect(overview.named).toEqual(between.overview.named);
  // One label of the merged type, though two detectors found it.
  expect(labelSources(db, typesOf(db, 3).find((t) => t.slug === "careless-tools")?.id ?? 0)).toMatchObject([
    { steps: 3, carried: 2 },
  ]);
  // A scan takes back what the present rules do not find, in live versions only.
  scanTrajectory(db, Math.floor((first ?? 0) / 1_048_576));
  expect(steps(3)).toEqual({ "retry-same-cause": 6, "careless-tools": 2 });
  expect(doctor(db).find((c) => c.name === "Counters")).toMatchObject({ level: "ok" });
});

test("flow between versions: each step once, and the sums are the labelled steps", () => {
  edit([
    { kind: "merge", types: ["binary-as-text", "unverified-kill"], name: "Careless tools" },
    { kind: "retire", type: "retry-same-cause" },
  ]);
  const id = (taxonomyId: number, slug: string) => typesOf(db, taxonomyId).find((t) => t.slug === slug)?.id ?? 0;
  const flow = taxonomyFlow(db, 1, 2);
  expect(flow).toEqual([
    { from: id(1, "retry-same-cause"), to: NO_TYPE, steps: 6 },
    // The step with both stands at the kill: it is earlier in the order.
    { from: id(1, "unverified-kill"), to: id(2, "careless-tools"), steps: 1 },
    { from: id(1, "binary-as-text"), to: id(2, "careless-tools"), steps: 1 },
  ]);
  expect(lineageBetween(db, 2, 1).get(id(2, "careless-tools"))).toEqual([
    id(1, "unverified-kill"),
    id(1, "binary-as-text"),
  ]);
});

test("co-occurrence and concentration by hand", () => {
  const id = (slug: string) => typesOf(db, 1).find((t) => t.slug === slug)?.id ?? 0;
  expect(coOccurrence(db, id("binary-as-text"))).toMatchObject([{ slug: "unverified-kill", both: 1, steps: 1 }]);
  expect(coOccurrence(db, id("retry-same-cause"))).toEqual([]);
  // 4, 1 and 1 of 6: effective 36 / (16 + 1 + 1).
  expect(concentrationOf(db, id("retry-same-cause"))).toEqual({
    environments: 3,
    errorSteps: 6,
    withoutEnvironment: 0,
    top1: 4 / 6,
    top5: 1,
    topTenth: 4 / 6,
    effective: 2,
  });
  const twenty = concentration([10, 10, ...Array(18).fill(1)], 3);
  expect(twenty).toMatchObject({
    environments: 20,
    errorSteps: 38,
    withoutEnvironment: 3,
    topTenth: 20 / 38,
    top5: 23 / 38,
  });
  expect(concentration([])).toMatchObject({ environments: 0, top1: null, effective: null });
});

const SLUGS = ["retry-same-cause", "binary-as-text", "unverified-kill", "guess-as-fact"] as const;

test("merging loses and invents no label, whatever is merged, and flows add up", () => {
  const made = fc.array(fc.uniqueArray(fc.constantFrom(...SLUGS), { maxLength: 3 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(made, fc.uniqueArray(fc.constantFrom(...SLUGS), { minLength: 2, maxLength: 4 }), (steps_, slugs) => {
      const own = madeIndex();
      try {
        for (const found of steps_) makeTrajectory(own, [["x", ...found]]);
        applyEdits(own, { taxonomyId: 1, operations: [{ kind: "merge", types: slugs, name: "Merged" }], actor: "p" });
        const pairs = (taxonomyId: number) =>
          own.$client
            .prepare(
              "select l.step_id, e.slug from label l join error_type e on e.id = l.error_type_id where e.taxonomy_id = ? and l.current = 1 order by 1, 2",
            )
            .raw()
            .all(taxonomyId) as [number, string][];
        const expected = new Set(
          pairs(1).map(([step, slug]) => `${step} ${(slugs as string[]).includes(slug) ? "merged" : slug}`),
        );
        expect(
          pairs(2)
            .map((p) => p.join(" "))
            .toSorted(),
        ).toEqual([...expected].toSorted());
        // Every carried label names one that it repeats.
        expect(
          own.$client
            .prepare(
              "select count(*) from label l join error_type e on e.id = l.error_type_id join label p on p.id = l.carried_from and p.step_id = l.step_id where e.taxonomy_id = 2",
            )
            .pluck()
            .get(),
        ).toBe(expected.size);
        const flow = taxonomyFlow(own, 1, 2);
        const sum = (rows: { steps: number }[]) => rows.reduce((n, r) => n + r.steps, 0);
        expect(sum(flow.filter((f) => f.from > 0))).toBe(misbehaviorOverview(own, 1).named.errorSteps);
        expect(sum(flow.filter((f) => f.to > 0))).toBe(misbehaviorOverview(own, 2).named.errorSteps);
        expect(misbehaviorOverview(own, 2).named.errorSteps).toBe(misbehaviorOverview(own, 1).named.errorSteps);
      } finally {
        own.$client.close();
      }
    }),
    { numRuns: 15 },
  );
}, 60_000);
