import fc from "fast-check";
import { expect, test } from "vitest";
import type { Example, KnownType } from "@/lib/taxonomy/types";
import { labelRole, partOf } from "./label";
import { proposeRole } from "./propose";
import { refineRole } from "./refine";
import { rulesAnnotator } from "./rules";

const example = (id: number, over: Partial<Example> = {}): Example => ({
  id,
  command: `run ${id}`,
  commandSeen: null,
  reason: `because ${id}`,
  detected: [],
  ...over,
});
// Step ids are large; the batch counts from 1.
const batch = [1_048_577, 2_097_153, 3_145_729, 4_194_305].map((id) => example(id));
const [A, B, C, D] = batch.map((e) => e.id) as [number, number, number, number];
const known = (name: string, over: Partial<KnownType> = {}): KnownType => ({
  id: 1,
  name,
  definition: "d",
  excludes: [],
  examples: [],
  detectors: [],
  ...over,
});
const types = [known("Blind retry"), known("Wild guess")];
const label = (reply: unknown) => labelRole.parse(JSON.stringify(reply), { types, batch });

test("a proposal in order is read with step ids", () => {
  const reply = {
    types: [{ name: "Blind retry", definition: "d", is_not: ["a tested fix"], example_ids: [1, 2] }],
    unassigned: [
      { id: 3, reason: "one_off" },
      { id: 4, reason: "new_pattern" },
    ],
  };
  expect(proposeRole.parse(JSON.stringify(reply), batch)).toEqual({
    ok: true,
    output: {
      types: [{ name: "Blind retry", definition: "d", excludes: ["a tested fix"], exampleIds: [A, B] }],
      unassigned: [
        { id: C, reason: "one_off" },
        { id: D, reason: "new_pattern" },
      ],
    },
    repairs: [],
  });
});

test("wrong, missing and doubled ids of a proposal are mended and said; one that answers for few steps is none", () => {
  const read = proposeRole.parse(
    `Sure:\n\`\`\`json\n${JSON.stringify({
      types: [
        { name: "Blind retry", definition: "d", example_ids: ["#1", 1, 99] },
        { name: "Nothing of ours", definition: "d", example_ids: [77] },
      ],
      unassigned: [
        { id: 1, reason: "one_off" },
        { id: 2, reason: "dunno" },
      ],
    })}\n\`\`\``,
    batch,
  );
  if (!read.ok) throw new Error(read.reason);
  expect(read.output.types).toMatchObject([{ name: "Blind retry", exampleIds: [A] }]);
  expect(read.output.unassigned).toEqual([
    { id: B, reason: "unclear" },
    { id: C, reason: "unclear" },
    { id: D, reason: "unclear" },
  ]);
  const said = read.repairs.join("; ");
  for (const words of ["twice", "99", "Nothing of ours", "taken as unclear: 3, 4", "stays in the type"])
    expect(said).toContain(words);
  const few = { types: [], unassigned: [{ id: 1, reason: "one_off" }] };
  expect(proposeRole.parse(JSON.stringify(few), batch)).toMatchObject({ ok: false });
});

test("refining: exact names, repeated types are the ones of the list, invented ones are left out", () => {
  const read = refineRole.parse(
    JSON.stringify({
      assignments: [
        { id: 1, types: ["blind  RETRY"] },
        { id: 2, types: ["Made up"] },
      ],
      unassigned: [],
      new_types: [
        { name: "Wild guess", definition: "other", example_ids: [3] },
        { name: "Fresh habit", definition: "d", example_ids: [4] },
      ],
    }),
    { types, batch },
  );
  if (!read.ok) throw new Error(read.reason);
  expect(read.output.assignments).toEqual([
    { id: C, types: ["Wild guess"] },
    { id: A, types: ["Blind retry"] },
  ]);
  expect(read.output.newTypes).toMatchObject([{ name: "Fresh habit", exampleIds: [D] }]);
  expect(read.output.unassigned).toEqual([{ id: B, reason: "unclear" }]);
  expect(read.repairs.join("; ")).toContain("Made up");
});

