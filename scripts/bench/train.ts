import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openDb } from "@/db/client";
import { loadCheckpoint } from "@/lib/model/policy/checkpoint";
import { BASE_CHECKPOINT } from "@/lib/model/policy/names";
import { initWeights } from "@/lib/model/policy/parameters";
import { createSampler } from "@/lib/model/policy/sampler";
import type { PolicyConfig } from "@/lib/model/policy/types";
import { AccumulatingTrainer } from "@/lib/train/embedded/accumulate";
import { advantages } from "@/lib/train/rl/advantages";
import { policyLoss, type RolloutRow, scales } from "@/lib/train/rl/loss";
import { stepMetrics } from "@/lib/train/run/metrics";
import { LEARNING } from "@/lib/train/run/training";
import { type Measure, percentile } from "./measure";
import { seeded } from "./random";
import { pythonWithTorch, torchSeconds } from "./torch";
import { busyShare, type CoreTimes, coreTimes, type Memory, watchMemory } from "./watch";

/** An RL step as the issue of speed is put: so many rollouts of so many tokens, in groups of eight. */
const STEP = { rollouts: 64, length: 400, group: 8 };
/** Repetitions of the update; the first warms up. */
const REPEAT = 3;
/** Ours and PyTorch's run in turns. */
const ROUNDS = 3;
/** Rollouts PyTorch is given at once: the fastest of these counts. */
const PARTS = [4, 16];

const seconds = async (work: () => unknown): Promise<number> => {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
};
const middle = (values: readonly number[]): number => percentile(values, 50);
const to = (digits: number, value: number): number => Number(value.toFixed(digits));

interface Phases {
  sampling: number;
  rewards: number;
  update: number;
}

/** One step on made-up rollouts of the shipped policy's size: sampled freely, paid by chance, learnt from. */
async function phasesOf(config: PolicyConfig, repeat: number): Promise<{ phases: Phases; update: number[] }> {
  const weights = await initWeights(config, 1);
  const random = seeded(7);
  const sampler = await createSampler(weights, config, { backend: "onnxruntime", threads: 1, slots: STEP.rollouts });
  const keys = Array.from({ length: STEP.rollouts }, (_, i) => `rollout ${i}`);
  const free = { stop: new Set<number>(), maxTokens: STEP.length - 1, temperature: 1, topP: 1, random };
  let sampled: { ids: readonly number[]; logprobs: readonly number[] }[] = [];
  const sampling = await seconds(async () => {
    sampled = await Promise.all(keys.map((key) => sampler.sample({ key, prompt: [1], ...free })));
  });
  await sampler.close();
  let rows: RolloutRow[] = [];
  const rewards = await seconds(() => {
    const paid = sampled.map(() => (random() < 0.5 ? 1 : 0));
    const lengths = sampled.map(({ ids }) => ids.length);
    const scale = scales(lengths, "token", 1);
    rows = sampled.map(({ ids, logprobs }, i) => {
      const group = Math.floor(i / STEP.group) * STEP.group;
      const advantage = advantages(paid.slice(group, group + STEP.group), "centered")[i - group] as number;
      return {
        ids: [1, ...ids],
        mask: [0, ...ids.map(() => 1)],
        sampled: [0, ...logprobs],
        advantage,
        scale: scale[i] as number,
      };
    });
  });
  const loss = policyLoss({ kind: "dppo", divergence: "tv", threshold: 0.1 });
  const trainer = new AccumulatingTrainer<RolloutRow>(weights, config, loss, {
    backend: "onnxruntime",
    threads: LEARNING.threads,
    batch: LEARNING.rows,
    lengths: [config.context],
  });
  const update: number[] = [];
  for (let i = 0; i <= repeat; i++) update.push(await seconds(() => trainer.train(rows, { learningRate: 1e-4 })));
  await trainer.close();
  return { phases: { sampling, rewards, update: middle(update.slice(1)) }, update: update.slice(1) };
}

