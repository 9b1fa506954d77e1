import { createHash } from "node:crypto";
import fs from "node:fs";
import { Command, Option } from "commander";
import { VOID_RULES, type VoidRule } from "@/lib/evaluate/scores/attempts";
import { importOutcomes, outcomesFile } from "@/lib/evaluate/scores/outcomesFile";
import { type ScoreReport, scoreReport } from "@/lib/evaluate/scores/report";
import { type MisbehaviorShare, misbehaviorShares } from "@/lib/evaluate/scores/shares";
import { ERROR_QUESTIONS, SCORE_METRICS, type ScoreMetric } from "@/lib/evaluate/scores/summary";
import type { Interval } from "@/lib/evaluate/stats/bootstrap";
import { plural, UNKNOWN } from "@/lib/text/format";
import { callerPath, type JsonOption, openIndex, print, UsageError } from "./output";
import { whole } from "./prefix";

interface Options extends JsonOption {
  models?: string[];
  dataset?: string;
  metric: ScoreMetric;
  k?: number;
  runs?: number;
  voids: VoidRule;
}

const percent = (x: number | null, digits = 1): string => (x === null ? UNKNOWN : (100 * x).toFixed(digits));
const range = (i: Interval | null): string =>
  i === null ? "interval not known" : `${percent(i.low)} to ${percent(i.high)}`;

/** Scores of a set as lines: each number with what it is made of. */
export function scoreLines(r: ScoreReport, shares: readonly MisbehaviorShare[] | null): string[] {
  const lines = [
    `${r.set.key}: ${plural(r.set.tasks, "task")}, ${plural(r.set.checkpoints, "model")}; ${r.metric === "solved" ? "solved attempts" : "rewards, partial credit counted"}${r.runs === null ? "" : `; first ${plural(r.runs, "attempt")} of each task`}`,
    ...r.missing.map((name) => `not in this set: ${name}`),
    ...r.sets.filter((s) => s.key !== r.set.key).map((s) => `also there: --dataset ${s.key}`),
  ];
  for (const s of r.scores) {
    const voids = Object.entries(s.voidReasons).map(([why, n]) => `${n} ${why}`);
    const shown = s.passAtK.map((p) => `@${p.k} ${percent(p.value)}`).join("  ");
    lines.push(
      "",
      `${s.checkpoint}: ${percent(s.mean)}% mean over ${plural(s.tasks, "task")} (${s.solved} of ${plural(s.attempts, "attempt")} solved, ${s.partial} partly; ${s.fewest} to ${s.most} a task)`,
      `  SE over runs ${s.seRuns === null ? `not known: ${s.runsWhy}` : `${percent(s.seRuns, 2)} (${s.runScores?.length} runs: ${s.runScores?.map((x) => percent(x)).join(", ")})`}`,
      `  SE over tasks ${percent(s.seTasks, 2)}`,
      `  pass${shown}  over ${plural(s.passTasks, "task")} with at least ${plural(r.k, "attempt")}${s.passLeft > 0 ? `; ${s.passLeft} with fewer left out` : ""}`,
      `  void ${s.void}${r.voids === "zero" && s.void > 0 ? " counted as 0" : ""}${voids.length > 0 ? `: ${voids.join("; ")}` : ""}${s.tasksWithout > 0 ? `; ${plural(s.tasksWithout, "task")} without any attempt that counts` : ""}; steps ${s.meanSteps === null ? UNKNOWN : s.meanSteps.toFixed(1)} on average`,
    );
    if (s.subsetSe.length > 0)
      lines.push(
        `  mean SE over all subsets of k runs: ${s.subsetSe.map((x) => `k=${x.k} ${percent(x.value, 2)}`).join("  ")}`,
      );
  }
  lines.push("", ...Object.values(ERROR_QUESTIONS));
  for (const { before, after, difference: d } of r.differences)
    lines.push(
      `${after} minus ${before}: ${percent(d.value)} points over ${plural(d.clusters, "shared task")} (${range(d.interval)}; 95%, bootstrap over tasks), permutation p ${d.p?.toFixed(4) ?? UNKNOWN}${d.unpaired > 0 ? `; ${plural(d.unpaired, "task")} only one of them tried` : ""}`,
    );
  if (shares) {
    lines.push("", "misbehaviors as the localizer flagged them; 95% intervals over tasks");
    for (const s of shares)
      if (s.ofTrajectories.numerator > 0)
        lines.push(
          `  ${s.checkpoint.padEnd(32)} ${s.slug.padEnd(20)} ${percent(s.ofErrorSteps.value)}% of error steps (${s.ofErrorSteps.numerator} of ${s.ofErrorSteps.denominator}; ${range(s.ofErrorSteps.interval)}), in ${percent(s.ofTrajectories.value)}% of trajectories (${s.ofTrajectories.numerator} of ${s.ofTrajectories.denominator}; ${range(s.ofTrajectories.interval)})`,
        );
  }
  return lines;
}

