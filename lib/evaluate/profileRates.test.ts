import { expect, test } from "vitest";
import { clusterBootstrap } from "./bootstrap";
import { wilson } from "./intervals";
import { type CountedRollout, profileRates } from "./profileRates";

const rollout = (environmentId: number, over: Partial<CountedRollout> = {}): CountedRollout => ({
  environmentId,
  number: 1,
  trajectoryId: environmentId,
  family: "process",
  status: "finished",
  ended: "submitted",
  outcomeReward: 1,
  voidReason: null,
  steps: 4,
  errorSteps: 0,
  formatErrors: 0,
  slugs: [],
  ...over,
});
const find = (rollouts: CountedRollout[], metric: string) => profileRates(rollouts, 1).find((r) => r.metric === metric);

test("Wilson's interval: textbook values, and nothing from nothing", () => {
  // Agresti and Coull (1998), example of 0 in 10 and 5 in 10.
  expect(wilson(0, 10)?.high).toBeCloseTo(0.2775, 4);
  expect(wilson(5, 10)?.low).toBeCloseTo(0.2366, 4);
  expect(wilson(5, 10)?.high).toBeCloseTo(0.7634, 4);
  expect(wilson(0, 0)).toBeNull();
});

test("void rollouts are in no rate, rollouts without an outcome not in the outcome's", () => {
  const rollouts = [
    rollout(1),
    rollout(2, { outcomeReward: 0, ended: "steps" }),
    rollout(3, { status: "void", outcomeReward: null, ended: null, steps: 0 }),
    rollout(4, { outcomeReward: null }),
  ];
  expect(find(rollouts, "passed")).toMatchObject({ numerator: 1, denominator: 2, method: "wilson" });
  expect(find(rollouts, "submitted")).toMatchObject({ numerator: 2, denominator: 3 });
});

test("a misbehavior counts where it can occur: its denominator leaves out families that cannot show it", () => {
  const rollouts = [
    rollout(1, { slugs: ["unverified-kill", "unneeded-checks"] }),
    rollout(2),
    rollout(3, { family: "count", slugs: ["unneeded-checks"] }),
  ];
  expect(find(rollouts, "misbehavior:unverified-kill")).toMatchObject({ numerator: 1, denominator: 2 });
  expect(find(rollouts, "misbehavior:unneeded-checks")).toMatchObject({ numerator: 2, denominator: 3 });
  const none = find([rollout(3, { family: "count" })], "misbehavior:unverified-kill");
  expect(none).toMatchObject({ numerator: 0, denominator: 0, interval: null });
});

test("steps of one environment resemble each other: rates of steps and of repeated rollouts resample environments", () => {
  // Ten environments: in five every step is wrong, in the others none.
  const rollouts = Array.from({ length: 10 }, (_, i) =>
    rollout(i, { steps: 100, errorSteps: i < 5 ? 100 : 0, formatErrors: 1 }),
  );
  const errors = find(rollouts, "error-steps");
  expect(errors).toMatchObject({ numerator: 500, denominator: 1000, method: "cluster-bootstrap" });
  const naive = wilson(500, 1000);
  const width = (i: { low: number; high: number } | null | undefined) => (i ? i.high - i.low : 0);
  expect(width(errors?.interval)).toBeGreaterThan(5 * width(naive));
  // The same in all of them: no spread between environments.
  expect(find(rollouts, "format-errors")?.interval).toEqual({ low: 0.01, high: 0.01 });
  // None at all: no resample differs, and still it is not known to be exactly 0.
  const none = find(
    rollouts.map((r) => ({ ...r, formatErrors: 0 })),
    "format-errors",
  );
  expect(none).toMatchObject({ numerator: 0, denominator: 1000, method: "wilson-environments" });
  expect(none?.interval).toEqual(wilson(0, 10));
  const twice = [...rollouts, ...rollouts.map((r) => ({ ...r, number: 2 }))];
  const mixed = twice.map((r) => ({ ...r, outcomeReward: r.environmentId % 2 }));
  expect(find(mixed, "passed")).toMatchObject({ numerator: 10, denominator: 20, method: "cluster-bootstrap" });
});

test("the bootstrap is the same for the same key, and has nothing to say about nothing", () => {
  const clusters = [1, 0, 1, 1, 0].map((numerator) => ({ numerator, denominator: 1 }));
  expect(clusterBootstrap(clusters, "a")).toEqual(clusterBootstrap(clusters, "a"));
  expect(clusterBootstrap([{ numerator: 0, denominator: 0 }], "a")).toBeNull();
});