async function benchUpdate(root: string, say: (text: string) => void): Promise<Measure[]> {
  const { config: base } = await loadCheckpoint(BASE_CHECKPOINT);
  const config: PolicyConfig = { ...base, context: STEP.length };
  const python = await pythonWithTorch("train", say);
  const ours: Phases[] = [];
  const torch: number[] = [];
  const parts: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { phases } = await phasesOf(config, REPEAT);
    ours.push(phases);
    if (python) {
      const each: [string, number][] = [];
      for (const part of PARTS) {
        const { rollouts, length } = STEP;
        const work = { config, rollouts, length, part, repeat: REPEAT + 1 };
        each.push([String(part), middle((await torchSeconds(python, root, "torch_rl_step.py", work)).slice(1))]);
      }
      parts.push(Object.fromEntries(each.map(([part, s]) => [part, to(2, s)])));
      torch.push(Math.min(...each.map(([, s]) => s)));
    }
    say(
      `train, round ${round + 1}: sampling ${phases.sampling.toFixed(2)} s, rewards ${phases.rewards.toFixed(3)} s, update ${phases.update.toFixed(2)} s${python ? `, PyTorch ${torch.at(-1)?.toFixed(2)} s` : ""}`,
    );
  }
  const name = `RL step of ${STEP.rollouts} rollouts x ${STEP.length} tokens`;
  const detail = {
    config,
    rows: LEARNING.rows,
    threads: LEARNING.threads,
    ours,
    torch: torch.map((s) => to(2, s)),
    parts,
  };
  const phase = (key: keyof Phases, digits: number): Measure => ({
    name: `${name}: ${key}`,
    value: to(digits, middle(ours.map((p) => p[key]))),
    unit: "s",
    budget: "none",
    met: true,
    detail,
  });
  const plain = [phase("sampling", 2), phase("rewards", 4), phase("update", 2)];
  if (torch.length === 0) return plain;
  const ratio = to(2, middle(ours.map((p, i) => p.update / (torch[i] as number))));
  return [
    ...plain,
    {
      name: `${name}: update, time over PyTorch's`,
      value: ratio,
      unit: "x",
      budget: "at most 2",
      met: ratio <= 2,
      detail,
    },
  ];
}

interface Watched {
  /** Cores' times when each step came into the index. */
  at: { step: number; times: CoreTimes }[];
  memory: Memory;
}

/** Runs a training in a fresh home and watches cores and memory until it ends. */
async function watched(home: string, root: string, steps: number): Promise<Watched> {
  const args = [
    "train",
    "--recipe",
    "outcome-random",
    "--batch",
    "8",
    "--group",
    "8",
    "--steps",
    String(steps),
    "--json",
  ];
  const child = spawn(process.execPath, [path.join(root, "dist/cli.mjs"), ...args], {
    cwd: root,
    env: { ...process.env, MISSTEP_HOME: home, MISSTEP_ROOT: root },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (data: Buffer) => {
    said = (said + data.toString()).slice(-4000);
  });
  const memory = watchMemory(home, child.pid as number);
  const at: Watched["at"] = [];
  let db: ReturnType<typeof openDb> | null = null;
  const look = setInterval(() => {
    if (!db) {
      if (at.length > 0 || !fs.existsSync(path.join(home, "trainings"))) return;
      db = openDb(path.join(home, "misstep.db"));
    }
    const step = db.$client.prepare("select max(step) from training_step").pluck().get() as number | null;
    if (step !== null && step !== at.at(-1)?.step) at.push({ step, times: coreTimes() });
  }, 50);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearInterval(look);
  (db as ReturnType<typeof openDb> | null)?.$client.close();
  const peak = memory.stop();
  if (code !== 0) throw new Error(`the training ended with exit code ${code}: ${said}`);
  return { at, memory: peak };
}

async function benchCores(work: string, root: string, steps: number, say: (text: string) => void): Promise<Measure[]> {
  const home = path.join(work, "train");
  fs.mkdirSync(home);
  const { at, memory } = await watched(home, root, steps + 1);
  const db = openDb(path.join(home, "misstep.db"));
  const rows = db.$client.prepare("select metrics from training_step order by step").pluck().all() as string[];
  db.$client.close();
  const metrics = rows.map((text) => stepMetrics.parse(JSON.parse(text)));
  // The first step also starts the host, builds images and compiles programs.
  const shares = at.slice(1).map(({ step, times }, i) => ({
    step,
    share: busyShare((at[i] as Watched["at"][number]).times, times),
    rollouts: metrics[step - 1]?.rollouts,
    ms: metrics[step - 1]?.ms,
    void: metrics[step - 1]?.void,
  }));
  const share = to(1, 100 * middle(shares.map((s) => s.share)));
  const gigabytes = to(2, memory.together / 1e9);
  say(`train: cores busy ${share}% of a step, ${gigabytes} GB`);
  const detail = {
    steps: shares,
    memory,
    cores: os.cpus().length,
    note: "whatever else ran on the machine counts as busy",
  };
  return [
    {
      name: "cores busy in a training step of the tiny suite (8 groups x 8 rollouts)",
      value: share,
      unit: "%",
      budget: "at least 85",
      met: share >= 85,
      detail,
    },
    {
      name: "peak memory of trainer and sandbox host in that training",
      value: gigabytes,
      unit: "GB",
      budget: "under 2",
      met: gigabytes < 2,
      detail,
    },
  ];
}

/** An RL step phase by phase, its update against PyTorch's, and what a real training makes of cores and memory. */
export async function benchTrain(
  work: string,
  root: string,
  steps: number,
  say: (text: string) => void,
): Promise<Measure[]> {
  return [...(await benchUpdate(root, say)), ...(await benchCores(work, root, steps, say))];
}
