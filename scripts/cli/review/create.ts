import fs from "node:fs";
import { Command, Option } from "commander";
import { NO_PREFIX_FILTERS } from "@/db/queries/prefix-filters";
import { NO_FILTERS } from "@/db/queries/trajectory-filters";
import { createQueue, type NewQueue, planQueue, type QueuePlan } from "@/lib/review/queue/create";
import type { QueueSource } from "@/lib/review/queue/source";
import { QUESTIONS, type Question } from "@/lib/review/types";
import { formatCount } from "@/lib/text/format";
import { callerPath, type JsonOption, openIndex, print, UsageError } from "@/scripts/cli/output";
import { whole } from "@/scripts/cli/prefix";
import { pickTaxonomy } from "@/scripts/cli/taxonomy/pick";
import { CLI, refusing } from "./pick";

interface Options extends JsonOption {
  question: Question;
  n: number;
  strategy: NewQueue["draw"]["strategy"];
  seed: number;
  reserve: string;
  raters: number;
  taxonomy?: string;
  measurement?: number;
  misbehavior?: string;
  model?: string[];
  task?: string[];
  outcome?: string[];
  status?: string[];
  steps: "flagged" | "all";
  ids?: string;
  guideline?: string;
  norming?: boolean;
  reasonFirst?: boolean;
  gold: number;
  catch: number;
  dryRun?: boolean;
}

function sourceOf(options: Options): QueueSource {
  if (options.ids !== undefined) {
    const ids = options.ids.split(/[\s,]+/).filter((part) => part !== "");
    if (ids.length === 0 || ids.some((id) => !/^[1-9]\d{0,15}$/.test(id)))
      throw new UsageError("--ids takes whole numbers with commas between: ids of steps, windows or prefixes");
    return { kind: "ids", ids: ids.map(Number) };
  }
  if (options.question === "prefix")
    return {
      kind: "prefixes",
      filters: {
        ...NO_PREFIX_FILTERS,
        misbehaviors: options.misbehavior === undefined ? [] : [options.misbehavior],
        statuses: options.status ?? [],
        environments: options.task ?? [],
      },
    };
  return {
    kind: "trajectories",
    steps: options.steps,
    filters: {
      ...NO_FILTERS,
      misbehavior: options.misbehavior ?? null,
      models: options.model ?? [],
      tasks: options.task ?? [],
      outcomes: options.outcome ?? [],
      measurement: options.question === "window" ? (options.measurement ?? null) : null,
    },
  };
}

function readGuideline(given: string | undefined): string {
  if (given === undefined) return "";
  try {
    return fs.readFileSync(callerPath(given), "utf8");
  } catch (error) {
    throw new UsageError(`${given} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Known items that were asked for, and how many of them there are. */
const knownLines = (asked: { gold: number; catch: number }, { gold, catches }: Pick<QueuePlan, "gold" | "catches">) =>
  [
    { name: "gold", wanted: asked.gold, ...gold, from: "settled before" },
    { name: "catch", wanted: asked.catch, ...catches, from: "of catch trials" },
  ]
    .filter(({ wanted }) => wanted > 0)
    .map(
      ({ name, wanted, mixed, available, from }) =>
        `  ${name} items: ${mixed} mixed in${mixed < wanted ? ` of ${wanted} asked for; the index has ${available} ${from}` : ""}`,
    );

/** misstep review create */
export const createCommand = (): Command =>
  new Command("create")
    .description("make a review queue: a question over a sample of steps, windows or prefixes")
    .argument("<name>", "its name")
    .addOption(new Option("--question <which>", "what is asked").choices(QUESTIONS).makeOptionMandatory())
    .requiredOption("-n, --n <items>", "items to draw", whole(1, 100_000))
    .addOption(
      new Option("--strategy <how>", "how they are drawn")
        .choices(["all", "random", "stratified", "disagreement", "narrowing"])
        .default("random"),
    )
    .option("--seed <n>", "the draw comes from it", whole(0, Number.MAX_SAFE_INTEGER), 1)
    .option("--reserve <share>", "share drawn at random whatever the strategy: only these correct rates", "0.2")
    .option("--raters <n>", "answers an item", whole(1, 50), 2)
    .option("--taxonomy <version>", "types that are offered: id, name or name@version (default: the one in force)")
    .option("--measurement <id>", "measurement whose windows are asked about", whole(1, Number.MAX_SAFE_INTEGER))
    .option("--misbehavior <slug>", "only steps, or prefixes, of this misbehavior")
    .option("--model <name...>", "only of these models")
    .option("--task <name...>", "only of these environments")
    .option("--outcome <outcome...>", "only of trajectories with these outcomes")
    .option("--status <status...>", "only prefixes in these states")
    .addOption(
      new Option("--steps <which>", "steps that are asked about").choices(["flagged", "all"]).default("flagged"),
    )
    .option("--ids <list>", "instead of filters: these steps, windows or prefixes")
    .option("--guideline <file>", "what annotators are told")
    .option("--norming", "everybody votes blind, sees, and votes again")
    .option("--reason-first", "a reason is asked for before the answer")
    .option("--gold <n>", "settled items mixed in, whose answer is known", whole(0, 1000), 0)
    .option("--catch <n>", "catch items mixed in", whole(0, 1000), 0)
    .option("--dry-run", "say what would be drawn, and write nothing")
    .option("--json", "print JSON")
    .action((name: string, options: Options) => {
      const reserve = Number(options.reserve);
      if (options.reserve.trim() === "" || !(reserve >= 0 && reserve <= 1))
        throw new UsageError("--reserve is a share from 0 to 1");
      const db = openIndex();
      const source = sourceOf(options);
      const queue: NewQueue = {
        ...{ name, question: options.question, raters: options.raters },
        taxonomyId: options.taxonomy === undefined ? null : pickTaxonomy(db, options.taxonomy).id,
        evaluationId: options.measurement ?? null,
        mode: options.norming ? "norming" : "queue",
        draw: { strategy: options.strategy, n: options.n, seed: options.seed, reserve },
        guideline: readGuideline(options.guideline),
        reason: options.reasonFirst ? "first" : "optional",
        ...{ gold: options.gold, catches: options.catch },
      };
      if (options.dryRun) {
        const plan = refusing(() => planQueue(db, CLI, source, queue));
        print(options, plan, () => [
          `${formatCount(plan.population)} to choose from; ${plan.items} items, ${plan.random} of them at random, ${formatCount(plan.answers)} answers`,
          ...knownLines(options, plan),
          ...plan.strata.map((s) => `  ${s.name}: ${s.drawn} of ${s.population}`),
        ]);
        return;
      }
      const made = refusing(() => createQueue(db, CLI, source, queue));
      print(options, made, () => [
        `review queue ${made.queueId}: ${made.items} items, ${made.random} of them drawn at random`,
        ...knownLines(options, made),
      ]);
    });
