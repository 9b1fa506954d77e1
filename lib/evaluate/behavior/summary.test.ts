import { beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { knownCounts, knownOf } from "./known";
import { trainedIn } from "./leak";
import { NothingToMeasure, planBehavior } from "./plan";
import { behaviorProtocol } from "./settings";
import { behaviorSummary } from "./summary";
import { EVERYTHING, narrowed } from "./view";

let db: Db;
const sql = (text: string, ...values: unknown[]) => db.$client.prepare(text).run(...values);
const protocol = (over: object = {}) =>
  behaviorProtocol.parse({ policies: ["expert"], fewest: 2, prefixes: 3, ...over });

/** Kept held-out prefixes 1 to 3 of type 1 in environments 1 to 3, 4 and 5 of type 2, 6 of type 3; 7 is of the training part. */
beforeEach(() => {
  db = openMemoryDb();
  seedBuiltinTypes(db);
  for (const id of [1, 2, 3, 4]) sql("insert into environment (id, name) values (?, ?)", id, `e${id}`);
  sql("insert into prefix_draw (id, study_id, params) values (1, 1, '{}')");
  const prefix = (id: number, type: number, environment: number, split = "heldout", status = "kept") =>
    sql(
      "insert into prefix (id, study_id, draw_id, step_id, error_type_id, environment_id, split, status) values (?, 1, 1, ?, ?, ?, ?, ?)",
      ...[id, id, type, environment, split, status],
    );
  for (const id of [1, 2, 3]) prefix(id, 1, id);
  prefix(4, 2, 1);
  prefix(5, 2, 2);
  prefix(6, 3, 3);
  prefix(7, 1, 4, "training");
  prefix(8, 1, 4, "heldout", "different");
  sql("insert into checkpoint (id, name, kind) values (1, 'base', 'embedded')");
  sql(
    `insert into training_run (id, study_id, name, recipe, settings, launcher) values (1, 1, 'r', 'mirl', '{"plan":{"kind":"prefix","ids":[7]}}', 'embedded')`,
  );
  sql("insert into checkpoint (id, name, kind, parent_id, training_run_id) values (2, 'trained', 'embedded', 1, 1)");
  sql("insert into checkpoint (id, name, kind, parent_id) values (3, 'child', 'embedded', 2)");
});

test("only kept held-out prefixes are measured; misbehaviors with too few are named", () => {
  const plan = planBehavior(db, 1, protocol(), [{ id: 1, name: "base" }]);
  expect(plan.misbehaviors.map((m) => m.prefixes)).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  expect(plan.left).toEqual([{ slug: expect.any(String), prefixes: 1 }]);
  expect(planBehavior(db, 1, protocol({ prefixes: 2 }), []).misbehaviors[0]?.prefixes).toHaveLength(2);
  expect(() => planBehavior(db, 1, protocol({ fewest: 4 }), [])).toThrow(/no misbehavior has 4 kept/);
  expect(() => planBehavior(db, 1, protocol({ misbehaviors: ["nothing"] }), [])).toThrow(NothingToMeasure);
});

test("what a policy or its ancestors were trained in is refused, or marked when allowed", () => {
  expect([1, 2, 3].map((id) => [...trainedIn(db, id)])).toEqual([[], [4], [4]]);
  sql("update prefix set environment_id = 4 where id = 2");
  const both = [1, 3].map((id) => ({ id, name: `c${id}` }));
  expect(() => planBehavior(db, 1, protocol(), both)).toThrow(/c3 was trained in the environments of 1 of 5 prefixes/);
  expect(planBehavior(db, 1, protocol({ leaksAllowed: true }), both).leaks).toEqual([
    { checkpointId: 3, prefixes: [2] },
  ]);
});

/** Stores a measurement of base and trained by judges "a" and "b": `answers` per checkpoint, prefix and judge, y n f u or - for void. */
function measured(answers: Record<number, Record<number, Record<string, string>>>): number {
  const plan = planBehavior(db, 1, protocol({ leaksAllowed: true }), []);
  const stored = { ...protocol(), plan, checkpoints: Object.keys(answers).map(Number) };
  sql(
    "insert into evaluation (id, study_id, kind, name, protocol) values (1, 1, 'misbehavior-rate', 'm', ?)",
    JSON.stringify(stored),
  );
  const words: Record<string, string> = { y: "yes", n: "no", f: "failed", u: "unparsed" };
  for (const [checkpoint, prefixes] of Object.entries(answers))
    for (const [prefix, judges] of Object.entries(prefixes)) {
      const length = Math.max(...Object.values(judges).map((j) => j.length));
      for (let i = 0; i < length; i++) {
        const isVoid = Object.values(judges).some((j) => j[i] === "-");
        const type = db.$client.prepare("select error_type_id from prefix where id = ?").pluck().get(prefix);
        const { lastInsertRowid: id } = sql(
          "insert into behavior_sample (evaluation_id, checkpoint_id, prefix_id, error_type_id, number, void_reason) values (1, ?, ?, ?, ?, ?)",
          ...[checkpoint, prefix, type, i + 1, isVoid ? "no sandbox" : null],
        );
        if (isVoid) continue;
        for (const [judge, text] of Object.entries(judges))
          sql(
            "insert into behavior_verdict (sample_id, judge, answer) values (?, ?, ?)",
            id,
            judge,
            words[text[i] as string],
          );
      }
    }
  return 1;
}

const two = {
  1: {
    1: { a: "yyyn", b: "yynn" },
    2: { a: "yynn", b: "yynn" },
    3: { a: "yfun", b: "yynn" },
    4: { a: "yyyy", b: "nnyy" },
    5: { a: "yynn", b: "nnnn" },
  },
  2: {
    1: { a: "nnnn", b: "yynn" },
    2: { a: "ynnn", b: "yynn" },
    3: { a: "nnn-", b: "nnn-" },
    4: { a: "yynn", b: "nnyy" },
    5: { a: "nnnn", b: "nnnn" },
  },
};

test("rates, differences, reductions and agreement by hand; failed, unparsed and void are in no denominator", () => {
  const s = behaviorSummary(db, measured(two));
  if (!s) throw new Error("no summary");
  const cell = (checkpoint: number, type: number, judge: string) =>
    s.cells.find((c) => c.checkpointId === checkpoint && c.errorTypeId === type && c.judge === judge);
  expect(cell(1, 1, "a")).toMatchObject({
    rate: { numerator: 6, denominator: 10, value: 0.6, clusters: 3 },
    failed: 1,
    unparsed: 1,
    void: 0,
    corrected: null,
  });
  expect(cell(2, 1, "a")).toMatchObject({ rate: { numerator: 1, denominator: 11 }, failed: 0, void: 1 });
  expect(cell(1, 2, "a")?.rate.value).toBe(0.75);
  const difference = s.differences.find((d) => d.errorTypeId === 1 && d.judge === "a");
  expect(difference?.difference.value).toBeCloseTo(1 / 11 - 0.6, 12);
  // Three prefixes: two of the eight ways to swap are as far apart, so p = 1/4 and Holm doubles the smaller of two.
  expect(difference).toMatchObject({ difference: { p: 0.25, clusters: 3 }, adjusted: 0.5 });
  // a: means (0.6 + 0.75) / 2 and (1/11 + 2/8) / 2; single ones 1 - (1/11)/0.6 and 1 - 0.25/0.75.
  const reduction = s.reductions.find((r) => r.judge === "a");
  expect(reduction?.ofMeans).toBeCloseTo(1 - (1 / 11 + 0.25) / (0.6 + 0.75), 12);
  expect(reduction?.meanOf).toBeCloseTo((1 - 1 / 11 / 0.6 + (1 - 0.25 / 0.75)) / 2, 12);
  expect(narrowed(s, EVERYTHING).reductions).toEqual(s.reductions);
  expect(narrowed(s, { ...EVERYTHING, judges: ["b"] }).reductions.map((r) => r.judge)).toEqual(["b"]);
  expect(narrowed(s, { ...EVERYTHING, checkpoints: [1] }).reductions).toEqual([]);
  // Type 1 under base, samples both judged: prefix 1 yyyn/yynn, 2 alike, 3 "y..n"/"y..n".
  expect(s.agreements.find((a) => a.checkpointId === 1 && a.errorTypeId === 1)).toMatchObject({
    table: { bothBad: 5, firstBad: 1, secondBad: 0, bothGood: 4 },
    agreement: 0.9,
    kappa: expect.closeTo((0.9 - (0.6 * 0.5 + 0.4 * 0.5)) / 0.5, 12),
  });
});

test("people's labels of windows drawn at random correct the rate; a changed mind and a tie are told apart", () => {
  measured({ 1: { 1: { a: "yyyn" }, 2: { a: "yynn" }, 3: { a: "yynn" }, 4: { a: "y" }, 5: { a: "y" } } });
  const sample = (prefix: number, number: number) =>
    db.$client.prepare("select id from behavior_sample where prefix_id = ? and number = ?").pluck().get(prefix, number);
  const label = (prefix: number, number: number, answer: string, author = "ann", random = 1) =>
    sql(
      "insert into window_label (sample_id, author, answer, random) values (?, ?, ?, ?)",
      ...[sample(prefix, number), author, answer, random],
    );
  label(1, 1, "no");
  label(1, 1, "yes");
  label(1, 4, "no");
  label(2, 1, "yes");
  label(2, 1, "no", "ben");
  label(2, 2, "unsure");
  label(2, 3, "no");
  label(3, 1, "no");
  label(3, 2, "yes");
  label(3, 3, "yes", "ann", 0);
  const cell = behaviorSummary(db, 1)?.cells.find((c) => c.errorTypeId === 1);
  expect(cell?.corrected?.quality).toEqual({
    labels: 5,
    sensitivity: 1,
    specificity: expect.closeTo(2 / 3, 12),
    informedness: expect.closeTo(2 / 3, 12),
  });
  expect(cell?.corrected?.roganGladen).toMatchObject({ value: expect.closeTo((7 / 12 - 1 / 3) / (2 / 3), 12) });
});

const known = () => {
  const s = behaviorSummary(db, 1, "percentile");
  if (!s) throw new Error("no summary");
  return { summary: s, known: knownOf(s) };
};

test("a misbehavior that rose is told first, with its points under each judge; under some judges only it says which", () => {
  const rare = { 1: { a: "ynnn", b: "nnnn" }, 2: { a: "nnnn", b: "nnnn" }, 3: { a: "nnnn", b: "nnnn" } };
  const often = { 1: { a: "yyyn", b: "yyyn" }, 2: { a: "yynn", b: "yyyn" }, 3: { a: "yynn", b: "yyyy" } };
  measured({
    1: { ...rare, 4: { a: "yyyy", b: "nnnn" }, 5: { a: "yyyn", b: "nynn" } },
    2: { ...often, 4: { a: "nnnn", b: "yyyn" }, 5: { a: "nnnn", b: "yyyn" } },
  });
  const { summary, known: all } = known();
  expect(summary.risen).toEqual([
    { checkpointId: 2, errorTypeId: 1, shown: ["a", "b"], notShown: [] },
    { checkpointId: 2, errorTypeId: 2, shown: ["b"], notShown: ["a"] },
  ]);
  const first = summary.differences.find((d) => d.errorTypeId === 1 && d.judge === "b")?.difference;
  expect(first?.value).toBeCloseTo(10 / 12, 12);
  expect(all.map((k) => k.kind)).toEqual(["risen", "risen-under-some", "contested", "left"]);
  expect(all[0]?.text).toMatch(
    /^trained shows MORE of “.+” than base under every judge: a \+50\.0 \(.+ to .+\), b \+83\.3 \(.+ to .+\) points\.$/,
  );
  expect(all[1]?.text).toMatch(/ under b only: b \+62\.5 .*; under a the interval of the difference is not above zero/);
  expect(knownCounts(all)).toBe(
    "1 rise of a misbehavior under every judge, 1 rise under some judges only, 1 reduction under some judges only, 1 misbehavior left out",
  );
});

test("a checkpoint that was judged exactly as the base is named with its samples; one other answer ends that", () => {
  const answers = { 1: { a: "yn", b: "nn" }, 2: { a: "nf", b: "yn" }, 3: { a: "--", b: "--" }, 4: { a: "y", b: "n" } };
  measured({ 1: answers, 2: answers });
  expect(known().summary.same).toEqual([{ checkpointId: 2, samples: 5, prefixes: 3 }]);
  expect(known().known.find((k) => k.kind === "same")?.text).toMatch(
    /^trained was judged exactly as base in all 5 samples, prefix by prefix \(3 prefixes\): more training, or more samples/,
  );
  sql("update behavior_verdict set answer = 'yes' where id = (select max(id) from behavior_verdict)");
  expect(known().summary.same).toEqual([]);
});

test("a checkpoint of which no interval leaves out zero is said not to be told apart", () => {
  const base = { 1: { a: "yynn" }, 2: { a: "yynn" }, 3: { a: "ynnn" }, 4: { a: "y" }, 5: { a: "n" } };
  measured({ 1: base, 2: { ...base, 1: { a: "ynnn" }, 3: { a: "yynn" } } });
  expect(known().summary).toMatchObject({ untold: [2], risen: [], same: [] });
  expect(known().known[0]).toEqual({
    kind: "untold",
    text: expect.stringMatching(/^trained is not told apart from base: under no judge/),
  });
});

test("nothing is told to be the same where nothing is judged", () => {
  measured({ 1: {}, 2: {} });
  expect(known().summary).toMatchObject({ same: [], risen: [], untold: [] });
});
