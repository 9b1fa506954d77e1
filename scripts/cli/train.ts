import fs from "node:fs";
import { Command } from "commander";
import { ZodError } from "zod";
import { statement } from "@/db/statement";
import { enqueueTraining, UnusableTraining } from "@/lib/jobs/trainJob";
import { formatDuration } from "@/lib/text/format";
import { RECIPES, recipeOf } from "@/lib/train/recipes";
import { type StepMetrics, stepMetrics } from "@/lib/train/run/metrics";
import { NothingToTrainOn } from "@/lib/train/run/plan";
import type { GivenTrainSettings } from "@/lib/train/settings";
import { type JsonOption, openIndex, print, UsageError } from "./output";
import { whole } from "./prefix";
import { indexTexts, seeThrough } from "./runJob";

interface Options extends JsonOption {
  recipe: string;
  settings?: string;
  name?: string;
  base?: string;
  steps?: number;
  group?: number;
  batch?: number;
  learningRate?: number;
  seed?: number;
  misbehavior: string[];
  parallel?: number;
}

function settingsOf(options: Options): GivenTrainSettings {
  const recipe = recipeOf(options.recipe);
  if (!recipe && !options.settings)
    throw new UsageError(`there is no recipe "${options.recipe}"; there are ${RECIPES.map((r) => r.name).join(", ")}`);
  const own = options.settings ? (JSON.parse(fs.readFileSync(options.settings, "utf8")) as GivenTrainSettings) : null;
  const { base, steps, group, batch, learningRate, seed, parallel, misbehavior } = options;
  const given = Object.fromEntries(
    Object.entries({ base, steps, group, batch, learningRate, seed, parallel }).filter(([, v]) => v !== undefined),
  );
  const settings = { recipe: options.recipe, ...recipe?.settings, ...own, ...given } as GivenTrainSettings;
  const { start } = settings;
  if (misbehavior.length > 0 && (start.kind === "prefix" || start.kind === "environments"))
    settings.start = { ...start, prefixes: { ...start.prefixes, misbehaviors: misbehavior } };
  return settings;
}

const mean = (values: (number | null)[]): string => {
  const known = values.filter((v): v is number => v !== null);
  return known.length === 0 ? "–" : (known.reduce((s, v) => s + v, 0) / known.length).toFixed(3);
};

/** Steps in stretches of ten, and what they came to. */
function curveLines(steps: { step: number; metrics: StepMetrics }[]): string[] {
  const lines: string[] = [];
  for (let from = 0; from < steps.length; from += 10) {
    const part = steps.slice(from, from + 10);
    const of = (key: "reward" | "outcomeReward" | "behaviorReward" | "entropy") =>
      mean(part.map((p) => p.metrics[key]));
    const sum = (value: (m: StepMetrics) => number) => part.reduce((s, p) => s + value(p.metrics), 0);
    lines.push(
      `  steps ${String(part[0]?.step).padStart(3)}–${String(part.at(-1)?.step).padEnd(3)} reward ${of("reward")}  r_o ${of("outcomeReward")}  r_e ${of("behaviorReward")}  entropy ${of("entropy")}  dead ${sum((m) => m.groups - m.live)} of ${sum((m) => m.groups)} groups, void ${sum((m) => m.void)} of ${sum((m) => m.rollouts)} rollouts`,
    );
  }
  return lines;
}

/** misstep train */
export function trainCommand(): Command {
  return new Command("train")
    .description("trains the embedded policy by reinforcement learning; the same settings give the same weights")
    .option("--recipe <name>", RECIPES.map((r) => r.name).join(" | "), "mirl")
    .option("--settings <file>", "settings of your own (JSON), over those of the recipe")
    .option("--name <name>", "of the training; its checkpoints are called after it")
    .option("--base <checkpoint>", "what is trained")
    .option("--steps <n>", "optimiser steps", whole(1, 100_000))
    .option("--batch <n>", "groups a step", whole(1, 256))
    .option("--group <n>", "rollouts a group", whole(2, 256))
    .option("--learning-rate <x>", "after warm-up", Number)
    .option(
      "--misbehavior <slug>",
      "only prefixes of this one; can be given several times",
      (v, all: string[]) => [...all, v],
      [],
    )
    .option("--seed <n>", "everything drawn comes from it", whole(0, Number.MAX_SAFE_INTEGER))
    .option("--parallel <n>", "rollouts at once", whole(1, 1024))
    .option("--json", "print JSON")
    .action(async (options: Options) => {
      const db = openIndex();
      const { runId, jobId, name } = queue(() =>
        enqueueTraining(db, {
          ...(options.name === undefined ? {} : { name: options.name }),
          settings: settingsOf(options),
          requestedBy: "cli",
        }),
      );
      const job = await seeThrough(db, jobId);
      await indexTexts(db);
      const rows = statement(db, "select step, metrics from training_step where training_run_id = ? order by step").all(
        runId,
      ) as { step: number; metrics: string }[];
      const steps = rows.map((r) => ({ step: r.step, metrics: stepMetrics.parse(JSON.parse(r.metrics)) }));
      const took = job.started_at !== null && job.finished_at !== null ? job.finished_at - job.started_at : null;
      print(options, { run: runId, name, job: jobId, status: job.status, error: job.error, steps }, () => [
        `training ${runId} ${name}: ${job.status}${job.error === null ? "" : `: ${job.error}`}${took === null ? "" : `, ${formatDuration(took)}`}`,
        ...curveLines(steps),
      ]);
      if (job.status !== "done") process.exitCode = 1;
    });
}

function queue<T>(enqueue: () => T): T {
  try {
    return enqueue();
  } catch (error) {
    if (error instanceof ZodError)
      throw new UsageError(error.issues.map((i) => `${i.path.join(".") || "settings"}: ${i.message}`).join("; "));
    if (error instanceof UnusableTraining || error instanceof NothingToTrainOn) throw new UsageError(error.message);
    throw error;
  }
}
