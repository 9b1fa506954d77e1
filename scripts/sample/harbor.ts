import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { SampleSession, SampleStep } from "./types";

/** A step that was run, with what came back. */
export interface RecordedStep {
  step: SampleStep;
  /** null for a reply without a command. */
  observation: string | null;
  exitCode: number | null;
  ms: number;
  at: Date;
}

export interface Recorded {
  session: SampleSession;
  trial: string;
  system: string;
  user: string;
  steps: RecordedStep[];
  startedAt: Date;
  agentDoneAt: Date;
  finishedAt: Date;
  testOutput: string;
  reward: 0 | 1;
}

const AGENT = { name: "hand-written", version: "1" };
const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;
const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/** The same identifier each time a session is recorded again. */
function uuid(text: string): string {
  const h = hash(text);
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-5${h.slice(13, 16)}-8${h.slice(17, 20)}-${h.slice(20, 32)}`;
}

/** Name of a trial: its task and seven characters that depend on job and task. */
export function trialName(session: SampleSession): string {
  return `${session.task.name}__${BigInt(`0x${hash(`${session.job}/${session.task.name}`).slice(0, 16)}`)
    .toString(36)
    .slice(0, 7)}`;
}

const model = (job: string) => `hand-written/${job}`;

function atif(recorded: Recorded, formatError: string) {
  const { session, trial } = recorded;
  const steps: Record<string, unknown>[] = [
    { timestamp: recorded.startedAt.toISOString(), source: "system", message: recorded.system },
    { timestamp: recorded.startedAt.toISOString(), source: "user", message: recorded.user },
  ];
  recorded.steps.forEach(({ step, observation, exitCode, ms, at }, i) => {
    const own = {
      timestamp: at.toISOString(),
      source: "agent",
      model_name: model(session.job),
      message: step.say ?? "",
      reasoning_content: step.think,
    };
    if (step.run === null) {
      steps.push(own, { timestamp: at.toISOString(), source: "user", message: formatError });
      return;
    }
    const id = `call_${i + 1}`;
    steps.push({
      ...own,
      tool_calls: [{ tool_call_id: id, function_name: "bash", arguments: { command: step.run } }],
      observation: {
        results: [{ source_call_id: id, content: observation, extra: { exit_code: exitCode, duration_ms: ms } }],
      },
    });
  });
  return {
    schema_version: "ATIF-v1.7",
    session_id: uuid(`session ${session.job} ${trial}`),
    trajectory_id: trial,
    agent: { ...AGENT, model_name: model(session.job) },
    steps: steps.map((s, i) => ({ step_id: i + 1, ...s })),
    final_metrics: { total_steps: steps.length },
  };
}

function trialConfig(recorded: Recorded) {
  const { session, trial } = recorded;
  return {
    task: { path: session.task.name, source: "misstep-sample" },
    trial_name: trial,
    trials_dir: `jobs/${session.job}`,
    agent: { name: AGENT.name, model_name: model(session.job) },
    job_id: uuid(`job ${session.job}`),
  };
}

/** Writes one trial as a Harbor trial folder. */
export function writeTrial(folder: string, recorded: Recorded, formatError: string): void {
  const { session, trial, reward, startedAt, agentDoneAt, finishedAt } = recorded;
  const dir = path.join(folder, session.job, trial);
  for (const d of ["agent", "verifier"]) mkdirSync(path.join(dir, d), { recursive: true });
  const config = trialConfig(recorded);
  const result = {
    id: uuid(`trial ${session.job} ${trial}`),
    task_name: session.task.name,
    trial_name: trial,
    trial_uri: `jobs/${session.job}/${trial}`,
    task_id: { path: session.task.name },
    source: "misstep-sample",
    task_checksum: hash(JSON.stringify(session.task)),
    config,
    agent_info: { ...AGENT, model_info: { name: session.job, provider: "hand-written" } },
    agent_result: null,
    verifier_result: { rewards: { reward } },
    exception_info: null,
    started_at: startedAt.toISOString(),
    finished_at: finishedAt.toISOString(),
    agent_execution: { started_at: startedAt.toISOString(), finished_at: agentDoneAt.toISOString() },
    verifier: { started_at: agentDoneAt.toISOString(), finished_at: finishedAt.toISOString() },
  };
  const files: [string, string][] = [
    ["config.json", json(config)],
    ["result.json", json(result)],
    ["agent/trajectory.json", json(atif(recorded, formatError))],
    ["verifier/reward.txt", `${reward}\n`],
    ["verifier/test-stdout.txt", recorded.testOutput],
  ];
  for (const [name, text] of files) writeFileSync(path.join(dir, name), text);
}

/** Writes what holds for all trials of a job. */
export function writeJob(folder: string, job: string, trials: Recorded[]): void {
  const at = (pick: (r: Recorded) => Date, best: (...n: number[]) => number) =>
    new Date(best(...trials.map((t) => pick(t).getTime()))).toISOString();
  const byReward = (reward: number) => trials.filter((t) => t.reward === reward).map((t) => t.trial);
  const config = {
    job_name: job,
    jobs_dir: "jobs",
    n_attempts: 1,
    agents: [{ name: AGENT.name, model_name: model(job) }],
    datasets: [{ name: "misstep-sample" }],
    tasks: [],
  };
  const result = {
    id: uuid(`job ${job}`),
    started_at: at((t) => t.startedAt, Math.min),
    finished_at: at((t) => t.finishedAt, Math.max),
    n_total_trials: trials.length,
    stats: {
      n_completed_trials: trials.length,
      n_errored_trials: 0,
      evals: {
        [`${AGENT.name}__${job}__misstep-sample`]: {
          n_trials: trials.length,
          n_errors: 0,
          metrics: [{ mean: byReward(1).length / trials.length }],
          reward_stats: { reward: { "0.0": byReward(0), "1.0": byReward(1) } },
          exception_stats: {},
        },
      },
    },
  };
  writeFileSync(path.join(folder, job, "config.json"), json(config));
  writeFileSync(path.join(folder, job, "result.json"), json(result));
}
