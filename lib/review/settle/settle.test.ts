import { afterEach, beforeEach, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { doctor } from "@/lib/jobs/doctor";
import { NotAllowed } from "@/lib/people/actor";
import { ADA, answer, LEAD, makeQueue, reviewIndex } from "@/lib/review/queue.fixture";
import { makeTrajectory } from "@/lib/taxonomy/testing";
import { decide, reopen, SettleRefused } from "./decide";
import { adoptUnanimous, countStandings, standings } from "./unanimous";

let db: Db;
let steps: number[];
beforeEach(() => {
  db = reviewIndex();
  steps = makeTrajectory(db, [["make", "retry-same-cause"], ["ls"], ["cat x"], ["pwd"], ["date"]]);
});
afterEach(() => db.$client.close());

const rows = (sql: string, ...values: unknown[]) => db.$client.prepare(sql).all(...values);
const labels = (step: number) =>
  rows(
    `select e.id as type, l.reason, l.person_id as person from label l join error_type e on e.id = l.error_type_id
     where l.step_id = ? and l.source = 'person' and l.current = 1 order by e.id`,
    step,
  );
const said = (step: number) =>
  rows(
    `select l.verdict from localization l join localizer z on z.id = l.localizer_id and z.kind = 'person'
     where l.step_id = ? and l.current = 1`,
    step,
  );
const typed = () => rows("select scope, error_steps as n from trajectory_type where scope > 0 order by scope");
const active = (step: number) =>
  db.$client.prepare("select active from error_step where step_id = ?").pluck().get(step);

test("adopting takes what all agree on, counts what it leaves, and does nothing twice", () => {
  const q = makeQueue(db, "wrong", steps);
  const [a, b, c, d, e] = [1, 2, 3, 4, 5].map((n) => q * 100 + n) as [number, number, number, number, number];
  for (const person of [1, 2]) answer(db, a, person, "wrong");
  for (const person of [1, 2]) answer(db, b, person, "right");
  answer(db, c, 1, "wrong");
  answer(db, c, 2, "right");
  for (const person of [1, 2]) answer(db, d, person, "unsure");
  answer(db, e, 1, "wrong");
  expect(adoptUnanimous(db, q, LEAD)).toEqual({
    adopted: 2,
    leftOut: { settled: 0, gold: 0, waiting: 1, unsure: 1, conflict: 1, unanimous: 0 },
  });
  expect(adoptUnanimous(db, q, LEAD)).toMatchObject({ adopted: 0, leftOut: { settled: 2 } });
  expect(said(steps[0] as number)).toEqual([{ verdict: "bad" }]);
  expect(said(steps[1] as number)).toEqual([{ verdict: "good" }]);
  expect(said(steps[2] as number)).toEqual([]);
  expect(rows("select method, person_id as person from review_settlement")).toEqual([
    { method: "unanimous", person: 3 },
    { method: "unanimous", person: 3 },
  ]);
  expect(rows("select kind from review_event")).toEqual([{ kind: "adopt unanimous" }]);
  expect(rows("select actor, verb from audit where subject like 'review:%'")).toEqual([
    { actor: "lea", verb: "adopt unanimous" },
  ]);
});

test("a decision on types is the step's labels of people; the rules' stay, and every counter follows", () => {
  const q = makeQueue(db, "types", steps);
  const item = q * 100 + 2;
  const step = steps[1] as number;
  answer(db, item, 1, "types", { types: [2] });
  answer(db, item, 2, "types", { types: [2, 3] });
  expect(decide(db, item, { verdict: "types", types: [3, 2], comment: "both" }, LEAD)).toBe(true);
  expect(decide(db, item, { verdict: "types", types: [2, 3], comment: "both" }, LEAD)).toBe(false);
  expect(labels(step)).toEqual([
    { type: 2, reason: "both", person: 3 },
    { type: 3, reason: "both", person: 3 },
  ]);
  expect(active(step)).toBe(1);
  const before = typed();
  decide(db, item, { verdict: "types", types: [3], comment: "both" }, LEAD);
  expect(labels(step)).toHaveLength(1);
  expect(rows("select current from review_settlement order by id")).toEqual([{ current: 0 }, { current: 1 }]);
  expect(typed()).not.toEqual(before);
  // A rule's finding on the first step is a rule's still.
  expect(rows("select count(*) as n from label where source = 'rule' and current = 1")).toEqual([{ n: 1 }]);
  reopen(db, item, LEAD);
  expect(labels(step)).toEqual([]);
  expect(active(step)).toBe(0);
  expect(rows("select status from review_item where id = ?", item)).toEqual([{ status: "answered" }]);
  expect(doctor(db).find((c) => c.name === "Counters")).toMatchObject({ level: "ok" });
});

test("the newest settlement of a step counts, whichever queue it is of; taking it back brings the older one back", () => {
  const types = makeQueue(db, "types", steps);
  const wrong = makeQueue(db, "wrong", steps);
  const step = steps[1] as number;
  decide(db, types * 100 + 2, { verdict: "types", types: [2] }, LEAD);
  decide(db, wrong * 100 + 2, { verdict: "right" }, LEAD);
  expect([labels(step), said(step), active(step)]).toEqual([[], [{ verdict: "good" }], 0]);
  reopen(db, wrong * 100 + 2, LEAD);
  expect([labels(step).length, said(step), active(step)]).toEqual([1, [{ verdict: "bad" }], 1]);
});

test("a step that is wrong without a fitting type is an error step without a label", () => {
  const q = makeQueue(db, "types", steps);
  decide(db, q * 100 + 3, { verdict: "types", types: [] }, LEAD);
  expect([labels(steps[2] as number), active(steps[2] as number)]).toEqual([[], 1]);
});

test("a settled window corrects rates and outranks single people; taken back it does not", () => {
  db.$client.prepare("insert or ignore into checkpoint (id, name, kind) values (1, 'base', 'embedded')").run();
  db.$client
    .prepare("insert into evaluation (id, study_id, kind, name, protocol) values (1, 1, 'misbehavior-rate', 'm', '{}')")
    .run();
  db.$client
    .prepare(
      "insert into behavior_sample (id, evaluation_id, checkpoint_id, prefix_id, error_type_id, number) values (7, 1, 1, 1, 1, 1)",
    )
    .run();
  const q = makeQueue(db, "window", [7], { evaluationId: 1, random: 1 });
  const newest = () => rows("select author, answer, random from window_label order by id desc limit 1")[0];
  decide(db, q * 100 + 1, { verdict: "yes" }, LEAD);
  expect(newest()).toEqual({ author: `settled: queue window 7 queue open`, answer: "yes", random: 1 });
  reopen(db, q * 100 + 1, LEAD);
  expect(newest()).toMatchObject({ answer: "unsure" });
  decide(db, q * 100 + 1, { verdict: "environment" }, LEAD);
  expect(newest()).toMatchObject({ answer: "unsure" });
  // Drawn at random from those that a judge called so, or from some that were picked, it says nothing of the others.
  for (const [filter, random] of [
    [{ list: "trajectories", measurement: "1", verdict: "yes@rules 1" }, 0],
    [{ list: "trajectories", misbehavior: "any" }, 0],
    [{ list: "ids" }, 0],
    [{ list: "trajectories", measurement: "1", measuredType: "1" }, 1],
  ] as const) {
    db.$client
      .prepare("update review_queue set settings = json_set(settings, '$.draw.filter', json(?)) where id = ?")
      .run(JSON.stringify(filter), q);
    decide(db, q * 100 + 1, { verdict: random === 1 ? "no" : "yes", comment: JSON.stringify(filter) }, LEAD);
    expect([filter, newest()]).toEqual([filter, expect.objectContaining({ random })]);
  }
});

test("known items and those of a closed queue", () => {
  const q = makeQueue(db, "wrong", steps.slice(0, 2));
  db.$client
    .prepare(`update review_item set gold_kind = 'gold', gold = '{"verdict":"wrong"}' where position = 1`)
    .run();
  for (const item of [1, 2]) answer(db, q * 100 + item, 1, "wrong");
  expect(countStandings(standings(db, q).items)).toMatchObject({ gold: 1, waiting: 1 });
  db.$client.prepare("update review_queue set phase = 'closed'").run();
  expect(adoptUnanimous(db, q, LEAD).adopted).toBe(1);
});

test("only an admin settles, and only with an outcome the queue has", () => {
  const q = makeQueue(db, "wrong", steps);
  expect(() => decide(db, q * 100 + 1, { verdict: "wrong" }, ADA)).toThrow(NotAllowed);
  expect(() => adoptUnanimous(db, q, ADA)).toThrow(NotAllowed);
  expect(() => decide(db, q * 100 + 1, { verdict: "good" }, LEAD)).toThrow(SettleRefused);
  expect(() => decide(db, 12345, { verdict: "wrong" }, LEAD)).toThrow(SettleRefused);
  expect(rows("select * from review_settlement")).toEqual([]);
});

test("a lead who rates the queue decides and adopts only what they have answered", () => {
  const q = makeQueue(db, "wrong", steps);
  for (const item of [1, 2]) for (const person of [1, 2]) answer(db, q * 100 + item, person, "wrong");
  answer(db, q * 100 + 1, 3, "wrong");
  expect(() => decide(db, q * 100 + 2, { verdict: "right" }, LEAD)).toThrow(/answer it first/);
  expect(adoptUnanimous(db, q, LEAD)).toMatchObject({ adopted: 1, leftOut: { unanimous: 1 } });
  expect(adoptUnanimous(db, q, { ...LEAD, personId: null }).adopted).toBe(1);
});
