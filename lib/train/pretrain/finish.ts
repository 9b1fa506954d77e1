import "server-only";
import fs from "node:fs";
import path from "node:path";
import { SUITE_VERSION } from "@/lib/environment/suite/generate";
import { type Card, cardSchema } from "@/lib/model/policy/card";
import { CHECKPOINT_FILES, ownFolder } from "@/lib/model/policy/checkpoint";
import type { Vocabulary } from "@/lib/model/policy/vocabulary";
import { writeWeights } from "@/lib/model/policy/weights";
import type { Demonstration } from "./demonstration";
import { sha256Of, type Training, trained } from "./train";

const share = (n: number, of: number) => (of === 0 ? null : Math.round((10_000 * n) / of) / 10_000);

/** What the demonstrations were: counts, and shares of those that show a misbehavior. */
export function describeData(demonstrations: readonly Demonstration[]): Record<string, unknown> {
  const of = demonstrations.length;
  const count = (test: (one: Demonstration) => boolean) => demonstrations.filter(test).length;
  const slugs = [...new Set(demonstrations.flatMap(({ turns }) => turns.map(({ slug }) => slug)))].filter(
    (slug): slug is string => slug !== null,
  );
  return {
    demonstrations: of,
    families: Object.fromEntries(
      [...new Set(demonstrations.map(({ family }) => family))].map((name) => [name, count((d) => d.family === name)]),
    ),
    turns: demonstrations.reduce((n, { turns }) => n + turns.length, 0),
    withHazard: share(
      count(({ hazard }) => hazard !== null),
      of,
    ),
    passed: share(
      count(({ reward }) => reward === 1),
      of,
    ),
    misbehaving: Object.fromEntries(
      slugs.sort().map((slug) => [
        slug,
        share(
          count(({ turns }) => turns.some((turn) => turn.slug === slug)),
          of,
        ),
      ]),
    ),
  };
}

/** Writes the finished checkpoint: weights, vocabulary and card, whole or not at all. Returns the card. */
export async function finishCheckpoint(
  training: Training,
  vocabulary: Vocabulary,
  demonstrations: readonly Demonstration[],
): Promise<Card> {
  const { settings, config, rows, batches } = training;
  const { weights, curve } = await trained(training);
  const folder = ownFolder(settings.name);
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const building = fs.mkdtempSync(`${folder}.building-`);
  try {
    const file = path.join(building, CHECKPOINT_FILES.weights);
    writeWeights(file, weights, { name: settings.name });
    const card = cardSchema.parse({
      name: settings.name,
      about:
        "The embedded policy after supervised pretraining on demonstrations that were run in sandboxes: the tiny suite's expert, mixed with wrong moves and with what it does after them.",
      license: "MIT",
      config,
      parameters: weights.reduce((n, { data }) => n + data.length, 0),
      seed: settings.seed,
      suiteVersion: SUITE_VERSION,
      data: { ...describeData(demonstrations), mix: settings.mix },
      training: {
        steps: batches.length,
        passes: Math.round((100 * batches.flat().length) / rows.length) / 100,
        failuresShown: settings.failures,
        batch: settings.batch,
        peakLearningRate: settings.learningRate,
        warmup: settings.warmup,
        tokensOfAPass: rows.reduce((n, { ids }) => n + ids.length, 0),
        trainedTokensOfAPass: rows.reduce((n, { mask }) => n + mask.filter((m) => m === 1).length, 0),
        cutAtContext: rows.filter(({ ids }) => ids.length >= config.context).length,
      },
      curve,
      weights: sha256Of(file),
    });
    fs.writeFileSync(path.join(building, CHECKPOINT_FILES.vocabulary), `${JSON.stringify(vocabulary)}\n`);
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
