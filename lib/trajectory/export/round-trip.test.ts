import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyStep, emptyTrajectory, observation as observed } from "@/lib/trajectory/build";
import { stepsFingerprint } from "@/lib/trajectory/fingerprint";
import { SAMPLES } from "@/lib/trajectory/samples";
import { importOne } from "@/lib/trajectory/testing";
import type { Json, JsonObject, Observation, Step, ToolCall, Trajectory } from "@/lib/trajectory/types";
import { toAtif } from "./atif";
import { toChatLine } from "./chat";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    "\0",
    "\ud800",
    "a\udc00b",
    "\r\n",
    "\u001b[31mred\u001b[0m",
    "<think>x</think>y",
    "```bash\nls\n```",
    "<returncode>1</returncode>",
    "(exit_code=3)",
    "Format error",
    "attachment://x",
  ),
);
const maybe = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: null });
const count = fc.integer({ min: 0, max: 1e6 });

const observation: fc.Arbitrary<Observation> = fc.record({
  callId: maybe(fc.oneof(fc.constantFrom("a", "b", ""), text)),
  content: maybe(text),
  output: maybe(fc.tuple(count, count)),
  full: maybe(text),
  exitCode: maybe(fc.integer({ min: -1, max: 255 })),
  timedOut: fc.boolean(),
  error: maybe(text),
});
const call: fc.Arbitrary<ToolCall> = fc.record({
  id: maybe(fc.oneof(fc.constantFrom("a", "b", ""), text)),
  name: fc.oneof(fc.constantFrom("bash", ""), text),
  arguments: fc.oneof(
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json),
    fc.constantFrom<Json>(
      "",
      '{"command": "ls"}',
      '{"command":"ls"}',
      '{"a": "\\u00e9"}',
      "not json",
      null,
      { command: "x" },
      JSON.parse('{"__proto__": {"x": 1}}') as Json,
    ),
  ),
  command: maybe(text),
});
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("agent", "agent", "agent", "user", "system"),
  turn: maybe(fc.integer({ min: 0, max: 3 })),
  actor: maybe(text),
  thinking: maybe(text),
  message: maybe(text),
  call: maybe(call),
  observations: fc.array(observation, { maxLength: 3 }),
  time: fc.constant(null),
  durationMs: maybe(count),
  usage: fc.constant(null),
  note: fc.constantFrom(null, "format-error", "exit", "summary", "event", "rejected", "correction"),
  copied: fc.boolean(),
  source: fc.constant([]),
});

async function reread(content: string, name: string): Promise<Trajectory> {
  const { trajectories, results } = await importOne(content, name);
  expect(trajectories, JSON.stringify(results)).toHaveLength(1);
  return trajectories[0]!;
}

