import "server-only";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { home } from "@/db/home";
import { SUITE_VERSION } from "@/lib/environment/suite/generate";
import type { Counts, Executor, ItemsContext, NewItem } from "@/lib/jobs/executor";
import { registerCheckpoint } from "@/lib/model/policy/checkpoint";
import { connectSandboxHost } from "@/lib/sandbox/client";
import { chunksOf, makeDemonstrations, readDemonstrations } from "@/lib/train/pretrain/demonstrations";
import { finishCheckpoint } from "@/lib/train/pretrain/finish";
import { type PretrainSettings, pretrainSettings } from "@/lib/train/pretrain/settings";
import { batchesOf, rowsOf, SAVE_EVERY, type Training, trainPart } from "@/lib/train/pretrain/train";
import { suiteVocabulary } from "@/lib/train/pretrain/vocabulary";

const itemSchema = z.discriminatedUnion("do", [
  z.object({ do: z.literal("demonstrate"), chunk: z.number() }),
  z.object({ do: z.literal("train"), from: z.number(), to: z.number() }),
  z.object({ do: z.literal("finish") }),
]);

const keyOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
const folderOf = (name: string) => path.join(home().root, "pretrain", name);

/** Where the demonstrations of these settings lie: other trainings on the same ones find them there. */
export const demonstrationsFolder = ({ seed, demonstrations, mix }: PretrainSettings): string =>
  folderOf(`demonstrations-${keyOf([SUITE_VERSION, seed, demonstrations, mix])}`);

/** Where the states of a training lie. */
const trainingFolder = (settings: PretrainSettings): string => folderOf(`${settings.name}-${keyOf(settings)}`);

function prepare(settings: PretrainSettings, folder: string) {
  const vocabulary = suiteVocabulary();
  const demonstrations = readDemonstrations(demonstrationsFolder(settings), settings);
  const config = { vocab: vocabulary.size, ...settings.model };
  const rows = rowsOf(vocabulary, demonstrations, settings);
  const training: Training = { settings, config, rows, batches: batchesOf(rows, settings), folder };
  return { vocabulary, demonstrations, training };
}

/** The rows of the job that ran last: making them takes longer than many a part. */
let prepared: { folder: string; value: ReturnType<typeof prepare> } | null = null;

function preparedFor(settings: PretrainSettings) {
  const folder = trainingFolder(settings);
  if (prepared?.folder !== folder) prepared = { folder, value: prepare(settings, folder) };
  return prepared.value;
}

async function demonstrate(context: ItemsContext, settings: PretrainSettings, chunk: number): Promise<Counts> {
  const folder = demonstrationsFolder(settings);
  const made = await makeDemonstrations(connectSandboxHost, settings, chunk, folder, context.signal);
  const passed = made.filter(({ reward }) => reward === 1).length;
  return { demonstrations: made.length, passed, turns: made.reduce((n, { turns }) => n + turns.length, 0) };
}

async function train(context: ItemsContext, settings: PretrainSettings, from: number, to: number): Promise<Counts> {
  let last = Number.NaN;
  await trainPart(preparedFor(settings).training, from, to, context.signal, (_step, loss) => {
    last = loss;
  });
  context.log("info", `step ${to} of ${settings.steps}: loss ${last.toFixed(3)}`);
  return { steps: to - from };
}

async function finish(context: ItemsContext, settings: PretrainSettings): Promise<Counts> {
  const { training, vocabulary, demonstrations } = preparedFor(settings);
  const card = await finishCheckpoint(training, vocabulary, demonstrations);
  const id = registerCheckpoint(context.db, card);
  context.log("info", `checkpoint ${card.name} (${id}), weights ${card.weights.slice(0, 16)}…`);
  prepared = null;
  return { checkpoints: 1 };
}

/**
 * Pretrains the embedded policy: demonstrations run in sandboxes, supervised training on them, the checkpoint. An item a
 * chunk of demonstrations or a stretch of steps; a killed worker goes on after the last that ended and comes to the same
 * weights.
 */
export const pretrainExecutor: Executor = {
  kind: "pretrain",

  async *list({ job }) {
    const settings = pretrainSettings.parse(JSON.parse(job.params));
    const items: NewItem[] = [];
    const add = (key: string, payload: z.infer<typeof itemSchema>) => items.push({ key, payload });
    for (let chunk = 0; chunk < chunksOf(settings); chunk++) add(`demonstrate/${chunk}`, { do: "demonstrate", chunk });
    const { steps } = settings;
    for (let from = 0; from < steps; from += SAVE_EVERY)
      add(`train/${from}`, { do: "train", from, to: Math.min(steps, from + SAVE_EVERY) });
    add("finish", { do: "finish" });
    fs.mkdirSync(trainingFolder(settings), { recursive: true });
    yield { items };
  },

  async run(context) {
    const settings = pretrainSettings.parse(JSON.parse(context.job.params));
    for (const item of context.items) {
      const what = itemSchema.parse(JSON.parse(item.payload));
      const counts = await (what.do === "demonstrate"
        ? demonstrate(context, settings, what.chunk)
        : what.do === "train"
          ? train(context, settings, what.from, what.to)
          : finish(context, settings));
      context.together(() => {
        context.commit(item, () => counts);
        context.end(item, { status: "done" });
      });
    }
  },
};
