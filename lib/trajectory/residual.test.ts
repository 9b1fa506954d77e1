import fc from "fast-check";
import { expect, test } from "vitest";
import { residualSource, restoreSource } from "./residual";
import type { Json, Observation } from "./types";

const text = fc.string({ unit: "binary", maxLength: 120 }).map((s) => s.padEnd(50, "·"));
const observation = text.map(
  (content): Observation => ({
    callId: null,
    content,
    output: null,
    full: null,
    exitCode: null,
    timedOut: false,
    error: null,
  }),
);

test("a stored source comes back as it was, whatever its keys and texts", () => {
  fc.assert(
    fc.property(
      text,
      text,
      fc.array(observation, { maxLength: 3 }),
      fc.array(fc.jsonValue()),
      (message, thinking, observations, rest) => {
        const source = [
          { role: "assistant", content: message, nested: { thinking, again: [message] } },
          ...observations.map((o) => ({ role: "tool", content: o.content })),
          { $misstep: 0, other: message },
          { $misstep: { $misstep: message } },
          JSON.parse('{"__proto__": {"x": 1}}'),
          ...(rest as Json[]),
        ];
        const step = { message, thinking, call: null, observations, source };
        const stored = { ...step, source: JSON.parse(JSON.stringify(residualSource(step))) };
        expect(JSON.stringify(restoreSource(stored))).toBe(JSON.stringify(source));
      },
    ),
  );
});

test("a text that the step holds is not stored twice", () => {
  const message = "x".repeat(5000);
  const stored = residualSource({
    message,
    thinking: null,
    call: null,
    observations: [],
    source: [{ content: message }],
  });
  expect(JSON.stringify(stored).length).toBeLessThan(100);
});
