import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { agreementTables, disagreements, type LabelledTrajectory, listLocalizers } from "@/db/queries/localizers";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { storeHumanLabels } from "@/lib/profile/humanLabels";
import { storeOwnTrajectory } from "@/lib/profile/record";
import { run, user } from "@/lib/profile/rules/steps.fixture";
import { storeVerdict } from "@/lib/profile/storeVerdict";
import { emptyTrajectory } from "@/lib/trajectory/build";
import { agreementOf, kappaOf, tableBootstrap } from "./agreement";
import { localizerScore, scoreOf } from "./localizerScores";

let db: Db;
beforeEach(() => {
  db = openMemoryDb();
  seedBuiltinTypes(db);
});
afterEach(() => db.$client.close());

test("kappa is agreement beyond chance, and undefined where nobody ever says the other word", () => {
  // Cohen's own kind of example: 20 both yes, 15 both no, 5 and 10 apart: po 0.7, pe 0.5.
  const table = { bothBad: 20, firstBad: 5, secondBad: 10, bothGood: 15 };
  expect(agreementOf(table)).toBeCloseTo(0.7, 12);
  expect(kappaOf(table)).toBeCloseTo(0.4, 12);
  expect(kappaOf({ bothBad: 0, firstBad: 0, secondBad: 0, bothGood: 9 })).toBeNull();
  expect(kappaOf({ bothBad: 0, firstBad: 0, secondBad: 0, bothGood: 0 })).toBeNull();
});

test("the interval resamples trajectories and is the same every time", () => {
  const clusters = Array.from({ length: 12 }, (_, i) => ({ bothBad: 3, firstBad: i % 3, secondBad: 1, bothGood: 6 }));
  const interval = tableBootstrap(clusters, kappaOf, "k");
  expect(interval).toEqual(tableBootstrap(clusters, kappaOf, "k"));
  const whole = kappaOf({ bothBad: 36, firstBad: 12, secondBad: 12, bothGood: 72 }) ?? 0;
  expect(interval?.low).toBeLessThan(whole);
  expect(interval?.high).toBeGreaterThan(whole);
  expect(tableBootstrap(clusters.slice(0, 1), kappaOf, "k")).toBeNull();
});

const labelled = (over: Partial<LabelledTrajectory>): LabelledTrajectory => ({
  trajectoryId: 1,
  steps: 10,
  decisive: 5,
  category: null,
  judged: 10,
  flagged: [],
  types: [],
  ...over,
});

test("the first flag is the prediction; a trajectory without a flag is a miss, one that was not judged is no trial", () => {
  const score = scoreOf("agentrx", [
    labelled({ flagged: [5] }),
    labelled({ flagged: [6, 5] }),
    labelled({ flagged: [2], judged: 9 }),
    labelled({ flagged: [1, 5], category: "invention-of-new-information", types: ["guess-as-fact"] }),
    labelled({ category: "invalid-invocation" }),
    labelled({ judged: 0 }),
  ]);
  expect(score).toMatchObject({
    labelled: 6,
    judged: 5,
    incomplete: 1,
    withoutFlag: 1,
    exact: { hits: 1, of: 5 },
    withinOne: { hits: 2, of: 5 },
    withinThree: { hits: 3, of: 5 },
    among: { hits: 3, of: 5 },
    sameType: { hits: 1, of: 2 },
    unmappable: 3,
  });
  expect(scoreOf("who-and-when", [labelled({ flagged: [5] })])).toMatchObject({ sameType: { of: 0, interval: null } });
});

const model = { kind: "model", name: "m", version: "1" } as const;
const say = (id: number, index: number, verdict: "good" | "bad") =>
  storeVerdict(db, id, index, model, {
    judgement: { verdict, commandSeen: "x", reason: `m: ${verdict}`, findings: [], reply: null, usage: null },
  });

test("rules and a model are compared over the steps that both judged", () => {
  const trajectory = emptyTrajectory("mini-swe-agent-2");
  trajectory.steps = [
    user("Do it."),
    run("make", "make: *** Error 1", 2),
    run("make", "make: *** Error 1", 2),
    run("ls", "a"),
  ];
  const id = storeOwnTrajectory(db, trajectory);
  say(id, 1, "good");
  say(id, 2, "good");
  say(id, 3, "bad");
  storeVerdict(
    db,
    id,
    3,
    { ...model, name: "silent" },
    { failure: { kind: "failed", message: "503", reply: null, callId: null } },
  );
  storeHumanLabels(db, id, [
    { step: 1, dataset: "d", category: null, reason: "early", root: false },
    { step: 3, dataset: "d", category: "Odd", reason: "the cause", root: true },
  ]);
  const rows = listLocalizers(db);
  const [rules, m, silent, people] = rows;
  if (!rules || !m || !silent || !people) throw new Error("a localizer is missing");
  expect(rows.map((r) => [r.kind, r.judged, r.bad, r.good, r.failed])).toEqual([
    ["rule", 3, 1, 2, null],
    ["model", 3, 1, 2, 0],
    ["model", 0, 0, 0, 1],
    ["dataset", null, 2, null, null],
  ]);
  expect(agreementTables(db, rules, m)).toEqual([
    { trajectoryId: id, bothBad: 0, firstBad: 1, secondBad: 1, bothGood: 1 },
  ]);
  expect(agreementTables(db, m, silent)).toEqual([]);
  const differ = disagreements(db, rules, m, { limit: 9 });
  expect(differ).toMatchObject([
    { number: 2, firstBad: 1, secondReason: "m: good" },
    { number: 3, firstBad: 0, firstReason: null, secondReason: "m: bad" },
  ]);
  expect(disagreements(db, rules, m, { after: differ[0]?.stepId, limit: 9 })).toHaveLength(1);
  // People's decisive step is the root cause, entry 3: the model's first flag; the rules' is entry 2.
  expect(localizerScore(db, "d", m)).toMatchObject({ labelled: 1, judged: 1, exact: { hits: 1 }, among: { hits: 1 } });
  expect(localizerScore(db, "d", rules)).toMatchObject({ exact: { hits: 0 }, withinOne: { hits: 1 } });
  expect(localizerScore(db, "d", silent)).toMatchObject({ labelled: 1, judged: 0, exact: { hits: 0, of: 0 } });
});
