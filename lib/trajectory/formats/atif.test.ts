import { describe, expect, it } from "vitest";
import { SAMPLES } from "@/lib/trajectory/samples";
import { importOne } from "@/lib/trajectory/testing";

describe("ATIF", () => {
  it("one observation of several calls is the last one's; copied context and summaries are marked; sub-trajectories stand apart", async () => {
    const { trajectories, hashes } = await importOne(SAMPLES.atif as object);
    const [main, sub] = trajectories;
    expect(main).toMatchObject({
      key: "",
      format: "atif",
      formatVersion: "ATIF-v1.6",
      agent: "terminus-2",
      model: "m",
    });
    expect(main!.steps.map((step) => [step.kind, step.copied, step.note, step.observations.length])).toEqual([
      ["user", true, null, 0],
      ["agent", false, null, 0],
      ["agent", false, null, 1],
      ["system", false, "summary", 0],
    ]);
    expect(main!.steps[1]).toMatchObject({
      thinking: "hm",
      call: { command: "touch a\n" },
      usage: { promptTokens: 5, costUsd: 0.01 },
    });
    expect(main!.steps[2]!.call).toMatchObject({ name: "mark_task_complete", command: null });
    expect(sub).toMatchObject({ key: "sub/inner", parentKey: "", parentStep: 3 });
    expect(new Set(hashes).size).toBe(2);
  });

  it("departures from the format are warnings, and nothing of them is lost", async () => {
    const { trajectories } = await importOne({
      schema_version: "ATIF-v1.9",
      agent: { name: "a", version: "1" },
      steps: [
        { step_id: 7, source: "robot", message: [{ type: "text", text: "a" }], colour: "red" },
        {
          step_id: 2,
          source: "agent",
          message: "b",
          tool_calls: [{ tool_call_id: "x", function_name: "bash", arguments: '{"command": "ls"}' }],
          observation: { results: [{ source_call_id: "y", content: null }] },
        },
      ],
    });
    const [main] = trajectories;
    expect(main!.warnings.map((item) => item.path)).toEqual([
      "/schema_version",
      "/steps/0/step_id",
      "/steps/0/colour",
      "/steps/0/source",
      "/steps/1/observation/results/0",
    ]);
    expect(main!.steps[0]!.source).toMatchObject([{ colour: "red" }]);
    expect(main!.steps[1]).toMatchObject({
      call: { command: "ls", arguments: '{"command": "ls"}' },
      observations: [{ content: null, callId: "y" }],
    });
  });
});
