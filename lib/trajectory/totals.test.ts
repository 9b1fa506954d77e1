import { expect, it } from "vitest";
import { emptyStep, emptyTrajectory, turnSteps } from "./build";
import { toolCall } from "./tool-calls";
import { countSteps, totals } from "./totals";
import { NO_USAGE } from "./types";
import { instantOf, usageOf, wholeOf } from "./value";

it("fills what is not stated from the steps, copied ones left out; 0 USD and nothing known stay unknown", () => {
  const trajectory = emptyTrajectory("chat");
  const step = (promptTokens: number, at: string, copied = false) => ({
    ...emptyStep("agent", 0),
    usage: { ...NO_USAGE, promptTokens, costUsd: 0 },
    time: instantOf(at),
    copied,
  });
  trajectory.steps = [
    step(99, "2024-01-01T00:00:00Z", true),
    step(1, "2025-01-01T00:00:00Z"),
    step(2, "2025-01-01T00:00:05Z"),
  ];
  trajectory.usage.completionTokens = 7;
  totals(trajectory);
  expect(trajectory.usage).toEqual({
    promptTokens: 3,
    completionTokens: 7,
    cachedTokens: null,
    reasoningTokens: null,
    costUsd: null,
  });
  expect(trajectory.durationMs).toBe(5000);
});

it("counts steps, model replies and commands", () => {
  const calls = ["a", "b"].map((command) => toolCall(null, "bash", { command }));
  const steps = [
    ...turnSteps({ turn: 0, thinking: null, message: null, calls, source: [] }),
    emptyStep("user", null),
    { ...emptyStep("agent", 1), copied: true },
  ];
  expect(countSteps(steps)).toEqual({ steps: 2, turns: 1, commands: 2, observations: 0 });
});

it("reads times with, without and in odd zones, and keeps those it cannot read", () => {
  expect(instantOf("2025-01-01T00:00:00.123456+01:00")).toMatchObject({
    ms: Date.parse("2024-12-31T23:00:00.123Z"),
    zoned: true,
  });
  expect(instantOf("2025-01-01 00:00:00")).toMatchObject({ ms: Date.parse("2025-01-01T00:00:00Z"), zoned: false });
  expect(instantOf(1700000000.25)).toMatchObject({ ms: 1700000000250, zoned: true });
  expect(instantOf("2024-01-15T10:30:00.000Z.362035")).toEqual({
    raw: "2024-01-15T10:30:00.000Z.362035",
    ms: null,
    zoned: false,
  });
  expect(instantOf("")).toBeNull();
  for (const raw of [-9e99, 1e300, 8.65e15]) expect(instantOf(raw)).toEqual({ raw, ms: null, zoned: true });
});

it("a count is a whole number that is kept exactly, or not known", () => {
  const given = [null, 12, 12.5, 0, -3, 2 ** 53, 1e300, Number.NaN, Number.POSITIVE_INFINITY];
  expect(given.map(wholeOf)).toEqual([null, 12, 13, 0, -3, null, null, null, null]);
});

it("counts cached tokens into the prompt where the API keeps them apart", () => {
  expect(usageOf({ input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 5 })).toMatchObject({
    promptTokens: 100,
    cachedTokens: 90,
    completionTokens: 5,
  });
  expect(usageOf({ prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 90 } })).toMatchObject({
    promptTokens: 100,
    cachedTokens: 90,
  });
  expect(usageOf({})).toBeNull();
});

it("counts a rejected step but not its command, and leaves the teacher's correction to the teacher", () => {
  const step = (turn: number, note: "rejected" | "correction" | null, promptTokens: number) => ({
    ...emptyStep("agent", turn),
    call: toolCall(null, "bash", { command: "ls" }),
    usage: { ...NO_USAGE, promptTokens },
    note,
  });
  const steps = [step(0, null, 1), step(1, "rejected", 10), step(2, "correction", 100)];
  expect(countSteps(steps)).toEqual({ steps: 2, turns: 2, commands: 1, observations: 0 });
  expect(totals({ ...emptyTrajectory("misstep"), steps }).usage.promptTokens).toBe(11);
});
