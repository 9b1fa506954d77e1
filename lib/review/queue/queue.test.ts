import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { NO_FILTERS } from "@/db/queries/trajectory-filters";
import { addFlagged, addPerson } from "@/lib/review/seedForTests";
import { createQueue, type NewQueue, planQueue } from "./create";
import { type Candidate, drawItems, unknownVariance } from "./draw";
import { closeQueue, extendQueue, markGold, reopenQueue, writeGuideline } from "./edit";
import { getQueue } from "./queue";
import type { QueueSource } from "./source";

const candidates = (n: number, stratum = (i: number) => `s${i % 3}`): Candidate[] =>
  Array.from({ length: n }, (_, i) => ({ subjectId: i + 1, stratum: stratum(i), split: i % 5 === 0 }));

test("a draw depends on what there is and the seed alone, never gives one twice, and keeps its reserve", () => {
  const strategies = ["all", "random", "stratified", "disagreement", "narrowing"] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...strategies),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 0, max: 99 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 60 }),
      (strategy, n, seed, reserve, size) => {
        const list = candidates(size);
        const settings = { strategy, n, seed, reserve };
        const drawn = drawItems(list, settings);
        expect(drawItems([...list].reverse(), settings)).toEqual(drawn);
        expect(new Set(drawn.map((d) => d.subjectId)).size).toBe(drawn.length);
        const asked = strategy === "all" ? size : Math.min(n, size);
        const random = drawn.filter((d) => d.random).length;
        if (strategy === "all" || strategy === "random") expect(random).toBe(asked);
        else expect(random).toBe(Math.round(asked * reserve));
        if (strategy !== "disagreement") expect(drawn.length).toBe(asked);
      },
    ),
  );
});

test("the reserve is drawn from everything, whatever the strategy wants", () => {
  const list = candidates(400, () => "s");
  const { length } = drawItems(list, { strategy: "disagreement", n: 100, seed: 3, reserve: 0.5 })
    .filter((d) => d.random)
    .filter((d) => list[d.subjectId - 1]?.split);
  // 50 of 400, of which a fifth are split: about 10; all 50 if it were drawn from what the strategy wants.
  expect(length).toBeGreaterThan(2);
  expect(length).toBeLessThan(25);
});

test("by type, rare ones are drawn whole before frequent ones take the rest", () => {
  const list = candidates(100, (i) => (i < 4 ? "rare" : i < 20 ? "some" : "many"));
  const drawn = drawItems(list, { strategy: "stratified", n: 30, seed: 1, reserve: 0 });
  const count = (s: string) => drawn.filter((d) => d.stratum === s).length;
  expect([count("rare"), count("some"), count("many")]).toEqual([4, 13, 13]);
});

test("narrowing asks where labels are short and sources split, and for nothing that people settled", () => {
  const list: Candidate[] = candidates(60, (i) => (i < 30 ? "known" : "open")).map((c) => ({
    ...c,
    labelled: c.subjectId === 60,
  }));
  const cells = new Map([
    ["known", { labels: 25, variance: unknownVariance(30, 12, 25) }],
    ["open", { labels: 0, variance: unknownVariance(30) }],
  ]);
  const drawn = drawItems(list, { strategy: "narrowing", n: 8, seed: 1, reserve: 0 }, cells);
  expect(drawn.every((d) => d.stratum === "open")).toBe(true);
  expect(drawn.slice(0, 6).every((d) => list[d.subjectId - 1]?.split)).toBe(true);
  const all = drawItems(list, { strategy: "narrowing", n: 60, seed: 1, reserve: 0 }, cells);
  expect(all.map((d) => d.subjectId)).not.toContain(60);
});

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
});
afterEach(() => db.$client.close());

const flagged: QueueSource = { kind: "trajectories", filters: NO_FILTERS, steps: "flagged" };
const wanted = (over: Partial<NewQueue> = {}): NewQueue => ({
  ...{ name: "q", question: "wrong", raters: 2, draw: { strategy: "random", n: 5, seed: 2 } },
  ...over,
});
const items = () =>
  db.$client
    .prepare(
      "select position, subject_id as subject, stratum, random, gold, gold_kind as kind from review_item order by position",
    )
    .all() as {
    position: number;
    subject: number;
    stratum: string;
    random: number;
    gold: string | null;
    kind: string | null;
  }[];

