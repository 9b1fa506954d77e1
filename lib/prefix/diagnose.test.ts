import fc from "fast-check";
import { expect, test } from "vitest";
import { compare } from "./compare";
import { diagnose } from "./diagnose";
import { type Case, cases } from "./diagnose.fixture";

const causeOf = ({ command, earlier = [], recorded, rerun, codes = [0, 0] }: Case) =>
  diagnose({
    command,
    earlier,
    recorded: { text: recorded, exitCode: codes[0] },
    rerun: { text: rerun, exitCode: codes[1] },
  });

test.each(cases)("%s: %s", (cause, _, given) => {
  expect(causeOf(given).cause).toBe(cause);
});

test("names the earlier command that brought the difference in, and what differs", () => {
  const found = causeOf({
    command: "cat key.txt",
    earlier: ["echo hi", "openssl rand -hex 8 > key.txt", "ls"],
    recorded: "key aa11bb22\n",
    rerun: "key 0f0f0f0f\n",
  });
  expect(found).toMatchObject({ cause: "randomness", through: 1, recorded: "aa11bb22", rerun: "0f0f0f0f" });
});

const words = fc.array(
  fc.constantFrom("a", "12", "18:30:08", "pid 7", "\n", " ", "/tmp/tmp.abcdef1234", "0x7f12ab34cd56", "x"),
  {
    maxLength: 12,
  },
);

test("equal is never different; exact implies normalised implies the exit code; a cause is always found", () => {
  const code = fc.option(fc.integer({ min: 0, max: 3 }), { nil: null });
  fc.assert(
    fc.property(words, words, code, fc.integer({ min: 0, max: 3 }), (a, b, wasCode, isCode) => {
      const recorded = { text: a.join(""), exitCode: wasCode };
      const same = compare(recorded, { ...recorded, exitCode: wasCode ?? isCode });
      expect(same).toMatchObject({ exact: true, normalised: true });
      const rerun = { text: b.join(""), exitCode: isCode };
      const result = compare(recorded, rerun);
      if (result.exact) expect(result.normalised).toBe(true);
      if (result.normalised) expect(result.exitCode).not.toBe(false);
      if (!result.exact) expect(diagnose({ command: "x", earlier: [], recorded, rerun }).cause).toBeTruthy();
    }),
    { numRuns: 1000 },
  );
});