describe("exports", () => {
  it("give the same steps again, whatever the steps are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const trajectory = { ...emptyTrajectory("chat"), steps };
        const before = stepsFingerprint(steps);
        expect(stepsFingerprint((await reread(JSON.stringify(toAtif(trajectory)), "t.json")).steps)).toBe(before);
        expect(stepsFingerprint((await reread(`${toChatLine(trajectory)}\n`, "t.jsonl")).steps)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  it("never let a rejected step look like something that ran, and show the correction as what did", () => {
    const at = (turn: number, command: string, note: Step["note"]): Step => ({
      ...emptyStep("agent", turn),
      message: `I will ${command}`,
      call: { id: null, name: "bash", arguments: { command }, command },
      note,
    });
    const ran = observed("done\n\n(exit_code=0)");
    const steps = [at(0, "rm -r wrong", "rejected"), { ...at(1, "rm right", "correction"), observations: [ran] }];
    const trajectory = { ...emptyTrajectory("misstep"), steps };
    const withoutHints = (key: string, value: unknown) => (key === "misstep" ? undefined : value);
    for (const text of [
      JSON.stringify(toAtif(trajectory), withoutHints),
      JSON.stringify(JSON.parse(toChatLine(trajectory)), withoutHints),
    ]) {
      expect(text).not.toContain("wrong");
      expect(text).toContain("rm right");
      expect(text.match(/"tool_call_id"|"tool_calls"/g)?.length).toBeGreaterThan(0);
    }
    const messages = (JSON.parse(toChatLine(trajectory)) as { messages: JsonObject[] }).messages;
    expect(messages.map((m) => m.role)).toEqual(["system", "assistant", "tool"]);
  });

  it("say what the trajectory was besides its steps", async () => {
    const trajectory: Trajectory = {
      ...emptyTrajectory("who-and-when"),
      name: "n",
      task: "t",
      reward: 0.5,
      rewards: { reward: 0.5 },
      outcome: "partial",
      labels: [{ step: 0, dataset: "d", category: null, reason: "r", root: true }],
      artifacts: [{ name: "out.txt", text: "\0" }],
      exception: { type: "Timeout", message: null, traceback: "tb" },
    };
    for (const again of [
      await reread(JSON.stringify(toAtif(trajectory)), "t.json"),
      await reread(toChatLine(trajectory), "t.json"),
    ]) {
      const { name, task, reward, rewards, outcome, labels, artifacts, exception } = again;
      expect({ name, task, reward, rewards, outcome, labels, artifacts, exception }).toEqual({
        name: "n",
        task: "t",
        reward: 0.5,
        rewards: { reward: 0.5 },
        outcome: "partial",
        labels: trajectory.labels,
        artifacts: trajectory.artifacts,
        exception: trajectory.exception,
      });
    }
  });

  it("do not repeat long texts in their hints", async () => {
    const { trajectories } = await importOne(SAMPLES.chat as object);
    const long = "x".repeat(100_000);
    const chat = trajectories[0]!;
    for (const item of chat.steps) if (item.observations[0]) item.observations[0].content = `${long}\n\n(exit_code=0)`;
    const observed = chat.steps.filter((item) => item.observations.length > 0).length;
    expect(toChatLine(chat).length).toBeLessThan(observed * 100_000 + 10_000);
    expect(JSON.stringify(toAtif(chat)).length).toBeLessThan(observed * 100_000 + 10_000);
  });

  it("pass the rules of Harbor's ATIF validator", async () => {
    const root = [
      "schema_version",
      "session_id",
      "trajectory_id",
      "agent",
      "steps",
      "notes",
      "final_metrics",
      "continued_trajectory_ref",
      "subagent_trajectories",
      "extra",
    ];
    const fields = [
      "step_id",
      "timestamp",
      "source",
      "message",
      "model_name",
      "reasoning_effort",
      "reasoning_content",
      "tool_calls",
      "metrics",
      "observation",
      "is_copied_context",
      "llm_call_count",
      "extra",
    ];
    const check = (document: JsonObject) => {
      expect(Object.keys(document).filter((key) => !root.includes(key))).toEqual([]);
      const steps = document.steps as JsonObject[];
      expect(steps.length).toBeGreaterThan(0);
      steps.forEach((raw, at) => {
        expect(raw.step_id).toBe(at + 1);
        expect(typeof raw.message).toBe("string");
        expect(Object.keys(raw).filter((key) => !fields.includes(key))).toEqual([]);
        if (raw.source !== "agent")
          for (const key of ["tool_calls", "reasoning_content", "metrics", "model_name"])
            expect(raw[key]).toBeUndefined();
        if (raw.timestamp !== undefined) expect(Number.isNaN(Date.parse(String(raw.timestamp)))).toBe(false);
        const ids = ((raw.tool_calls ?? []) as JsonObject[]).map((item) => {
          expect(Object.keys(item).sort()).toEqual(["arguments", "function_name", "tool_call_id"]);
          expect(item.arguments).toBeTypeOf("object");
          return item.tool_call_id;
        });
        for (const result of ((raw.observation as JsonObject | undefined)?.results ?? []) as JsonObject[]) {
          if (result.source_call_id !== undefined) expect(ids).toContain(result.source_call_id);
        }
      });
    };
    for (const sample of Object.values(SAMPLES))
      for (const trajectory of (await importOne(sample as object)).trajectories) check(toAtif(trajectory));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), (steps) => check(toAtif({ ...emptyTrajectory("chat"), steps }))),
    );
  });
});
