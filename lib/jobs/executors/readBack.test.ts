import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { claimJob, getJob } from "@/lib/jobs/queue";
import { enqueueReadBack } from "@/lib/jobs/readBackJob";
import { runJob } from "@/lib/jobs/run";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { UnreadableFolder } from "@/lib/train/readback/folder";
import { stepMetrics } from "@/lib/train/run/metrics";
import { loadSteps } from "@/lib/trajectory/load";
import { readBackExecutor } from "./readBack";

const RUN = "misstep-mirl__42__1700000000";
let folder: string;
let db: Db;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-readback-"));
  fs.mkdirSync(path.join(folder, "steps"));
  fs.mkdirSync(path.join(folder, "filtered"));
  db = openMemoryDb();
  seedBuiltinTypes(db);
});
afterEach(() => {
  db.$client.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const append = (file: string, ...lines: string[]) =>
  fs.appendFileSync(path.join(folder, file), lines.map((line) => `${line}\n`).join(""));
const KEPT = `${RUN}_rollouts_000000.jsonl`;
const FILTERED = `filtered/${RUN}_filtered_rollouts_000000.jsonl`;

interface Over {
  reward?: number;
  info?: Record<string, number>;
  state?: Record<string, unknown>;
  [key: string]: unknown;
}
/** A record as the trainer writes it; groups of 2. */
const record = (step: number, sample: number, { reward = 1, info = {}, state = {}, ...over }: Over = {}) =>
  JSON.stringify({
    step,
    sample_idx: sample,
    prompt_idx: Math.floor(sample / 2),
    prompt_tokens: [1, 2],
    response_tokens: [3],
    reward,
    advantage: reward - 0.5,
    finish_reason: "stop",
    dataset: "passthrough",
    ground_truth: ["count-5-abc"],
    request_info: {
      num_calls: 2,
      tool_errors: "",
      tool_call_stats: [],
      rollout_state: { step_count: 2, done: true, info: { env_name: "misstep_prefix", ...info }, ...state },
    },
    logprobs: [-0.1],
    ...over,
  });

let episodes = 0;
/** Writes a rollout into the step log; gives back the numbers the trainer notes of it. */
function logged(outcome: number | null, answer: "yes" | "no" | "failed" | null, over: Record<string, unknown> = {}) {
  const episode = 1000 + ++episodes;
  const behavior = answer === "no" ? 1 : answer === "yes" ? 0 : null;
  const write = (kind: string, values: Record<string, unknown>) => {
    const rest = JSON.stringify(values).slice(1);
    fs.appendFileSync(
      path.join(folder, "steps/steps-host-1-a.jsonl"),
      `{"kind": "${kind}", "episode": ${episode}, ${rest}\n`,
    );
  };
  const leftOut = (over.left_out as string | undefined) ?? (answer === "failed" ? "the judge gave no verdict" : null);
  write("begin", { prefix: null, task: "count-5-abc", at: 100.5 });
  write("step", { n: 1, call: "bash", command: "ls", output: "a.txt\n\n(exit_code=0)", exit_code: 0, ms: 12 });
  write("step", { n: 2, call: "bash", command: "echo done", output: null, exit_code: null, ms: 5 });
  write("end", {
    ended: "submitted",
    verdict: answer,
    verdict_reason: answer && `said ${answer}`,
    tests: "2 passed",
    at: 103,
    ...over,
    left_out: leftOut,
  });
  return {
    misstep_episode: episode,
    ...(outcome === null ? {} : { misstep_outcome: outcome }),
    ...(behavior === null ? {} : { misstep_behavior: behavior }),
    misstep_left_out: leftOut === null ? 0 : 1,
  };
}

async function read(follow = false, during?: (stop: AbortController) => void) {
  const queued = enqueueReadBack(db, { folder, follow, requestedBy: "test" });
  db.$client.prepare("update job set params = json_set(params, '$.pollMs', 5) where id = ?").run(queued.jobId);
  await work(queued.jobId, during);
  return queued;
}
async function work(jobId: number, during?: (stop: AbortController) => void) {
  const job = claimJob(db, "w", jobId);
  if (!job) throw new Error("nothing to claim");
  const stop = new AbortController();
  during?.(stop);
  await runJob(db, job, readBackExecutor, "w", stop.signal);
}
const all = (sql: string) => db.$client.prepare(sql).all();
const one = (sql: string) => db.$client.prepare(sql).pluck().get();
const metricsOf = (step: number) =>
  stepMetrics.parse(JSON.parse(one(`select metrics from training_step where step = ${step}`) as string));
const until = async (is: () => boolean) => {
  for (let i = 0; i < 2000 && !is(); i++) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(is()).toBe(true);
};

test("rollouts become groups, rollouts, trajectories and curves; what the files do not say is not known", async () => {
  append(
    `${RUN}_metadata.jsonl`,
    JSON.stringify({ run_name: RUN, git_commit: "1cce58a", model_name: "m", timestamp: "t" }),
  );
  append(KEPT, record(1, 0, { info: logged(1, "no") }), record(1, 1, { reward: 0, info: logged(1, "yes") }));
  append(KEPT, record(1, 2, { info: logged(1, "no") }), record(1, 3, { reward: 0, info: logged(0, "no") }));
  append(
    FILTERED,
    record(1, 0, { reward: 0, info: logged(0, "no"), filter_reason: "zero_std_reward", prompt_id: "0_7" }),
    record(1, 1, { reward: 0, info: logged(1, "yes"), filter_reason: "zero_std_reward", prompt_id: "0_7" }),
  );
  const { runId, jobId } = await read();
  expect(getJob(db, jobId)).toMatchObject({ status: "done", counts: JSON.stringify({ rollouts: 6 }) });
  expect(all("select launcher, recipe, name from training_run")).toEqual([
    { launcher: "open-instruct", recipe: "unknown", name: "misstep-mirl-42-1700000000-1" },
  ]);
  expect(all("select number, dead, counted, mean_reward as mean from rollout_group order by number")).toEqual([
    { number: 0, dead: null, counted: 2, mean: 0.5 },
    { number: 1, dead: null, counted: 2, mean: 0.5 },
    { number: 1000, dead: "vetoed", counted: 2, mean: 0 },
  ]);
  expect(
    all(
      "select number, reward, outcome_reward as o, behavior_reward as e, advantage, verdict, verdict_reason as why, ended, steps, tokens, surprise, duration_ms as ms from rollout order by id limit 2",
    ),
  ).toEqual([
    {
      number: 1,
      reward: 1,
      o: 1,
      e: 1,
      advantage: 0.5,
      verdict: "no",
      why: "said no",
      ended: "submitted",
      steps: 2,
      tokens: null,
      surprise: null,
      ms: 2500,
    },
    {
      number: 2,
      reward: 0,
      o: 1,
      e: 0,
      advantage: -0.5,
      verdict: "yes",
      why: "said yes",
      ended: "submitted",
      steps: 2,
      tokens: null,
      surprise: null,
      ms: 2500,
    },
  ]);
  const trajectory = one("select trajectory_id from rollout order by id limit 1") as number;
  expect(loadSteps(db, trajectory).map((s) => [s.call?.command, s.observations[0]?.content, s.thinking])).toEqual([
    ["ls", "a.txt\n\n(exit_code=0)", null],
    ["echo done", undefined, null],
  ]);
  expect(
    one(
      "select count(*) from trajectory t join checkpoint c on c.id = t.checkpoint_id where c.training_run_id is not null",
    ),
  ).toBe(6);
  expect(metricsOf(1)).toMatchObject({
    groups: 3,
    live: 2,
    dead: { "all-fail": 0, vetoed: 1 },
    rollouts: 6,
    both: 2,
    luckyPass: 2,
    cleanFail: 2,
    entropy: null,
    tokensPerRollout: null,
    trainedTokens: null,
    rolloutsPerMinute: null,
    ms: { total: null },
  });
  expect(runId).toBe(1);
});

test("what makes no statement is void or without a verdict, never 0", async () => {
  const mismatch = logged(null, null, { ended: "void", left_out: "the state of prefix 7 was not reached" });
  append(KEPT, record(1, 0, { reward: 0, info: mismatch }), record(1, 1, { reward: 0, info: logged(1, "failed") }));
  append(KEPT, record(1, 2, { reward: 0, state: { info: {} } }));
  const reset = {
    num_calls: 0,
    tool_errors: "Environment reset failed: no space",
    tool_call_stats: [{ tool_name: "env_reset" }],
  };
  append(KEPT, record(1, 3, { reward: 0, request_info: reset }));
  await read();
  expect(all("select reward, outcome_reward as o, verdict, void_reason as void from rollout order by id")).toEqual([
    { reward: null, o: null, verdict: null, void: "the state of prefix 7 was not reached" },
    { reward: null, o: 1, verdict: "failed", void: null },
    { reward: 0, o: null, verdict: null, void: null },
    { reward: null, o: null, verdict: null, void: "Environment reset failed: no space" },
  ]);
  expect(metricsOf(1)).toMatchObject({ void: 2, unjudged: 1, outcomeReward: 1, behaviorReward: null });
});

test("half a line is waited for, lines that cannot be read are listed, and reading again takes nothing twice", async () => {
  const whole = record(2, 0, { advantage: 7 });
  append(KEPT, record(1, 0).replace('"advantage":0.5', '"advantage":NaN'), "{ broken", "", '{"step": 1}');
  fs.appendFileSync(path.join(folder, KEPT), whole.slice(0, 40));
  const first = await read();
  expect(one("select count(*) from rollout")).toBe(1);
  expect(all("select advantage from rollout")).toEqual([{ advantage: null }]);
  expect(all("select line, reason from read_back_problem order by line")).toEqual([
    { line: 2, reason: expect.stringMatching(/^no JSON/) },
    { line: 4, reason: expect.stringMatching(/^sample_idx: /) },
  ]);
  expect(one("select count(*) from job_event where message like 'the last line of%'")).toBe(1);
  append(KEPT, whole.slice(40), record(1, 0));
  const second = await read();
  expect(second.runId).toBe(first.runId);
  expect(
    all("select step, count(*) as n from rollout r join rollout_group g on g.id = r.group_id group by step"),
  ).toEqual([
    { step: 1, n: 1 },
    { step: 2, n: 1 },
  ]);
  expect(one("select reason from read_back_problem where line = 6")).toMatch(/did the step again/);
});

test("a file is followed while it is written; a worker that is stopped goes on where it was", async () => {
  append(KEPT, record(1, 0));
  const queued = enqueueReadBack(db, { folder, follow: true, requestedBy: "test" });
  db.$client.prepare("update job set params = json_set(params, '$.pollMs', 3) where id = ?").run(queued.jobId);
  const count = () => one("select count(*) from rollout") as number;
  const follow = async (lines: string[], wanted: number) => {
    const stop = new AbortController();
    const job = claimJob(db, "w", queued.jobId);
    if (!job) throw new Error("nothing to claim");
    const running = runJob(db, job, readBackExecutor, "w", stop.signal);
    for (const line of lines) append(KEPT, line);
    await until(() => count() === wanted);
    stop.abort();
    await running;
  };
  await follow([record(1, 1), record(1, 2)], 3);
  expect(getJob(db, queued.jobId)?.status).toBe("queued");
  expect(() => enqueueReadBack(db, { folder, follow: true, requestedBy: "test" })).toThrow(/reads this folder already/);
  await follow([record(1, 3), record(2, 0)], 5);
  expect(getJob(db, queued.jobId)?.counts).toBe(JSON.stringify({ rollouts: 5, withoutText: 2 }));
  expect(metricsOf(1)).toMatchObject({ groups: 2, rollouts: 4 });
});

test("folders that hold nothing, or two trainings, are refused with what to do", () => {
  const ask = (over: object = {}) => enqueueReadBack(db, { folder, follow: false, requestedBy: "test", ...over });
  expect(() => ask()).toThrow(UnreadableFolder);
  append(KEPT, record(1, 0));
  append("other_rollouts_000000.jsonl", record(1, 0));
  expect(() => ask()).toThrow(/2 trainings \(misstep-mirl__42__1700000000, other\)/);
  expect(() => ask({ run: "other", manifest: path.join(folder, KEPT) })).toThrow(/no manifest|cannot be read/);
  expect(ask({ run: "other", name: "second" }).name).toBe("second");
});