test("a plan says what creating then draws", () => {
  const [first = 0] = addFlagged(db, 1, 12);
  const lead = addPerson(db, "lead", "admin");
  const given = [{ subjectId: first, verdict: "right" as const }];
  const draw = { strategy: "stratified", n: 6, reserve: 0.5 } as const;
  const plan = planQueue(db, lead, flagged, wanted({ draw, given }));
  const made = createQueue(db, lead, flagged, wanted({ draw, given }));
  expect(plan).toMatchObject({ population: 12, items: 7, random: 3, answers: 14, gold: { mixed: 1 } });
  expect(made).toMatchObject({ items: plan.items, random: plan.random });
  expect(items().map((i) => i.position)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(items().filter((i) => i.kind === "gold")).toEqual([
    expect.objectContaining({ subject: first, gold: '{"verdict":"right"}', random: 0 }),
  ]);
});

test("a list filtered by a misbehavior asks about its steps, not about the others of the same trajectories", () => {
  addFlagged(db, 1, 1);
  const type = db.$client.prepare("select slug from error_type where taxonomy_id = 1 limit 1").pluck().get() as string;
  addFlagged(db, 2, 6, (i) => (i < 2 ? type : null));
  db.$client.exec(
    `insert into trajectory_type (scope, trajectory_id, error_steps) select id, 2, 2 from error_type where slug = '${type}'`,
  );
  const nameOf = (slug: string) => db.$client.prepare("select name from error_type where slug = ?").pluck().get(slug);
  expect(nameOf(type)).not.toBe(type);
  const lead = addPerson(db, "lead", "admin");
  const of = (misbehavior: string): QueueSource =>
    ({ ...flagged, filters: { ...NO_FILTERS, misbehavior } }) as QueueSource;
  expect(planQueue(db, lead, of(type), wanted())).toMatchObject({
    population: 2,
    strata: [{ name: type, label: nameOf(type), population: 2, drawn: 2 }],
  });
  expect(planQueue(db, lead, of("nowhere"), wanted()).population).toBe(0);
});

test("a queue keeps which steps it was drawn from, whoever made it", () => {
  addFlagged(db, 1, 3);
  const lead = addPerson(db, "lead", "admin");
  const kept = (name: string, source: QueueSource, filter?: Record<string, string>) => {
    const { queueId } = createQueue(db, lead, source, wanted({ name, draw: { strategy: "all", n: 3, filter } }));
    return getQueue(db, queueId).settings.draw.filter;
  };
  const every: QueueSource = { kind: "trajectories", filters: NO_FILTERS, steps: "all" };
  expect(kept("all", every)).toEqual({ list: "trajectories", of: "all" });
  expect(kept("flagged", flagged)).toEqual({ list: "trajectories" });
  expect(kept("any", { ...flagged, filters: { ...NO_FILTERS, misbehavior: "any" } }, { model: "m" })).toEqual({
    ...{ list: "trajectories", misbehavior: "any", model: "m" },
  });
});

test("localizers that differ: one calls it good, or the rules that saw it say nothing", () => {
  const steps = addFlagged(db, 1, 4);
  const s = db.$client;
  s.exec("insert into localizer (id, kind, name, version) values (902, 'model', 'm', '1')");
  const say = s.prepare("insert into localization (step_id, localizer_id, verdict) values (?, 902, ?)");
  say.run(steps[0], "good");
  say.run(steps[1], "bad");
  s.prepare("update localization set current = 0 where step_id = ? and localizer_id = 901").run(steps[2]);
  say.run(steps[2], "bad");
  say.run(steps[3], "failed");
  const lead = addPerson(db, "lead", "admin");
  createQueue(db, lead, flagged, wanted({ draw: { strategy: "disagreement", n: 4, reserve: 0 } }));
  expect(items().map((i) => i.subject)).toHaveLength(2);
  expect(new Set(items().map((i) => i.subject))).toEqual(new Set([steps[0], steps[2]]));
});

test("steps of catch trials come with their truth", () => {
  const steps = addFlagged(db, 1, 6);
  const s = db.$client;
  s.pragma("foreign_keys = off");
  const type = s.prepare("select id from error_type where taxonomy_id = 1 limit 1").pluck().get();
  s.prepare("insert into trial_step (step_id, profile_id, error_type_id) values (?, 1, ?), (?, 1, null)").run(
    steps[0],
    type,
    steps[1],
  );
  const lead = addPerson(db, "lead", "admin");
  createQueue(db, lead, flagged, wanted({ question: "types", catches: 9, draw: { strategy: "random", n: 2 } }));
  expect(
    items()
      .filter((i) => i.kind === "catch")
      .map((i) => [i.subject, JSON.parse(i.gold ?? "")]),
  ).toEqual(
    expect.arrayContaining([
      [steps[0], { verdict: "types", types: [type] }],
      [steps[1], { verdict: "right" }],
    ]),
  );
});

test("picked by hand: what is not there is refused, the rest is asked about", () => {
  const steps = addFlagged(db, 1, 3);
  const lead = addPerson(db, "lead", "admin");
  const picked: QueueSource = { kind: "ids", ids: [steps[2] ?? 0, 77] };
  createQueue(db, lead, picked, wanted({ draw: { strategy: "all", n: 1 } }));
  expect(items().map((i) => i.subject)).toEqual([steps[2]]);
  const given = [{ subjectId: 77, verdict: "wrong" as const }];
  expect(() => createQueue(db, lead, picked, wanted({ name: "other", given }))).toThrow("nothing with the id 77");
  expect(() => createQueue(db, lead, picked, wanted())).toThrow('named "q" is there');
  expect(() => createQueue(db, addPerson(db, "a"), picked, wanted({ name: "third" }))).toThrow("role admin");
});

test("a queue is closed, opened, told anew and made longer, each with its event", () => {
  addFlagged(db, 1, 8);
  const lead = addPerson(db, "lead", "admin");
  const { queueId } = createQueue(db, lead, flagged, wanted({ guideline: "look twice" }));
  const before = items().map((i) => i.subject);
  closeQueue(db, lead, queueId);
  expect(() => closeQueue(db, lead, queueId)).toThrow("closed already");
  reopenQueue(db, lead, queueId);
  expect(writeGuideline(db, lead, queueId, "look three times")).toEqual({ version: 2 });
  expect(() => writeGuideline(db, lead, queueId, "look three times ")).toThrow("says already");
  expect(extendQueue(db, lead, queueId, flagged, { strategy: "all", n: 1 })).toMatchObject({ items: 3 });
  expect(items().map((i) => i.position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(
    items()
      .slice(0, 5)
      .map((i) => i.subject),
  ).toEqual(before);
  const first = db.$client.prepare("select min(id) from review_item").pluck().get() as number;
  markGold(db, lead, queueId, first, { verdict: "wrong" });
  expect(() => markGold(db, lead, queueId, first, { verdict: "unsure" })).toThrow("no known answer");
  const kinds = db.$client.prepare("select kind from review_event where queue_id = ? order by id").pluck().all(queueId);
  expect(kinds).toEqual(["create", "close", "reopen", "guideline", "extend", "gold"]);
});
