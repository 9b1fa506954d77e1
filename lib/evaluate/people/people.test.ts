import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { storeHumanLabels } from "@/lib/profile/humanLabels";
import { relabelStep } from "@/lib/review/settle/stepLabels";
import { makeTrajectory } from "@/lib/taxonomy/testing";
import { judgesAgainstPeople } from "./judges";
import { localizersAgainstPeople } from "./localizers";
import { typesAgainstPeople } from "./types";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
  seedBuiltinTypes(db);
});
afterEach(() => db.$client.close());
const run = (sql: string, ...values: unknown[]) => Number(db.$client.prepare(sql).run(...values).lastInsertRowid);
const idOf = (slug: string) =>
  db.$client.prepare("select id from error_type where slug = ? and taxonomy_id = 1").pluck().get(slug) as number;

const EVERY_STEP = { list: "trajectories", of: "all" };
const FLAGGED = { list: "trajectories" };

function settle(
  question: string,
  step: number,
  verdict: string,
  types: number[] | null,
  random: 0 | 1,
  filter: Record<string, string> = EVERY_STEP,
) {
  const queue = run(
    "insert into review_queue (name, question, taxonomy_id, raters, settings) values (?, ?, ?, 1, ?)",
    `${question} ${step} ${JSON.stringify(filter)}`,
    question,
    question === "types" ? 1 : null,
    JSON.stringify({ draw: { filter } }),
  );
  const item = run(
    "insert into review_item (queue_id, position, subject_id, random, status) values (?, 1, ?, ?, 'settled')",
    queue,
    step,
    random,
  );
  run(
    "insert into review_settlement (item_id, verdict, types, method) values (?, ?, ?, 'decided')",
    item,
    verdict,
    types && JSON.stringify(types),
  );
}

test("a data set's marks against the rules: over all steps of its trajectories, what it does not mark is right", () => {
  // Rules flag 2 of 5 steps, people mark 2: one in common.
  for (const _ of [1, 2]) {
    const steps = makeTrajectory(db, [
      ["make", "retry-same-cause"],
      ["ls"],
      ["cat x", "binary-as-text"],
      ["pwd"],
      ["date"],
    ]);
    storeHumanLabels(db, Math.floor((steps[0] as number) / 1_048_576), [
      { step: 0, dataset: "who-and-when", category: null, reason: null, root: true },
      { step: 4, dataset: "who-and-when", category: null, reason: null, root: false },
    ]);
  }
  // Of a trajectory without marks people say nothing.
  makeTrajectory(db, [["make", "retry-same-cause"]]);
  const [quality, ...rest] = localizersAgainstPeople(db);
  expect(rest).toEqual([]);
  expect(quality).toMatchObject({
    people: { kind: "dataset", name: "who-and-when" },
    localizer: { kind: "rule" },
    table: { bothBad: 2, firstBad: 2, secondBad: 2, bothGood: 4 },
    steps: 10,
    clusters: 2,
    precision: { numerator: 2, denominator: 4 },
    recall: { numerator: 2, denominator: 4 },
  });
  // po 0.6, pe 0.4 * 0.4 + 0.6 * 0.6.
  expect(quality?.kappa).toBeCloseTo((0.6 - 0.52) / 0.48, 10);
});

test("detector and annotator against settled types and a data set's, apart; what nobody settled is not counted", () => {
  const a = makeTrajectory(db, [
    ["make", "retry-same-cause"],
    ["make", "retry-same-cause"],
    ["ls"],
    ["pwd", "retry-same-cause"],
  ]);
  const b = makeTrajectory(db, [["x", "guess-as-fact"], ["y"]]);
  const retry = idOf("retry-same-cause");
  settle("types", a[0] as number, "types", [retry], 1);
  settle("types", a[1] as number, "types", [], 0);
  settle("types", a[2] as number, "types", [retry], 1);
  settle("wrong", a[3] as number, "right", null, 0, FLAGGED);
  settle("types", b[1] as number, "unsure", null, 1);
  storeHumanLabels(db, Math.floor((b[0] as number) / 1_048_576), [
    { step: 0, dataset: "agentrx", category: "Invention of new information", reason: null, root: true },
  ]);
  const rows = typesAgainstPeople(db, 1);
  expect(rows.find((r) => r.people === "settled" && r.slug === "retry-same-cause")).toMatchObject({
    by: { kind: "rule" },
    table: { bothBad: 1, firstBad: 1, secondBad: 2, bothGood: 0 },
    precision: { numerator: 1, denominator: 3 },
    recall: { numerator: 1, denominator: 2 },
    reach: { all: 2, flagged: 1, chosen: 1 },
  });
  expect(rows.find((r) => r.people === "agentrx" && r.slug === "guess-as-fact")).toMatchObject({
    precision: { numerator: 1, denominator: 1 },
    recall: { numerator: 1, denominator: 1 },
    reach: null,
  });
  // AgentRx has no category that says "retries": nothing is said of it.
  expect(rows.some((r) => r.people === "agentrx" && r.slug === "retry-same-cause")).toBe(false);
  // An annotator is judged on what it looked at.
  const model = run("insert into localizer (kind, name, version) values ('model', 'm', '1')");
  run("insert into assignment (taxonomy_id, step_id, localizer_id, status) values (1, ?, ?, 'none')", a[0], model);
  run("insert into assignment (taxonomy_id, step_id, localizer_id, status) values (1, ?, ?, 'labelled')", a[2], model);
  run(
    "insert into label (step_id, error_type_id, source, localizer_id) values (?, ?, 'model', ?)",
    ...[a[2], retry, model],
  );
  const annotator = typesAgainstPeople(db, 1, "retry-same-cause").find((r) => r.by.kind === "model");
  expect(annotator).toMatchObject({
    steps: 2,
    precision: { numerator: 1, denominator: 1 },
    recall: { numerator: 1, denominator: 2 },
  });
});

