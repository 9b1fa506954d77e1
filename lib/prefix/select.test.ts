import fc from "fast-check";
import { expect, test } from "vitest";
import { type Candidate, selectPrefixes } from "./select";

const TYPES = [1, 2, 3, 4];
const candidates = fc
  .array(
    fc.record({
      types: fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 4 }),
      environment: fc.option(fc.constantFrom("a", "b", "c", "d", "e", "fixed"), { nil: null }),
    }),
    { maxLength: 40 },
  )
  .map((list): Candidate[] => {
    const fixed = (name: string | null) => (name === "fixed" ? "heldout" : null);
    return list.map((c, i) => ({
      ...c,
      stepId: 1000 + i * 7,
      key: `step ${1000 + i * 7}`,
      fixed: fixed(c.environment),
    }));
  });
const params = fc.record({
  per: fc.integer({ min: 0, max: 12 }),
  seed: fc.integer(),
  heldOut: fc.constantFrom(0, 0.3, 0.5, 1),
});

/** Most prefixes that can be drawn: by flow, written the slow way (each type's places tried one after the other). */
function most(list: Candidate[], per: number): number {
  const taken = new Map<number, string>();
  const place = (slot: string, type: number, seen: Set<number>): boolean => {
    for (const c of list) {
      if (!c.types.includes(type) || seen.has(c.stepId)) continue;
      seen.add(c.stepId);
      const now = taken.get(c.stepId);
      if (now === undefined || place(now, Number(now.split("/")[0]), seen)) {
        taken.set(c.stepId, slot);
        return true;
      }
    }
    return false;
  };
  let n = 0;
  for (const type of TYPES) for (let i = 0; i < per; i++) if (place(`${type}/${i}`, type, new Set())) n++;
  return n;
}

test("draws what was asked or all there is, never a step twice, only for its misbehaviors, the same each time", () => {
  fc.assert(
    fc.property(candidates, params, (list, p) => {
      const { drawn, types } = selectPrefixes(list, TYPES, p);
      expect(new Set(drawn.map((d) => d.stepId)).size).toBe(drawn.length);
      for (const d of drawn) expect(list.find((c) => c.stepId === d.stepId)?.types).toContain(d.errorTypeId);
      for (const t of types) {
        expect(t.drawn).toBe(drawn.filter((d) => d.errorTypeId === t.errorTypeId).length);
        expect(t.drawn).toBeLessThanOrEqual(Math.min(t.asked, t.available));
        expect(t.available).toBe(list.filter((c) => c.types.includes(t.errorTypeId)).length);
      }
      expect(drawn.length).toBe(most(list, p.per));
      expect(selectPrefixes(list.toReversed(), TYPES, p).drawn).toEqual(drawn);
    }),
  );
});

test("an environment lies wholly in one part; shares and fixed splits hold", () => {
  fc.assert(
    fc.property(candidates, params, (list, p) => {
      const { drawn } = selectPrefixes(list, TYPES, { ...p, per: 100 });
      const parts = new Map<string, Set<string | null>>();
      for (const d of drawn) {
        const environment = list.find((c) => c.stepId === d.stepId)?.environment ?? null;
        if (environment === null) expect(d.split).toBeNull();
        else parts.set(environment, (parts.get(environment) ?? new Set()).add(d.split));
      }
      for (const splits of parts.values()) expect(splits.size).toBe(1);
      if (parts.has("fixed")) expect([...(parts.get("fixed") ?? [])]).toEqual(["heldout"]);
      const free = [...parts].filter(([name]) => name !== "fixed");
      expect(free.filter(([, s]) => s.has("heldout")).length).toBe(Math.round(free.length * p.heldOut));
    }),
  );
});

test("another seed draws others; more data does not move the order of what was there", () => {
  const list = Array.from(
    { length: 200 },
    (_, i): Candidate => ({ stepId: i, key: `step ${i}`, types: [1], environment: `e${i % 20}`, fixed: null }),
  );
  const ids = (seed: number, from: Candidate[]) =>
    selectPrefixes(from, [1], { per: 20, seed, heldOut: 0.3 }).drawn.map((d) => d.stepId);
  expect(ids(1, list)).not.toEqual(ids(2, list));
  const half = ids(1, list.slice(0, 100));
  const all = ids(1, list);
  expect(all.filter((id) => id < 100).every((id) => half.includes(id))).toBe(true);
});

test("what is drawn depends on the keys of steps, not on the ids they got", () => {
  fc.assert(
    fc.property(candidates, params, (list, p) => {
      const other = list.map((c, i) => ({ ...c, stepId: 1_000_000 - i * 3 }));
      const keys = (from: Candidate[]) =>
        selectPrefixes(from, TYPES, p).drawn.map((d) => [
          from.find((c) => c.stepId === d.stepId)?.key,
          d.errorTypeId,
          d.split,
        ]);
      expect(keys(other)).toEqual(keys(list));
    }),
  );
});
