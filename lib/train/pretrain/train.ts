import "server-only";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { randomOf } from "@/lib/environment/suite/draw";
import { usableBackend } from "@/lib/model/onnx/compile";
import { initWeights } from "@/lib/model/policy/parameters";
import { outputTokens, replyTokens, taskTokens } from "@/lib/model/policy/turns";
import type { PolicyConfig } from "@/lib/model/policy/types";
import type { Vocabulary } from "@/lib/model/policy/vocabulary";
import { SUPERVISED, type SupervisedRow } from "@/lib/train/embedded/sft";
import { Trainer } from "@/lib/train/embedded/trainer";
import type { Demonstration } from "./demonstration";
import type { PretrainSettings } from "./settings";

/** Steps between two saved states: what a killed run does again. */
export const SAVE_EVERY = 100;
/** Steps a point of the curve is the mean of. */
const CURVE_EVERY = 25;
/** Threads of a training: another number gives other last bits. */
const THREADS = 2;
/** Lengths of programs; most demonstrations are short. */
const LENGTHS = [96, 128, 192, 256];

export interface CurvePoint {
  step: number;
  loss: number;
  learningRate: number;
  gradNorm: number;
}

/** A demonstration as tokens: learned from are the policy's own words, up to the context. */
export function rowOf(vocabulary: Vocabulary, demonstration: Demonstration, context: number): SupervisedRow {
  const ids = taskTokens(vocabulary, demonstration.instruction);
  const mask = ids.map(() => 0);
  demonstration.turns.forEach((turn, i) => {
    const reply = replyTokens(vocabulary, turn);
    const last = i === demonstration.turns.length - 1 && demonstration.submitted;
    const output = last ? [] : outputTokens(vocabulary, turn);
    ids.push(...reply, ...output);
    mask.push(...reply.map(() => 1), ...output.map(() => 0));
  });
  return { ids: ids.slice(0, context), mask: mask.slice(0, context) };
}

const shuffled = <T>(list: readonly T[], random: () => number): T[] => {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j] as T, out[i] as T];
  }
  return out;
};

/** The rows of every step: pass after pass over all rows, rows of like length together, in an order drawn from the seed. */
export function batchesOf(rows: readonly SupervisedRow[], settings: PretrainSettings): SupervisedRow[][] {
  const batches: SupervisedRow[][] = [];
  for (let pass = 0; batches.length < settings.steps; pass++) {
    const random = randomOf(`misstep pass\0${settings.seed}\0${pass}`);
    const order = rows
      .map((row) => ({ row, at: row.ids.length + random() * 24 }))
      .sort((a, b) => a.at - b.at)
      .map(({ row }) => row);
    const own: SupervisedRow[][] = [];
    for (let i = 0; i < order.length; i += settings.batch) own.push(order.slice(i, i + settings.batch));
    batches.push(...shuffled(own, random));
  }
  return batches.slice(0, settings.steps);
}

/** The rows of one pass: each demonstration, those that failed as often as the settings say. */
export const rowsOf = (
  vocabulary: Vocabulary,
  demonstrations: readonly Demonstration[],
  { model, failures }: PretrainSettings,
): SupervisedRow[] =>
  demonstrations.flatMap((one) => {
    const row = rowOf(vocabulary, one, model.context);
    return Array<SupervisedRow>(one.reward === 1 ? 1 : failures).fill(row);
  });

/** Linear warm-up, then a cosine down to a twentieth of the peak. `step` from 1. */
export function learningRateAt(step: number, steps: number, settings: PretrainSettings): number {
  const warm = settings.warmup === 0 ? 1 : Math.min(1, step / settings.warmup);
  return settings.learningRate * warm * (0.05 + 0.95 * 0.5 * (1 + Math.cos((Math.PI * step) / steps)));
}

/** Five digits: a curve is looked at. */
const short = (value: number): number => Number(value.toPrecision(5));

const stateFile = (folder: string, step: number) =>
  path.join(folder, "states", `${String(step).padStart(7, "0")}.safetensors`);

/** Everything a training needs beside its state. */
export interface Training {
  settings: PretrainSettings;
  config: PolicyConfig;
  /** Of one pass. */
  rows: SupervisedRow[];
  /** Of every step. */
  batches: SupervisedRow[][];
  /** Where states are saved. */
  folder: string;
}

/** A trainer at the saved state after `step` steps; new weights from the seed at 0. */
async function trainerAt(
  { settings, config, folder }: Training,
  step: number,
): Promise<[Trainer<SupervisedRow>, CurvePoint[]]> {
  const weights = await initWeights(config, settings.seed);
  const lengths = [...LENGTHS.filter((length) => length < config.context), config.context];
  const { backend } = await usableBackend();
  const options = { backend, threads: THREADS, batch: settings.batch, lengths };
  const trainer = new Trainer(weights, config, SUPERVISED, options);
  if (step === 0) return [trainer, []];
  const metadata = await trainer.restore(stateFile(folder, step));
  return [trainer, JSON.parse(metadata.curve ?? "[]") as CurvePoint[]];
}

/**
 * Trains from the saved state after `from` steps up to `to`, saves the state there, and removes the one before. Trained
 * again after a kill it comes to the same bits. `onStep` is called after each step; `signal` ends it between two.
 */
export async function trainPart(
  training: Training,
  from: number,
  to: number,
  signal: AbortSignal,
  onStep: (step: number, loss: number) => void = () => undefined,
): Promise<void> {
  const { settings, batches, folder } = training;
  const [trainer, curve] = await trainerAt(training, from);
  let sum = { loss: 0, gradNorm: 0, n: 0 };
  try {
    for (let step = from + 1; step <= to; step++) {
      signal.throwIfAborted();
      const learningRate = learningRateAt(step, batches.length, settings);
      const report = await trainer.train(batches[step - 1] ?? [], { learningRate });
      sum = { loss: sum.loss + report.loss, gradNorm: sum.gradNorm + report.gradNorm, n: sum.n + 1 };
      if (step % CURVE_EVERY === 0 || step === batches.length) {
        curve.push({
          step,
          loss: short(sum.loss / sum.n),
          learningRate: short(learningRate),
          gradNorm: short(sum.gradNorm / sum.n),
        });
        sum = { loss: 0, gradNorm: 0, n: 0 };
      }
      onStep(step, report.loss);
      // Heartbeat and cancel get their turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
    trainer.save(stateFile(folder, to), { curve: JSON.stringify(curve) });
  } finally {
    await trainer.close();
  }
  if (from > 0) fs.rmSync(stateFile(folder, from), { force: true });
}

/** Weights and curve of the state after the last step. */
export async function trained(training: Training) {
  const [trainer, curve] = await trainerAt(training, training.batches.length);
  const weights = trainer.weights();
  await trainer.close();
  return { weights, curve };
}

/** Hex SHA-256 of a file. */
export const sha256Of = (file: string): string => createHash("sha256").update(fs.readFileSync(file)).digest("hex");
