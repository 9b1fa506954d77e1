import { describe, expect, it } from "vitest";
import { SAMPLES } from "@/lib/trajectory/samples";
import { importAll, importOne, scratch } from "@/lib/trajectory/testing";
import type { Json, JsonObject } from "@/lib/trajectory/types";

describe("SWE-agent", () => {
  it("prompt and demonstration from the history, steps from the record, observations as the policy saw them", async () => {
    const [run] = (await importOne(SAMPLES["swe-agent"] as object, "x.traj")).trajectories;
    expect(run).toMatchObject({
      format: "swe-agent",
      exitStatus: "submitted (exit_cost)",
      usage: { costUsd: null, promptTokens: null },
    });
    expect(run!.steps.map((step) => [step.kind, step.note, step.message])).toEqual([
      ["system", null, "Rules."],
      ["user", "demonstration", "A demonstration."],
      ["user", null, "Issue."],
      ["agent", null, "Look.\n```\nls\n```"],
    ]);
    expect(run!.steps[3]).toMatchObject({
      durationMs: 500,
      call: { command: "ls\n" },
      observations: [{ content: "a.py\n(Open file: n/a)\nbash-$", output: [0, 4] }],
    });
  });

  it("history alone, as JSON or as a YAML demonstration", async () => {
    const { history } = SAMPLES["swe-agent"] as { history: Json };
    expect((await importOne({ history })).trajectories[0]).toMatchObject({
      format: "swe-agent",
      steps: expect.objectContaining({ length: 4 }),
    });
    const yaml =
      "history:\n  - role: user\n    content: Issue.\n    agent: main\n  - role: assistant\n    content: Look.\n    agent: main\n    action: ls\n";
    const [demo] = (await importOne(yaml, "demo.yaml")).trajectories;
    expect(demo!.steps.map((step) => step.call?.command ?? null)).toEqual([null, "ls"]);
    expect((await importOne("services:\n  web: {}\n", "compose.yaml")).trajectories).toHaveLength(0);
  });
});

describe("OpenHands", () => {
  it("V0: actions are steps, observations join by cause, the rest are events", async () => {
    const [run] = (await importOne(SAMPLES["openhands v0"] as object)).trajectories;
    expect(run!.steps.map((step) => [step.kind, step.note])).toEqual([
      ["user", null],
      ["agent", null],
      ["user", "event"],
    ]);
    expect(run!.steps[1]).toMatchObject({
      message: "Look first.",
      call: { id: "t", name: "execute_bash", command: "ls", arguments: '{"command": "ls"}' },
      observations: [{ content: "a.py", exitCode: 0 }],
      durationMs: 2000,
      usage: { promptTokens: 4 },
    });
    expect(run!.startedAt).toMatchObject({ zoned: false });
  });

  it("V0: pairs of old evaluation records, and one file an event", async () => {
    const pair = [
      { action: "run", command: "ls", thought: "t" },
      { observation: "run", content: "a", exit_code: 1 },
    ];
    const [old] = (
      await importOne(JSON.stringify({ instance_id: "i", history: [pair], git_patch: "p" }), "output.jsonl")
    ).trajectories;
    expect(old).toMatchObject({
      task: "i",
      artifacts: [{ name: "git_patch" }],
      steps: [{ call: { command: "ls" }, observations: [{ exitCode: 1 }] }],
    });
    const events = SAMPLES["openhands v0"] as Json[];
    const files = Object.fromEntries(
      events.map((event, at) => [`s/events/${[0, 1, 2, 10][at]}.json`, event as object]),
    );
    expect((await importAll(scratch(files))).trajectories).toMatchObject([{ name: "s", steps: { length: 3 } }]);
  });

  it("V1: parallel calls of one reply share a turn; a folder is one unit and a broken event is named", async () => {
    const events = SAMPLES["openhands v1"] as JsonObject[];
    const [run] = (await importOne(events)).trajectories;
    expect(run!.steps.map((step) => [step.kind, step.turn, step.call?.command ?? null])).toEqual([
      ["system", null, null],
      ["user", null, null],
      ["agent", 0, "ls"],
      ["agent", 0, "pwd"],
    ]);
    expect(run!.steps[2]).toMatchObject({
      thinking: "plan",
      message: "Both.",
      observations: [{ error: "no such tool" }],
    });
    expect(run!.steps[3]).toMatchObject({ thinking: null, observations: [{ content: "/", exitCode: 0 }] });
    const files: Record<string, object | string> = Object.fromEntries(
      events.map((event, at) => [`c/events/event-${String(at).padStart(5, "0")}-${event.id}.json`, event]),
    );
    const folder = await importAll(
      scratch({
        ...files,
        "c/base_state.json": { agent: { llm: { model: "m" } } },
        "c/events/event-00009-x.json": "{",
      }),
    );
    expect(folder.trajectories).toMatchObject([{ name: "c", model: "m", steps: { length: 4 } }]);
    expect(folder.refused[0]?.key).toBe("c#events/event-00009-x.json");
    const lines = await importOne(events.map((event) => JSON.stringify(event)).join("\n"), "e.jsonl");
    expect(lines.trajectories).toMatchObject([{ format: "openhands-v1", steps: { length: 4 } }]);
  });
});

