import fs from "node:fs";
import { Command } from "commander";
import { ZodError } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { dryTraining, enqueueTraining, type NewTraining, UnusableTraining } from "@/lib/jobs/trainJob";
import { formatCount, formatDuration, plural } from "@/lib/text/format";
import { checkTrainSettings, sayIssues } from "@/lib/train/check";
import { allRecipes, findRecipe } from "@/lib/train/ownRecipes";
import type { DryRun } from "@/lib/train/run/dryRun";
import { type StepMetrics, stepMetrics } from "@/lib/train/run/metrics";
import { NothingToTrainOn } from "@/lib/train/run/plan";
import type { GivenTrainSettings, TrainSettings } from "@/lib/train/settings";
import { type OnOption, onOption, placed, placeOf } from "./on";
import { callerPath, forTerminal, type JsonOption, openIndex, print, UsageError } from "./output";
import { decimal, whole } from "./prefix";
import { readBackCommand } from "./readBack";
import { indexTexts, seeThrough } from "./runJob";
import { trainExportCommand } from "./trainExport";
import { judgeTrainingCommand } from "./trainJudge";

interface Options extends JsonOption, OnOption {
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
  dryRun?: boolean;
}

/** No settings nest deeper; what reads them goes down level by level and would run out of stack. */
const MOST_DEPTH = 100;

/** Whether a value of JSON has more levels; looks no deeper than that. */
const deeperThan = (value: unknown, most: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (most === 0 || Object.values(value).some((inner) => deeperThan(inner, most - 1)));

/** Settings in a file. Throws UsageError. */
export function readSettingsFile(given: string): object {
  const file = callerPath(given);
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
    if (deeperThan(value, MOST_DEPTH)) throw new Error(`it is nested deeper than ${MOST_DEPTH} levels`);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new UsageError(`${file} holds no JSON object of settings`);
}

function settingsOf(db: Db, options: Options): TrainSettings {
  const recipe = findRecipe(db, options.recipe);
  if (!recipe && options.settings === undefined) {
    const names = allRecipes(db).map((r) => r.name);
    throw new UsageError(`there is no recipe "${options.recipe}"; there are ${names.join(", ")}`);
  }
  const own = options.settings === undefined ? null : readSettingsFile(options.settings);
  const { base, steps, group, batch, learningRate, seed, parallel, misbehavior } = options;
  const given = Object.fromEntries(
    Object.entries({ base, steps, group, batch, learningRate, seed, parallel }).filter(([, v]) => v !== undefined),
  );
  const settings = { ...recipe?.settings, recipe: options.recipe, ...own, ...given } as GivenTrainSettings;
  const { start } = settings;
  if (misbehavior.length > 0 && (start?.kind === "prefix" || start?.kind === "environments"))
    settings.start = { ...start, prefixes: { ...start.prefixes, misbehaviors: misbehavior } };
  const checked = checkTrainSettings(settings);
  if (!checked.ok) throw new UsageError(sayIssues(checked.issues));
  return checked.settings;
}

const between = ({ least, most }: { least: number; most: number }, say: (n: number) => string): string =>
  least === most ? say(least) : `${say(least)} to ${say(most)}`;
const STARTS: Record<DryRun["starts"]["kind"], [string, string]> = {
  prefix: ["kept prefix", "kept prefixes"],
  task: ["environment", "environments"],
  pivot: ["candidate turn", "candidate turns"],
};

const PACE: Record<NonNullable<DryRun["paceOf"]>, string> = {
  here: "at the pace of trainings on this machine",
  study: "at the pace of the study's trainings, on the machine it was made on; none has run here yet",
};

function dryLines({ starts, groups, rollouts, expectedMs, paceOf }: DryRun): string[] {
  return [
    `${plural(starts.count, ...STARTS[starts.kind])} to start from; nothing is queued`,
    `groups    ${between(groups, formatCount)}`,
    `rollouts  ${between(rollouts, formatCount)}`,
    `time      ${expectedMs === null || paceOf === null ? "not known: no training has run here yet" : `about ${between(expectedMs, formatDuration)} ${PACE[paceOf]}`}`,
  ];
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
    .option("--recipe <name>", "shipped or of your own: misstep recipes lists them", "mirl")
    .option("--settings <file>", "settings of your own (JSON), over those of the recipe")
    .option("--name <name>", "of the training; its checkpoints are called after it")
    .option("--base <checkpoint>", "what is trained")
    .option("--steps <n>", "optimiser steps", whole(1, 100_000))
    .option("--batch <n>", "groups a step", whole(1, 256))
    .option("--group <n>", "rollouts a group", whole(2, 256))
    .option("--learning-rate <x>", "after warm-up", decimal)
    .option(
      "--misbehavior <slug>",
      "only prefixes of this one; can be given several times",
      (v, all: string[]) => [...all, v],
      [],
    )
    .option("--seed <n>", "everything drawn comes from it", whole(0, Number.MAX_SAFE_INTEGER))
    .option("--parallel <n>", "rollouts at once", whole(1, 1024))
    .option("--dry-run", "say groups, expected rollouts and time; queue nothing")
    .addOption(onOption())
    .option("--json", "print JSON")
    .addCommand(trainExportCommand())
    .addCommand(readBackCommand())
    .addCommand(judgeTrainingCommand())
    .action(async (options: Options) => {
      const db = openIndex();
      const wanted = (): NewTraining => ({
        ...(options.name === undefined ? {} : { name: options.name }),
        settings: settingsOf(db, options),
        place: placeOf(options),
        requestedBy: "cli",
      });
      if (options.dryRun) {
        const run = queue(() => placed(() => dryTraining(db, wanted())));
        print(options, run, () => dryLines(run));
        return;
      }
      const { runId, jobId, name } = queue(() => placed(() => enqueueTraining(db, wanted())));
      process.stderr.write(
        `training ${runId} ${forTerminal(name)} is job ${jobId}; the page /train/${runId} follows it\n`,
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
