import fc from "fast-check";
import { expect, it } from "vitest";
import { MISBEHAVIOR_SLUGS, MISBEHAVIORS } from "@/lib/profile/misbehaviors";
import type { Step } from "@/lib/trajectory/types";
import { localize, outputText } from "./index";
import { expired, run, say, system, user } from "./steps.fixture";

const COMMANDS = [
  "ls -la /app",
  "cat a.txt",
  "make all",
  "make all 2>&1 | tail -5",
  "pkill -f python3",
  "kill 4711",
  "cat cow.png",
  "echo 'All tests passed'",
  "echo 4817 > /app/code.txt",
  "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT",
  "cd /srv",
  "pytest -q; echo 'tests passed'",
  "./serve &",
  "if then (",
  "",
  "cat > /app/a <<'EOF'\nx\nEOF",
  "bash -c 'pkill java'",
];
const OUTPUTS = [
  "",
  "total 8\na",
  "make: *** [all] Error 1",
  "collected 0 items",
  "\u0000\ufffd\u0001\u0002\u0003",
  "4711 barn",
  "(no output)",
];
const weird = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.constant("\ud800 lone"),
  fc.constant("probably 4817"),
  fc.constant("tests pass"),
);

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(
          fc.oneof(fc.constantFrom(...COMMANDS), weird),
          fc.oneof(fc.constantFrom(...OUTPUTS, null), weird),
          fc.constantFrom(0, 1, 2, 124, 127, null),
          fc.option(weird),
          fc.boolean(),
        )
        .map(([c, o, e, thinking, copied]) => run(c, o, e, { thinking, copied: copied && e === 1 })),
    },
    { weight: 1, arbitrary: fc.constantFrom(...COMMANDS).map(expired) },
    { weight: 1, arbitrary: fc.option(weird).map((t) => say(t)) },
    { weight: 1, arbitrary: weird.map((t) => user(t)) },
    { weight: 1, arbitrary: fc.constant(user("bad form", { note: "format-error" })) },
    { weight: 1, arbitrary: fc.constant(system("exactly one bash call")) },
  ),
  { maxLength: 30 },
);

function text(step: Step, part: string): string {
  if (part === "command") return step.call?.command ?? "";
  if (part === "output") return outputText(step) ?? "";
  return (part === "thinking" ? step.thinking : step.message) ?? "";
}

it("never throws, flags agent steps only, and its evidence lies inside texts that were there by then", () => {
  let seen = 0;
  fc.assert(
    fc.property(steps, (list) => {
      for (const f of localize(list)) {
        seen++;
        expect(list[f.step]?.kind).toBe("agent");
        expect(list[f.step]?.copied).toBe(false);
        expect(f.reason).toMatch(/^[^\n]+\.$/s);
        expect(f.commandSeen).not.toMatch(/[\n\r]/);
        for (const e of f.evidence) {
          expect(e.step).toBeLessThanOrEqual(f.step);
          expect(e.start).toBeGreaterThanOrEqual(0);
          expect(e.end).toBeGreaterThanOrEqual(e.start);
          expect(e.end).toBeLessThanOrEqual(text(list[e.step]!, e.part).length);
        }
      }
    }),
    { numRuns: 300 },
  );
  expect(seen).toBeGreaterThan(100);
});

it("has no hindsight: what follows changes no finding", () => {
  fc.assert(
    fc.property(steps, fc.nat(30), (list, k) => {
      expect(localize(list.slice(0, k))).toEqual(localize(list).filter((f) => f.step < k));
    }),
    { numRuns: 300 },
  );
});

it("skips copied steps as evidence and as findings", () => {
  const copy = run("ls -la /app", "a", 0, { copied: true });
  expect(localize([copy, { ...copy, copied: false }])).toEqual([]);
});

it("looks at each step a bounded number of times, however long the trajectory", () => {
  const perStep = (count: number): number => {
    let reads = 0;
    const list = Array.from({ length: count }, (_, i) => {
      const step = run(
        [`ls d${i % 50}`, "make all", `kill ${i}`, "echo 77 > f"][i % 4]!,
        i % 4 === 1 ? "make: *** Error" : `out ${i}`,
        i % 4 === 1 ? 2 : 0,
        { thinking: `probably ${i}77` },
      );
      return new Proxy(step, {
        get(target, key, self) {
          reads++;
          return Reflect.get(target, key, self);
        },
      });
    });
    localize(list);
    return reads / count;
  };
  const [short, long] = [perStep(500), perStep(10_000)];
  expect(long).toBeLessThan(short * 1.2);
});

it("describes each of the eight once", () => {
  expect(MISBEHAVIORS.map((m) => m.slug)).toEqual([...MISBEHAVIOR_SLUGS]);
  for (const m of MISBEHAVIORS)
    expect([m.definition, m.example, m.looksFor, ...m.not].every((t) => t.length > 20)).toBe(true);
});

it("judges a rejected step and forgets it; remembers the correction that ran and does not judge it", () => {
  const failed = run("make all", "make: *** [all] Error 1", 2);
  const found = (steps: Step[]) => localize(steps).map((f) => [f.step, f.misbehavior]);
  const rejected = { ...run("make all", null), note: "rejected" as const };
  expect(found([failed, rejected])).toEqual([[1, "retry-same-cause"]]);
  // Nothing of it happened: the next one repeats the run before it.
  expect(
    found([failed, { ...run("touch x", null), note: "rejected" }, run("make all", "make: *** [all] Error 1", 2)]),
  ).toEqual([[2, "retry-same-cause"]]);
  const correction = (command: string, output: string, code = 0) => ({
    ...run(command, output, code),
    note: "correction" as const,
  });
  expect(found([failed, rejected, correction("make all", "make: *** [all] Error 1", 2)])).toEqual([
    [1, "retry-same-cause"],
  ]);
  expect(found([failed, rejected, correction("touch x", ""), run("make all", "ok")])).toEqual([
    [1, "retry-same-cause"],
  ]);
  expect(found([correction("cat a.txt", "a"), run("cat a.txt", "a")])).toEqual([[1, "unneeded-checks"]]);
});

it("before it runs, a step is judged without what came back for it", () => {
  const bytes = "\u0000\ufffd\u0001\u0002\u0003".repeat(4);
  const steps = [run("cat notes.txt", bytes), run("cat cow.png", "a cow")];
  expect(localize(steps).map((f) => f.step)).toEqual([0]);
  expect(localize(steps, { beforeRun: true }).map((f) => f.step)).toEqual([1]);
  // What came back for earlier steps is known, of course.
  const again = [run("make all", "make: *** [all] Error 1", 2), run("make all", null)];
  expect(localize(again, { beforeRun: true }).map((f) => f.misbehavior)).toEqual(["retry-same-cause"]);
});
