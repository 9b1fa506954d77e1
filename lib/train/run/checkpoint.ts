import "server-only";
import fs from "node:fs";
import path from "node:path";
import type { Db } from "@/db/client";
import { home } from "@/db/home";
import { statement } from "@/db/statement";
import { SUITE_VERSION } from "@/lib/environment/suite/generate";
import { type Card, cardSchema } from "@/lib/model/policy/card";
import { CHECKPOINT_FILES, type Checkpoint, ownFolder, registerCheckpoint } from "@/lib/model/policy/checkpoint";
import type { Weight } from "@/lib/model/policy/types";
import { writeWeights } from "@/lib/model/policy/weights";
import { sha256Of } from "@/lib/train/pretrain/train";
import type { TrainSettings } from "@/lib/train/settings";
import type { StepMetrics } from "./metrics";

/** Folder of the states a training goes on from after a kill. */
export const stateFolder = (runId: number): string =>
  path.join(/*turbopackIgnore: true*/ home().root, "trainings", String(runId));

export const stateFile = (runId: number, step: number): string =>
  path.join(stateFolder(runId), `step-${step}.safetensors`);

/** States of steps that nothing goes on from any more are removed: the last is kept, and the one before it in case a kill comes between file and index. */
export function tidyStates(runId: number, step: number): void {
  for (const name of fs.readdirSync(stateFolder(runId))) {
    const of = Number(/^step-(\d+)\.safetensors$/.exec(name)?.[1] ?? Number.NaN);
    if (of < step - 1) fs.rmSync(path.join(stateFolder(runId), name), { force: true });
  }
}

export interface CheckpointOrigin {
  runId: number;
  name: string;
  step: number;
  settings: TrainSettings;
  base: Checkpoint;
  baseId: number | null;
}

/** Writes a checkpoint of a training: weights, the base's vocabulary, a card. Whole or not at all; there already: written anew. */
export function writeCheckpoint(
  { name, step, settings, base }: CheckpointOrigin,
  weights: readonly Weight[],
  curve: readonly { step: number; metrics: StepMetrics }[],
): Card {
  const full = `${name}-step-${step}`;
  const folder = ownFolder(full);
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const building = fs.mkdtempSync(`${folder}.building-`);
  try {
    const file = path.join(building, CHECKPOINT_FILES.weights);
    writeWeights(file, weights, { name: full });
    const card = cardSchema.parse({
      name: full,
      about: `${base.name} after ${step} steps of reinforcement learning by the recipe ${settings.recipe}.`,
      license: base.card.license,
      config: base.config,
      parameters: weights.reduce((n, { data }) => n + data.length, 0),
      seed: settings.seed,
      suiteVersion: SUITE_VERSION,
      data: { base: base.name, baseWeights: base.card.weights },
      training: { step, ...settings },
      curve: curve.map((point) => ({
        step: point.step,
        loss: point.metrics.loss ?? 0,
        learningRate: point.metrics.learningRate ?? 0,
        gradNorm: point.metrics.gradNorm ?? 0,
      })),
      weights: sha256Of(file),
    });
    fs.writeFileSync(path.join(building, CHECKPOINT_FILES.vocabulary), `${JSON.stringify(base.vocabulary)}\n`);
    fs.writeFileSync(path.join(building, CHECKPOINT_FILES.card), `${JSON.stringify(card, null, 1)}\n`);
    fs.chmodSync(building, 0o755);
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(building, folder);
    return card;
  } catch (error) {
    fs.rmSync(building, { recursive: true, force: true });
    throw error;
  }
}

/** Puts a training's checkpoint into the index. Inside the transaction of its step. */
export function storeCheckpoint(
  db: Db,
  { runId, step, baseId }: Pick<CheckpointOrigin, "runId" | "step" | "baseId">,
  card: Card,
): number {
  const id = registerCheckpoint(db, card);
  statement(db, "update checkpoint set parent_id = ?, training_run_id = ?, training_step = ? where id = ?").run(
    baseId,
    runId,
    step,
    id,
  );
  statement(db, "update training_step set checkpoint_id = ? where training_run_id = ? and step = ?").run(
    id,
    runId,
    step,
  );
  return id;
}
