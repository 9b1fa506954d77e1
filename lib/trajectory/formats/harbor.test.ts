import { describe, expect, it } from "vitest";
import { SAMPLES } from "@/lib/trajectory/samples";
import { importAll, scratch, zip } from "@/lib/trajectory/testing";

const result = {
  id: "u1",
  trial_name: "t__1",
  task_name: "t",
  source: "bench",
  agent_info: { name: "agent", version: "1", model_info: { name: "m" } },
  agent_result: { n_input_tokens: 100, n_output_tokens: 10, cost_usd: 0.0 },
  verifier_result: { rewards: { reward: 1.0 } },
  exception_info: { exception_type: "AgentTimeoutError", exception_message: "slow", exception_traceback: "tb" },
  agent_execution: { started_at: "2025-01-01T00:00:00.5Z", finished_at: "2025-01-01T00:01:00.5Z" },
};
const timing = [
  { step: 1, llm_s: 1, bash_s: 0.5, return_code: 0, cmd: "wc -l notes.txt" },
  { step: 2, llm_s: 1, format_error: true },
  { step: 3, llm_s: 1, bash_s: 0.1, return_code: 0, cmd: "true" },
  { step: 3, llm_s: 1, bash_s: 30, return_code: 124, cmd: "false" },
  { step: 9, llm_s: 1, bash_s: 1, return_code: 0, cmd: "gone" },
];
const trial = (over: Record<string, string | object> = {}) => ({
  "job/config.json": { job_name: "job" },
  "job/result.json": { n_total_trials: 5 },
  "job/t__1/config.json": { trial_name: "t__1" },
  "job/t__1/result.json": result,
  "job/t__1/exception.txt": "Traceback",
  "job/t__1/agent/trajectory.json": SAMPLES["chat list"] as object,
  "job/t__1/agent/timing.json": timing,
  "job/t__1/agent/usage.json": { prompt_tokens: 1, reasoning_tokens: 3, cost_usd: 0.0 },
  "job/t__1/verifier/reward.txt": "1\n",
  "job/t__1/verifier/test-stdout.txt": "1 passed\0",
  ...over,
});
const only = (files: Record<string, string | object>, ...leave: string[]) =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !leave.some((part) => name.includes(part))));

describe("a Harbor trial", () => {
  it("comes in as one, with outcome, exception, usage, timing and the verifier's output", async () => {
    const { found, trajectories, skipped } = await importAll(scratch(trial()));
    expect(found.filter((item) => item.kind === "unit")).toHaveLength(1);
    expect(skipped.map((item) => item.key)).toEqual(["job/config.json", "job/result.json"]);
    const [run] = trajectories;
    expect(run).toMatchObject({
      key: "",
      format: "harbor-trial",
      name: "t__1",
      task: "t",
      dataset: "bench",
      model: "m",
      outcome: "passed",
      reward: 1,
      rewards: { reward: 1 },
      exception: { type: "AgentTimeoutError", message: "slow", traceback: "tb" },
      durationMs: 60_000,
      usage: { promptTokens: 100, completionTokens: 10, cachedTokens: null, reasoningTokens: 3, costUsd: null },
    });
    expect(run!.artifacts).toEqual([
      { name: "exception.txt", text: "Traceback" },
      { name: "verifier/reward.txt", text: "1\n" },
      { name: "verifier/test-stdout.txt", text: "1 passed\0" },
    ]);
    expect(run!.steps.map((step) => step.durationMs)).toEqual([null, null, 500, null, null, 100, 30_000]);
    expect(run!.steps[6]!.observations[0]).toMatchObject({ exitCode: 1, timedOut: true });
    expect(run!.warnings).toEqual([
      { path: "agent/timing.json", message: "1 of 5 timings belong to no step and were left out" },
    ]);
  });

  it("without a trajectory still says how it ended; without anything it is refused; a failure of the machinery is not a failure", async () => {
    const bare = (
      await importAll(
        scratch(only(trial({ "job/t__1/result.json": { ...result, verifier_result: null } }), "agent/", "verifier/")),
      )
    ).trajectories;
    expect(bare).toMatchObject([{ steps: [], outcome: "unknown", exception: { type: "AgentTimeoutError" } }]);
    const nothing = await importAll(
      scratch({ "t__1/config.json": { trial_name: "t__1" }, "t__1/agent/trial.log": "x" }),
    );
    expect(nothing.refused[0]?.reason).toContain("neither a result nor a trajectory");
  });

  it("comes in without its config.json too", async () => {
    const { trajectories, skipped } = await importAll(scratch(only(trial(), "t__1/config.json")));
    expect(trajectories).toMatchObject([{ format: "harbor-trial", name: "t__1", outcome: "passed" }]);
    expect(skipped.map((item) => item.key)).toEqual(["job/config.json", "job/result.json"]);
  });

  it("takes ATIF of any agent and its parts in other files", async () => {
    const atif = { ...(SAMPLES.atif as object), subagent_trajectories: undefined };
    const { trajectories } = await importAll(
      scratch(
        trial({
          "job/t__1/agent/trajectory.json": atif,
          "job/t__1/agent/trajectory.summarization-1-summary.json": atif,
          "job/t__1/agent/timing.json": [],
        }),
      ),
    );
    expect(trajectories.map((item) => [item.key, item.parentKey, item.format])).toEqual([
      ["", null, "atif"],
      ["part/summarization-1-summary", "", "atif"],
    ]);
    expect(trajectories[0]!.outcome).toBe("passed");
  });

  it("has a hash of its content: equal wherever it lies, different for another result", async () => {
    const files = trial();
    const moved = Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name.replace("job/t__1", "other/place"), content]),
    );
    const packed = zip(
      Object.entries(files).map(([name, content]) => ({
        name,
        data: Buffer.from(typeof content === "string" ? content : JSON.stringify(content)),
      })),
    );
    const hashes = [
      await importAll(scratch(files)),
      await importAll(scratch(moved)),
      await importAll(scratch({ "a.zip": packed })),
    ].map((item) => item.hashes);
    expect(hashes[0]).toHaveLength(1);
    expect(hashes[1]).toEqual(hashes[0]);
    expect(hashes[2]).toEqual(hashes[0]);
    expect((await importAll(scratch(trial({ "job/t__1/result.json": { ...result, id: "u2" } })))).hashes).not.toEqual(
      hashes[0],
    );
  });
});