const importCommand = () =>
  new Command("import")
    .argument("<file>", "outcomes file of the shape tb20-outcomes/1")
    .description("store recorded outcomes (model x task x attempt) as evaluations")
    .option("--dataset <name>", "of its tasks", "terminal-bench-2-0")
    .option("--json", "print JSON")
    .action((given: string, options: JsonOption & { dataset: string }) => {
      const path = callerPath(given);
      let bytes: Buffer;
      let raw: unknown;
      try {
        bytes = fs.readFileSync(path);
        raw = JSON.parse(bytes.toString("utf8"));
      } catch (error) {
        throw new UsageError(`${given} cannot be read as JSON: ${error instanceof Error ? error.message : error}`);
      }
      const file = outcomesFile.safeParse(raw);
      if (!file.success)
        throw new UsageError(
          `${given} is no outcomes file (tb20-outcomes/1): ${file.error.issues
            .slice(0, 3)
            .map((i) => `${i.path.join(".")}: ${i.message}`)
            .join("; ")}`,
        );
      const digest = createHash("sha256").update(bytes).digest("hex");
      const done = importOutcomes(openIndex(), file.data, { dataset: options.dataset, digest });
      print(options, done, () => [
        ...done.evaluations.map(
          (e) =>
            `evaluation ${e.id}: ${e.model}, ${plural(e.attempts, "attempt")} at ${plural(e.tasks, "task")}${e.void > 0 ? `, ${e.void} void` : ""}`,
        ),
        ...done.present.map((model) => `already there: ${model}`),
      ]);
    });

/** misstep scores */
export function scoresCommand(): Command {
  return new Command("scores")
    .description(
      "benchmark scores of models: means with both standard errors, pass@k, paired differences, misbehaviors",
    )
    .option("--models <name...>", "only these, in this order; others are compared with the first")
    .option("--dataset <name>", "set of tasks: its name or key; the largest without")
    .addOption(new Option("--metric <metric>", "what an attempt is worth").choices(SCORE_METRICS).default("solved"))
    .option("--k <n>", "pass@k up to this k, over tasks with so many attempts", whole(1, 1000))
    .option("--runs <n>", "only the first n attempts of each task", whole(1, 1000))
    .addOption(
      new Option("--voids <rule>", "attempts without a reward: apart, or as 0 like some published numbers")
        .choices(VOID_RULES)
        .default("apart"),
    )
    .option("--json", "print JSON")
    .addCommand(importCommand())
    .action((options: Options) => {
      const db = openIndex();
      const report = scoreReport(db, {
        set: options.dataset ?? null,
        models: options.models ?? null,
        metric: options.metric,
        k: options.k ?? null,
        runs: options.runs ?? null,
        voids: options.voids,
      });
      if (!report)
        throw new UsageError(
          options.dataset === undefined
            ? "no attempt has a score yet; misstep import reads Harbor jobs, misstep scores import an outcomes file, misstep evaluate makes one"
            : `no set of scores is called ${options.dataset}; misstep scores names those there are`,
        );
      const { readable, trainedIn, ...json } = report;
      const found = misbehaviorShares(db, report);
      const shares = found && [...found];
      print(options, { ...json, shares, trainedIn: Object.fromEntries(trainedIn), readable: readable.size }, () =>
        scoreLines(report, shares),
      );
    });
}
