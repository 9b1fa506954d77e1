import os from "node:os";
import { initWeights } from "@/lib/model/policy/parameters";
import { createSampler } from "@/lib/model/policy/sampler";
import type { PolicyConfig } from "@/lib/model/policy/types";
import { SUPERVISED, type SupervisedRow } from "@/lib/train/embedded/sft";
import { Trainer } from "@/lib/train/embedded/trainer";
import { type Measure, percentile } from "./measure";
import { seeded } from "./random";
import { pythonWithTorch, torchSeconds } from "./torch";

/** About a million parameters. */
const CONFIG: PolicyConfig = { vocab: 512, dim: 128, layers: 4, heads: 4, hidden: 512, context: 384 };
const TRAIN = { batch: 16, length: 384, repeat: 12 };
const SAMPLE = { batch: 64, length: 320, repeat: 3 };
/** Ours and PyTorch's run in turns: both see the same neighbours on the machine. */
const ROUNDS = 3;
type Work = typeof TRAIN;

async function timed(repeat: number, call: (i: number) => Promise<unknown>): Promise<number[]> {
  const seconds: number[] = [];
  for (let i = 0; i < repeat; i++) {
    const from = performance.now();
    await call(i);
    seconds.push((performance.now() - from) / 1000);
  }
  return seconds;
}

/** The first repetitions warm up caches and allocators. */
const speed = (seconds: number[], { batch, length }: Work): number =>
  (batch * length) / percentile(seconds.slice(1), 50);

/** Tokens per second of a training step and of sampling, against PyTorch where there is one. */
export async function benchPolicy(root: string, say: (text: string) => void): Promise<Measure[]> {
  const threads = os.availableParallelism();
  const options = { backend: "onnxruntime", threads } as const;
  const weights = await initWeights(CONFIG, 1);
  const random = seeded(5);
  const rows = Array.from({ length: TRAIN.batch }, (): SupervisedRow => {
    const ids = Array.from({ length: TRAIN.length + 1 }, () => Math.floor(random() * CONFIG.vocab));
    return { ids, mask: ids.map(() => 1) };
  });
  const trainer = new Trainer(weights, CONFIG, SUPERVISED, {
    ...options,
    batch: TRAIN.batch,
    lengths: [TRAIN.length],
  });
  const sampler = await createSampler(weights, CONFIG, { ...options, slots: SAMPLE.batch });
  const sampleAll = async (round: number) => {
    const keys = Array.from({ length: SAMPLE.batch }, (_, i) => `${round} ${i}`);
    const free = { stop: new Set<number>(), maxTokens: SAMPLE.length, temperature: 1, topP: 1, random };
    await Promise.all(keys.map((key) => sampler.sample({ key, prompt: [1], ...free })));
    for (const key of keys) sampler.release(key);
  };
  const python = await pythonWithTorch("policy", say);
  const torchOf = (mode: "train" | "sample", work: Work) =>
    python ? torchSeconds(python, root, "torch_bench.py", { mode, config: CONFIG, ...work }) : null;

  const ours = { train: [] as number[], sample: [] as number[] };
  const torch = { train: [] as number[], sample: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const trained = await timed(TRAIN.repeat, () => trainer.train(rows, { learningRate: 1e-3 }));
    ours.train.push(speed(trained, TRAIN));
    const theirs = await torchOf("train", TRAIN);
    if (theirs) torch.train.push(speed(theirs, TRAIN));
    ours.sample.push(speed(await timed(SAMPLE.repeat, sampleAll), SAMPLE));
    const sampled = await torchOf("sample", SAMPLE);
    if (sampled) torch.sample.push(speed(sampled, SAMPLE));
    say(`policy, round ${round + 1}: ${describe(ours, torch, round)}`);
  }
  await trainer.close();
  await sampler.close();
  const train = `training step of the policy, ${TRAIN.batch} x ${TRAIN.length} tokens`;
  const sample = `sampling from the policy, ${SAMPLE.batch} rollouts of ${SAMPLE.length} tokens`;
  return [...measures(train, ours.train, torch.train, 0.8), ...measures(sample, ours.sample, torch.sample, 1)];
}

function describe(ours: Record<string, number[]>, torch: Record<string, number[]>, round: number): string {
  return Object.keys(ours)
    .map((mode) => {
      const [a, b] = [ours[mode]?.[round] ?? 0, torch[mode]?.[round]];
      return `${mode} ${a.toFixed(0)} tokens/s${b === undefined ? "" : `, PyTorch ${b.toFixed(0)}`}`;
    })
    .join("; ");
}

/** The ratio is the median of the rounds' ratios. */
function measures(name: string, ours: number[], torch: number[], least: number): Measure[] {
  const detail = { config: CONFIG, ours: ours.map(Math.round), torch: torch.map(Math.round) };
  const value = Math.round(percentile(ours, 50));
  const plain: Measure = { name, value, unit: "tokens/s", budget: "none", met: true, detail };
  if (torch.length === 0) return [plain];
  const ratios = ours.map((speed, round) => speed / (torch[round] ?? Number.NaN));
  const ratio = Math.round(percentile(ratios, 50) * 100) / 100;
  const against = `${name}, against PyTorch`;
  return [plain, { name: against, value: ratio, unit: "x", budget: `at least ${least}`, met: ratio >= least, detail }];
}
