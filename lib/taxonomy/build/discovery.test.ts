import fc from "fast-check";
import { expect, test } from "vitest";
import { discoveryCurve, goodTuring, isCalm, type Sighting } from "./discovery";
import { absorb, sameType, similarity } from "./merge";
import { recurring, replay, type StoredBatch } from "./replay";
import { drawBatches, pieces, shuffled } from "./sample";

const sighting = (over: Partial<Sighting> & { number: number }): Sighting => ({
  phase: "propose",
  steps: 10,
  types: new Map(),
  oneOff: 0,
  newPattern: 0,
  newInTypes: 0,
  unclear: 0,
  ...over,
});

test("Good–Turing by hand: singletons over observations", () => {
  // 5 + 1 + 2 + 1 observations, two kinds seen once.
  expect(goodTuring([5, 1, 2, 1])).toEqual({ singletons: 2, observations: 9, mass: 2 / 9 });
  // Three steps that are a kind of their own are three more of each.
  expect(goodTuring([5, 1, 2, 1], 3)).toEqual({ singletons: 5, observations: 12, mass: 5 / 12 });
  expect(goodTuring([])).toEqual({ singletons: 0, observations: 0, mass: null });
  expect(goodTuring([4, 3]).mass).toBe(0);
});

test("the curve by hand over three batches", () => {
  const curve = discoveryCurve([
    sighting({
      number: 1,
      types: new Map([
        ["a", 4],
        ["b", 1],
      ]),
      oneOff: 2,
      newPattern: 6,
      newInTypes: 5,
      unclear: 2,
    }),
    sighting({
      number: 2,
      types: new Map([
        ["a", 3],
        ["c", 1],
      ]),
      newPattern: 1,
      newInTypes: 1,
    }),
    sighting({ phase: "refine", number: 1, steps: 5, types: new Map([["b", 2]]), unclear: 3 }),
  ]);
  expect(curve).toEqual([
    // a 4, b 1, two one-offs and one new pattern: 4 singletons of 8.
    {
      phase: "propose",
      number: 1,
      steps: 10,
      types: 2,
      newShare: 0.6,
      unseen: { singletons: 4, observations: 8, mass: 0.5 },
    },
    // a 7, b 1, c 1, three alone: 5 of 12.
    {
      phase: "propose",
      number: 2,
      steps: 20,
      types: 3,
      newShare: 0.1,
      unseen: { singletons: 5, observations: 12, mass: 5 / 12 },
    },
    // b 3: 4 of 14.
    {
      phase: "refine",
      number: 1,
      steps: 25,
      types: 3,
      newShare: 0,
      unseen: { singletons: 4, observations: 14, mass: 4 / 14 },
    },
  ]);
});

test("refining ends after enough calm batches in a row; a batch without an answer says nothing", () => {
  expect(isCalm([0.2, 0.01, 0.02], 0.05, 2)).toBe(true);
  expect(isCalm([0.01, 0.2, 0.02], 0.05, 2)).toBe(false);
  expect(isCalm([0.01, null, 0.02], 0.05, 2)).toBe(true);
  expect(isCalm([0.01], 0.05, 2)).toBe(false);
  expect(isCalm([0.05, 0.05], 0.05, 2)).toBe(false);
});

const type = (name: string, exampleIds: number[], definition = `is ${name}`) => ({
  name,
  definition,
  excludes: [],
  exampleIds,
});

test("types are one by name or by definition, and the wording with more examples stays", () => {
  expect(sameType(type("Retries blindly", []), type("retries, BLINDLY!", [], "other"))).toBe(true);
  expect(sameType(type("A", [], "Runs the same command again."), type("B", [], "runs the same command again"))).toBe(
    true,
  );
  expect(sameType(type("Guesses a value", []), type("Skips the check", []))).toBe(false);
  expect(similarity("a b c", "b c d")).toBe(0.5);
  const one = absorb([], [type("Retries blindly", [1], "short")], 1).candidates;
  const two = absorb(one, [type("retries blindly", [2, 3], "longer"), type("Other thing", [4])], 2);
  expect(two.candidates).toEqual([
    { ...type("retries blindly", [1, 2, 3], "longer"), batches: [1, 2] },
    { ...type("Other thing", [4]), batches: [2] },
  ]);
  expect(two.at).toEqual([0, 1]);
  expect(absorb(one, [type("retries blindly", [2, 3], "longer")], 2, { freeze: true }).candidates[0]?.definition).toBe(
    "short",
  );
});

test("replayed batches: recurrence counts batches, assignments of a refining batch count, unanswered batches do not", () => {
  const batches: StoredBatch[] = [
    {
      phase: "propose",
      number: 1,
      stepIds: [1, 2, 3, 4],
      answer: { types: [type("A", [1, 2]), type("B", [3])], unassigned: [{ id: 4, reason: "one_off" }] },
    },
    { phase: "propose", number: 2, stepIds: [5, 6], answer: null },
    {
      phase: "refine",
      number: 1,
      stepIds: [7, 8, 9],
      answer: {
        assignments: [{ id: 7, types: ["A"] }],
        newTypes: [type("Zed", [8, 7])],
        unassigned: [{ id: 9, reason: "new_pattern" }],
      },
    },
  ];
  const { types, sightings } = replay(batches.toReversed());
  expect(types.map((t) => [t.name, t.steps, t.batches])).toEqual([
    ["A", 3, [1, 2]],
    ["B", 1, [1]],
    ["Zed", 2, [2]],
  ]);
  // Step 8 is new in a type and 9 alone; 7 was known.
  expect(sightings[1]).toMatchObject({ newPattern: 2, newInTypes: 1 });
  expect(sightings[0]).toMatchObject({ newPattern: 3, newInTypes: 3, oneOff: 1 });
  expect(recurring(types, 2, 2).map((t) => t.name)).toEqual(["A"]);
  expect(recurring(types, 1, 5).map((t) => t.name)).toEqual(["A", "B", "Zed"]);
});

test("batches share no step, cover what there is, and come from the seed alone", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(1_000_000), { maxLength: 120 }),
      fc.nat(50),
      fc.integer({ min: 1, max: 30 }),
      (ids, seed, batchSize) => {
        const settings = { seed, batchSize, proposeBatches: 3, maxRefine: 2 };
        const { propose, refine } = drawBatches(ids, settings);
        expect(drawBatches(ids, settings)).toEqual({ propose, refine });
        const drawn = [...propose, ...refine].flat();
        expect(new Set(drawn).size).toBe(drawn.length);
        expect(drawn.length).toBe(Math.min(ids.length, batchSize * 5));
        expect(drawn.every((id) => ids.includes(id))).toBe(true);
      },
    ),
    { numRuns: 40 },
  );
  const many = Array.from({ length: 50 }, (_, i) => i);
  expect(shuffled(many, 1)).not.toEqual(shuffled(many, 2));
  expect(shuffled(many, 1).toSorted((a, b) => a - b)).toEqual(many);
  expect(pieces([1, 2, 3], 2)).toEqual([[1, 2], [3]]);
});