describe("Terminal-Bench", () => {
  it("results of a run: outcome and instruction of each trial, no invented steps; a failed installation is no failure of the policy", async () => {
    const { trajectories } = await importOne(SAMPLES["terminal-bench"] as object);
    expect(trajectories.map(({ key, outcome, attempt, usage }) => [key, outcome, attempt, usage.promptTokens])).toEqual(
      [
        ["t1", "passed", 2, null],
        ["t2", "unknown", 1, 9],
      ],
    );
    expect(trajectories[0]).toMatchObject({
      task: "job.easy",
      durationMs: 60_000,
      artifacts: [{ name: "parser_results.json" }],
      steps: [{ kind: "user", message: "Do it." }],
    });
  });

  it("a trial folder: steps from the agent's episodes", async () => {
    const [result] = (SAMPLES["terminal-bench"] as { results: object[] }).results;
    const { trajectories } = await importAll(
      scratch({
        "run/run_metadata.json": { run_id: "r" },
        "run/results.json": SAMPLES["terminal-bench"] as object,
        "run/job.easy/job.easy.2-of-2.run/results.json": result!,
        "run/job.easy/job.easy.2-of-2.run/commands.txt": "['ls', 'Enter']\n",
        "run/job.easy/job.easy.2-of-2.run/panes/post-agent.txt": "$ ls",
        "run/job.easy/job.easy.2-of-2.run/agent-logs/episode-0/prompt.txt": "Task. $",
        "run/job.easy/job.easy.2-of-2.run/agent-logs/episode-0/response.txt": '{"commands": [{"keystrokes": "ls\\n"}]}',
        "run/job.easy/job.easy.2-of-2.run/agent-logs/episode-1/prompt.txt": "$ ls\na",
        "run/job.easy/job.easy.2-of-2.run/agent-logs/episode-1/response.txt": "not json",
      }),
    );
    expect(trajectories).toHaveLength(1);
    expect(
      trajectories[0]!.steps.map((step) => [
        step.kind,
        step.call?.command ?? null,
        step.observations[0]?.content ?? null,
      ]),
    ).toEqual([
      ["user", null, null],
      ["agent", "ls\n", "$ ls\na"],
      ["agent", null, null],
    ]);
    expect(trajectories[0]!.artifacts.map((item) => item.name)).toEqual([
      "parser_results.json",
      "commands.txt",
      "panes/post-agent.txt",
    ]);
  });
});