test("steps drawn from flagged ones tell precision and no recall; of all steps, only those drawn at random tell it", () => {
  const retry = idOf("retry-same-cause");
  const [flagged, chosen, missed] = makeTrajectory(db, [
    ["make", "retry-same-cause"],
    ["make", "retry-same-cause"],
    ["make"],
  ]) as [number, number, number];
  const both = () => ({
    localizer: localizersAgainstPeople(db)[0],
    type: typesAgainstPeople(db, 1, "retry-same-cause")[0],
  });
  const say = (step: number, random: 0 | 1, filter: Record<string, string>) => {
    settle("types", step, "types", [retry], random, filter);
    relabelStep(db, step);
  };
  say(flagged, 1, FLAGGED);
  expect(both()).toMatchObject({
    localizer: { precision: { numerator: 1, denominator: 1 }, recall: { notKnown: "flagged" } },
    type: { precision: { numerator: 1, denominator: 1 }, recall: { notKnown: "flagged" } },
  });
  // Picked by a strategy, or from trajectories with flags: it stands for no others, either.
  say(chosen, 0, EVERY_STEP);
  say(chosen, 1, { ...EVERY_STEP, misbehavior: "any" });
  expect(both()).toMatchObject({
    localizer: { precision: { numerator: 2, denominator: 2 }, recall: { notKnown: "chosen" } },
    type: { precision: { numerator: 2, denominator: 2 }, recall: { notKnown: "chosen" } },
  });
  say(missed, 1, EVERY_STEP);
  expect(both()).toMatchObject({
    localizer: { steps: 3, recall: { numerator: 0, denominator: 1 } },
    type: { steps: 3, recall: { numerator: 0, denominator: 1 } },
  });
  // The same step from a queue over everything.
  say(flagged, 1, EVERY_STEP);
  expect(both()).toMatchObject({
    localizer: { recall: { numerator: 1, denominator: 2 } },
    type: { recall: { numerator: 1, denominator: 2 } },
  });
});

test("judges of windows against settled and against single labels, apart", () => {
  run("insert or ignore into checkpoint (id, name, kind) values (1, 'base', 'embedded')");
  run("insert into evaluation (id, study_id, kind, name, protocol) values (1, 1, 'misbehavior-rate', 'm', '{}')");
  const said = ["yes", "yes", "no", "no"];
  const people = ["yes", "no", "no", "yes"];
  said.forEach((answer, i) => {
    run(
      "insert into behavior_sample (id, evaluation_id, checkpoint_id, prefix_id, error_type_id, number) values (?, 1, 1, ?, 5, 1)",
      ...[i + 1, i + 1],
    );
    run("insert into behavior_verdict (sample_id, judge, answer) values (?, 'j', ?)", i + 1, answer);
    run(
      "insert into window_label (sample_id, author, answer, random) values (?, 'settled: q', ?, ?)",
      ...[i + 1, people[i], i % 2],
    );
  });
  run("insert into window_label (sample_id, author, answer) values (1, 'ada', 'no')");
  run("insert into window_label (sample_id, author, answer) values (1, 'bob', 'yes')");
  run("insert into window_label (sample_id, author, answer) values (2, 'ada', 'yes')");
  expect(judgesAgainstPeople(db, 1)).toMatchObject([
    {
      source: "settled",
      steps: 4,
      random: 2,
      precision: { numerator: 1, denominator: 2 },
      // Of the two that people call so one was drawn at random, and the judge passed it over.
      recall: { numerator: 0, denominator: 1 },
    },
    {
      source: "single",
      steps: 1,
      random: 0,
      precision: { numerator: 1, denominator: 1 },
      recall: { notKnown: "windows" },
    },
  ]);
});