test("labelling: every step has one answer or the reply is not read; nothing missing becomes none", () => {
  const whole = { assignments: [{ id: 1, types: ["Blind retry", "Wild guess"] }], unassigned: [2, { id: "3" }, "4"] };
  expect(label(whole)).toMatchObject({
    ok: true,
    output: { assignments: [{ id: A, types: ["Blind retry", "Wild guess"] }], unassigned: [B, C, D] },
  });
  const missing = { assignments: [{ id: 1, types: ["Blind retry"] }], unassigned: [2, 3] };
  expect(label(missing)).toEqual({ ok: false, reason: "no single answer for the numbers 4 of the batch" });
  expect(label({ assignments: [{ id: 1, types: ["Blind retry"] }], unassigned: [1, 2, 3, 4] })).toMatchObject({
    ok: false,
  });
  // Only an invented type: it fits something, so "none" would be a guess.
  expect(label({ assignments: [{ id: 1, types: ["Made up"] }], unassigned: [2, 3, 4] })).toMatchObject({ ok: false });
  const part = partOf(JSON.stringify(missing), { types, batch });
  expect(part?.output).toEqual({ assignments: [{ id: A, types: ["Blind retry"] }], unassigned: [B, C] });
  expect(part?.repairs.join()).toContain("4: they count as unparsed");
  expect(partOf("no", { types, batch })).toBeNull();
});

test("whatever a labelling reply holds, no step is answered twice, none is made up, and names are of the list", () => {
  const id = fc.oneof(fc.integer({ min: -1, max: 6 }), fc.constantFrom("1", "#2", "x", "3."));
  const reply = fc.record({
    assignments: fc.array(
      fc.record({ id, types: fc.array(fc.constantFrom("Blind retry", "wild guess", "Made up"), { maxLength: 3 }) }),
      { maxLength: 6 },
    ),
    unassigned: fc.array(id, { maxLength: 6 }),
  });
  fc.assert(
    fc.property(reply, (given) => {
      const part = partOf(JSON.stringify(given), { types, batch });
      if (part === null) return;
      const answered = [...part.output.assignments.map((a) => a.id), ...part.output.unassigned];
      expect(new Set(answered).size).toBe(answered.length);
      expect(answered.every((step) => batch.some((e) => e.id === step))).toBe(true);
      for (const a of part.output.assignments) {
        expect(a.types.length).toBeGreaterThan(0);
        expect(a.types.every((name) => types.some((t) => t.name === name))).toBe(true);
      }
      const strict = labelRole.parse(JSON.stringify(given), { types, batch });
      expect(strict.ok).toBe(answered.length === batch.length);
    }),
    { numRuns: 300 },
  );
});

test("rules: one type a misbehavior found, unclear where they found nothing, none of what they cannot see", async () => {
  const seen = [
    example(1, { detected: ["binary-as-text"] }),
    example(2, { detected: ["binary-as-text", "unverified-kill"] }),
    example(3),
  ];
  const { output } = await rulesAnnotator.propose(seen);
  expect(output.types.map((t) => [t.detectors, t.exampleIds])).toEqual([
    [["unverified-kill"], [2]],
    [["binary-as-text"], [1, 2]],
  ]);
  expect(output.unassigned).toEqual([{ id: 3, reason: "unclear" }]);
  const merged = [known("Both", { detectors: ["binary-as-text", "unverified-kill"] }), known("By words")];
  expect((await rulesAnnotator.label(merged, seen)).output).toEqual({
    assignments: [
      { id: 1, types: ["Both"] },
      { id: 2, types: ["Both"] },
    ],
    unassigned: [3],
  });
  const half = [known("Kills", { detectors: ["unverified-kill"] })];
  const refined = (await rulesAnnotator.refine(half, seen)).output;
  expect(refined.newTypes.map((t) => t.exampleIds)).toEqual([[1, 2]]);
  expect(refined.assignments).toEqual([{ id: 2, types: ["Kills"] }]);
});
