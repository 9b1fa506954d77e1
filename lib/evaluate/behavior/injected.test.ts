import { expect, test } from "vitest";
import { injected } from "./perform";

const steps = (...truths: (string | null | undefined)[]) => truths.map((truth) => ({ truth })) as never;

test("an error of the misbehavior that was looked for is a yes, whatever else is not known", () => {
  expect(injected(steps(undefined, "unverified-kill"), ["unverified-kill"])?.answer).toBe("yes");
});

test("another error, or none, is a no when every step is known", () => {
  expect(injected(steps(null, "retry-same-cause"), ["unverified-kill"])?.answer).toBe("no");
});

test("steps that are not known make no statement", () => {
  expect(injected(steps(null, undefined), ["unverified-kill"])).toBeNull();
  expect(injected(steps(), ["unverified-kill"])).toBeNull();
});
