import { describe, expect, it } from "vitest";
import { inspectHead, inspectSample, SAMPLES } from "@/lib/trajectory/samples";
import { importOne, zip } from "@/lib/trajectory/testing";
import type { JsonObject } from "@/lib/trajectory/types";

const sample = inspectSample as JsonObject;
const log = (over: JsonObject) => ({ ...(inspectHead as JsonObject), samples: [{ ...sample, ...over }] });

describe("Inspect", () => {
  it("one trajectory a sample, attachments put in, events joined, subtasks below it", async () => {
    const { trajectories } = await importOne(SAMPLES.inspect as object);
    const [run, sub] = trajectories;
    expect(run).toMatchObject({
      key: "a/b#2",
      task: "hunt/a/b",
      model: "m",
      dataset: "d",
      attempt: 2,
      reward: 1,
      outcome: "passed",
      usage: { promptTokens: 7, completionTokens: 3 },
    });
    expect(run!.steps[0]!.message).toBe("Find it, please.");
    expect(run!.steps[0]!.source).toMatchObject([{ content: "attachment://h1" }]);
    expect(run!.steps[1]).toMatchObject({
      time: { ms: Date.parse("2025-01-01T00:00:01Z") },
      durationMs: 2500,
      usage: { promptTokens: 7 },
      call: { command: "ls" },
    });
    expect(run!.steps[1]!.observations).toMatchObject([
      { content: "cut…", full: "cut off before this", timedOut: true, error: "too slow" },
    ]);
    expect(sub).toMatchObject({ key: "a/b#2/search@2", parentKey: "a/b#2" });
    expect(sub!.steps.map((step) => step.message)).toEqual(["Search.", "Found."]);
  });

  it("an .eval gives the same as the JSON log, and an unfinished one what its journal has", async () => {
    const data = (value: unknown) => Buffer.from(JSON.stringify(value));
    const finished = await importOne(
      zip([
        { name: "_journal/start.json", data: data(inspectHead) },
        { name: "samples/a/b_epoch_2.json", data: data(sample) },
        { name: "header.json", data: data(inspectHead) },
      ]),
      "x.eval",
    );
    expect(finished.trajectories).toEqual((await importOne(SAMPLES.inspect as object)).trajectories);
    const running = await importOne(
      zip([
        { name: "_journal/start.json", data: data(inspectHead) },
        { name: "samples/1.json", data: data(sample) },
        { name: "samples/2.json", data: Buffer.from('{"id": 2, ') },
      ]),
      "x.eval",
    );
    expect(running.trajectories).toHaveLength(2);
    expect(running.refused).toMatchObject([{ key: "x.eval#samples/2.json", position: "line 1:11" }]);
  });

  it("bare NaN in scores is unknown, with a warning", async () => {
    const { trajectories } = await importOne(
      JSON.stringify(log({ scores: { includes: { value: "@" } } })).replace('"@"', "NaN"),
    );
    expect(trajectories[0]).toMatchObject({ reward: null, outcome: "unknown" });
    expect(trajectories[0]!.warnings.map((item) => item.message).join(" ")).toMatch(
      /bare NaN.*no number|no number.*bare NaN/,
    );
  });

  it("a sample without messages is put together from its events' pool, or from input and output", async () => {
    const { messages: _, ...bare } = sample;
    const pooled = {
      ...bare,
      events_data: {
        messages: [
          { role: "user", content: "p0" },
          { role: "user", content: "p1" },
        ],
        calls: [],
      },
      events: [
        {
          event: "model",
          input_refs: [[1, 2]],
          output: { choices: [{ message: { role: "assistant", content: "out" } }] },
        },
      ],
    };
    const [run] = (await importOne({ ...(inspectHead as JsonObject), samples: [pooled] })).trajectories;
    expect(run!.steps.map((step) => step.message)).toEqual(["p1", "out"]);
    const { events: __, ...least } = bare;
    const [simple] = (await importOne({ ...(inspectHead as JsonObject), samples: [least] })).trajectories;
    expect(simple!.steps.map((step) => step.message)).toEqual(["Find it."]);
    expect(simple!.warnings.length).toBeGreaterThan(0);
  });

  it("a log without samples is refused with what to do", async () => {
    expect((await importOne(inspectHead as object)).refused[0]).toMatchObject({
      reason: "the log holds no samples",
      hint: expect.stringContaining("export"),
    });
  });
});