describe("labelled by people", () => {
  it("Who&When: the step by index, stored as text; speakers keep their names", async () => {
    const [run] = (await importOne(SAMPLES["who-and-when"] as object)).trajectories;
    expect(run).toMatchObject({
      outcome: "failed",
      labels: [{ step: 1, dataset: "who-and-when", category: null, reason: "looked at the wrong page", root: true }],
    });
    expect(run!.steps.map((step) => [step.kind, step.actor])).toEqual([
      ["user", null],
      ["agent", "WebSurfer"],
      ["agent", "Expert"],
    ]);
    const wrong = await importOne({ ...(SAMPLES["who-and-when"] as object), mistake_step: "9" });
    expect(wrong.trajectories[0]).toMatchObject({ labels: [], warnings: [{ path: "/mistake_step" }] });
  });

  it("AgentRx: labels of a file above join by name, counted from 1, the root marked; another label is another content", async () => {
    const labels = (number: number) => [
      {
        trajectory_id: "abc",
        failures: [
          { failure_id: 1, step_number: number, step_reason: "r", failure_category: "C" },
          { failure_id: 2, step_number: 9 },
        ],
        root_cause: { failure_id: 1, reason_for_root_cause: "why" },
      },
    ];
    const files = (number: number) => ({
      "truth.json": labels(number),
      "magentic/abc.json": SAMPLES.agentrx as object,
      "magentic/other.json": SAMPLES.agentrx as object,
    });
    const { trajectories, hashes, skipped } = await importAll(scratch(files(3)));
    expect(trajectories[0]).toMatchObject({
      format: "agentrx",
      labels: [{ step: 2, category: "C", reason: "r\nwhy", root: true }],
      warnings: [{ path: "labels/failures/1" }],
    });
    expect(trajectories[1]).toMatchObject({ labels: [], outcome: "unknown" });
    expect(skipped[0]?.reason).toContain("labels by people");
    expect((await importAll(scratch(files(2)))).hashes[0]).not.toBe(hashes[0]);
  });
});

describe("Docent and open-instruct", () => {
  it("Docent: reasoning parts are thinking, scores are rewards, several transcripts are several", async () => {
    const [run] = (await importOne(SAMPLES.docent as object)).trajectories;
    expect(run).toMatchObject({
      key: "",
      task: "greet",
      reward: 0.5,
      outcome: "partial",
      steps: [{}, { thinking: "hm", message: "Hello." }],
    });
    const { transcripts } = SAMPLES.docent as { transcripts: JsonObject[] };
    const old = await importOne({ transcripts: { a: transcripts[0], b: transcripts[0] }, metadata: {} });
    expect(old.trajectories.map((item) => item.key)).toEqual(["a", "b"]);
  });

  it("open-instruct: token ids alone are refused once a file, with what to do; decoded text is read", async () => {
    const record = { prompt_tokens: [1, 2], response_tokens: [3], reward: 1, sample_idx: 0 };
    const { refused, trajectories } = await importOne(
      [1, 2, 3].map(() => JSON.stringify(record)).join("\n"),
      "r.jsonl",
    );
    expect(trajectories).toHaveLength(0);
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({ key: "r.jsonl#L1", hint: expect.stringContaining("tokenizer") });
    expect(refused[1]?.reason).toContain("2 more lines");
    const [text] = (await importOne({ ...record, prompt_text: "p", response_text: "<think>a</think>b" })).trajectories;
    expect(text).toMatchObject({
      format: "open-instruct",
      outcome: "passed",
      steps: [{ message: "p" }, { thinking: "a", message: "b" }],
    });
  });
});

it("SWE-agent without a history takes the prompt from its first query, and says when the two do not fit", async () => {
  const { history, ...rest } = SAMPLES["swe-agent"] as { history: Json[]; trajectory: JsonObject[] };
  const asked = { ...rest, trajectory: [{ ...rest.trajectory[0]!, query: history.slice(0, 3) }] };
  const [run] = (await importOne(asked)).trajectories;
  expect(run!.steps.map((step) => step.kind)).toEqual(["system", "user", "user", "agent"]);
  expect(run!.steps[3]!.observations).toMatchObject([{ content: "a.py", output: null }]);
  const [uneven] = (await importOne({ ...rest, history, trajectory: [...rest.trajectory, ...rest.trajectory] }))
    .trajectories;
  expect(uneven!.warnings[0]?.path).toBe("/history");
});
