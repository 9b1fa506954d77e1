import { Command, Option } from "commander";
import { knownOf } from "@/lib/evaluate/behavior/known";
import { NothingToMeasure } from "@/lib/evaluate/behavior/plan";
import { type BehaviorSummary, behaviorSummary } from "@/lib/evaluate/behavior/summary";
import type { Interval } from "@/lib/evaluate/stats/bootstrap";
import { enqueueMeasurement } from "@/lib/jobs/measureJob";
import { policySpec, roleSpec } from "@/lib/profile/roles/registry";
import { plural } from "@/lib/text/format";
import { bundleCommand } from "./measureBundle";
import { judgeMeasurementCommand } from "./measureJudge";
import { labelsCommand } from "./measureLabels";
import { type JsonOption, openIndex, parseId, print, UsageError } from "./output";
import { decimal, whole } from "./prefix";
import { usable } from "./profile";
import { indexTexts, seeThrough } from "./runJob";

interface Options extends JsonOption {
  policy: string[];
  misbehavior: string[];
  judge: string[];
  split: "heldout" | "training";
  prefixes: number;
  fewest: number;
  samples: number;
  window: number;
  outcome?: boolean;
  temperature: number;
  topP: number;
  seed: number;
  parallel: number;
  force?: boolean;
  name?: string;
}

const percent = (x: number): string => (100 * x).toFixed(1);
const range = (interval: Interval | null, unit = "%"): string =>
  interval === null ? "interval not known" : `${percent(interval.low)} to ${percent(interval.high)}${unit}`;

/** A measurement as lines of text: every rate with its counts, every difference with interval and p. */
export function measurementLines(s: BehaviorSummary): string[] {
  const lines = [
    `measurement ${s.id}: ${s.name}`,
    `first ${plural(s.protocol.window, "step")} after the prefix, temperature ${s.protocol.temperature}, top-p ${s.protocol.topP}; 95% intervals: studentized bootstrap over prefixes, seed ${s.protocol.seed}`,
    ...knownOf(s)
      .filter(({ kind }) => kind !== "contested" && kind !== "leak" && kind !== "left")
      .map(({ text }) => text),
    ...s.plan.left.map(
      (l) => `left out: ${l.slug}, only ${plural(l.prefixes, "kept held-out prefix", "kept held-out prefixes")}`,
    ),
    ...s.plan.leaks.map(
      (l) =>
        `MARKED: ${s.checkpoints.find((c) => c.id === l.checkpointId)?.name} was trained in the environments of ${plural(l.prefixes.length, "prefix", "prefixes")}`,
    ),
  ];
  const [base] = s.checkpoints;
  for (const judge of s.judges) {
    lines.push("", `judge ${judge}`);
    for (const { errorTypeId, slug } of s.plan.misbehaviors) {
      lines.push(`  ${slug}`);
      for (const { id, name } of s.checkpoints) {
        const same = (x: { checkpointId: number; errorTypeId: number; judge: string }) =>
          x.checkpointId === id && x.errorTypeId === errorTypeId && x.judge === judge;
        const cell = s.cells.find(same);
        if (!cell) continue;
        const { value, numerator, denominator, interval, clusters } = cell.rate;
        const open = [
          ...(cell.failed > 0 ? [`${cell.failed} failed`] : []),
          ...(cell.unparsed > 0 ? [`${cell.unparsed} unparsed`] : []),
          ...(cell.void > 0 ? [`${cell.void} void`] : []),
        ];
        const d = s.differences.find(same);
        const change =
          d?.difference.value == null
            ? ""
            : `; against ${base?.name} ${percent(d.difference.value)} points (${range(d.difference.interval, "")}), p ${d.difference.p?.toFixed(4)}, Holm ${d.adjusted?.toFixed(4)}`;
        lines.push(
          `    ${name.padEnd(28)} ${value === null ? "–" : `${percent(value)}%`} (${numerator} of ${denominator}, ${clusters} prefixes; ${range(interval)})${open.length > 0 ? `; not counted: ${open.join(", ")}` : ""}${change}`,
        );
      }
    }
    for (const r of s.reductions.filter((one) => one.judge === judge))
      lines.push(
        `  ${s.checkpoints.find((c) => c.id === r.checkpointId)?.name}: rarer by ${r.ofMeans === null ? "–" : `${percent(r.ofMeans)}%`} (of the mean rate), ${r.meanOf === null ? "–" : `${percent(r.meanOf)}%`} (mean over misbehaviors)`,
      );
  }
  if (s.ends) lines.push("", "passed from the prefixes on, under the hidden tests");
  for (const { checkpointId, passed, difference, unknown } of s.ends ?? []) {
    const name = s.checkpoints.find((c) => c.id === checkpointId)?.name ?? "";
    const change =
      difference?.value == null
        ? ""
        : `; against ${base?.name} ${percent(difference.value)} points (${range(difference.interval, "")}), p ${difference.p?.toFixed(4)}`;
    lines.push(
      `    ${name.padEnd(28)} ${passed.value === null ? "–" : `${percent(passed.value)}%`} (${passed.numerator} of ${passed.denominator}, ${passed.clusters} prefixes; ${range(passed.interval)})${unknown > 0 ? `; without tests: ${unknown}` : ""}${change}`,
    );
  }
  for (const { checkpointId, errorTypeId, shown, notShown } of s.contested)
    lines.push(
      `only under ${shown.join(", ")}, not under ${notShown.join(", ")}: ${s.checkpoints.find((c) => c.id === checkpointId)?.name} has less ${s.plan.misbehaviors.find((m) => m.errorTypeId === errorTypeId)?.slug}`,
    );
  return lines;
}

const collect = (value: string, all: string[]): string[] => [...all, value];

function showCommand(): Command {
  return new Command("show")
    .argument("<id>", "number of the measurement", parseId)
    .description("print a measurement again")
    .option("--json", "print JSON")
    .action((id: number, options: JsonOption) => {
      const summary = behaviorSummary(openIndex(), id);
      if (!summary) throw new UsageError(`there is no measurement ${id}; misstep measure makes one`);
      print(options, summary, () => measurementLines(summary));
    });
}

/** misstep measure */
export function measureCommand(): Command {
  return new Command("measure")
    .enablePositionalOptions()
    .description(
      "how often policies misbehave after held-out prefixes, under one or more judges; the first policy is what others are compared with",
    )
    .option("--policy <name>", "a checkpoint, chat:NAME, or a scripted policy; again for more", collect, [])
    .option("--misbehavior <slug>", "only this one; again for more", collect, [])
    .option("--judge <name>", "rules, model:NAME of the model settings, or learned:NAME; again for more", collect, [])
    .addOption(
      new Option("--split <part>", "whose prefixes: heldout for rates, training to teach a judge")
        .choices(["heldout", "training"])
        .default("heldout"),
    )
    .option("--prefixes <n>", "prefixes of a misbehavior", whole(1, 10_000), 20)
    .option("--fewest <n>", "leave out misbehaviors with fewer prefixes", whole(1, 10_000), 5)
    .option("--samples <n>", "samples of a prefix", whole(1, 1024), 16)
    .option("--window <n>", "steps that are judged", whole(1, 64), 5)
    .option("--outcome", "go on to the end of the rollout after the judged steps, and run the hidden tests")
    .option("--temperature <x>", "of sampling", decimal, 0.7)
    .option("--top-p <x>", "of sampling", decimal, 0.95)
    .option("--seed <n>", "everything drawn comes from it", whole(0, Number.MAX_SAFE_INTEGER), 1)
    .option("--parallel <n>", "samples at once", whole(1, 1024), 32)
    .option("--force", "measure and mark also prefixes whose environment a policy was trained in")
    .option("--name <text>", "of the measurement")
    .option("--json", "print JSON")
    .addCommand(showCommand())
    .addCommand(bundleCommand())
    .addCommand(labelsCommand())
    .addCommand(judgeMeasurementCommand())
    .action(async (options: Options) => {
      if (options.policy.length === 0) throw new UsageError("name at least one --policy");
      const db = openIndex();
      const { misbehavior, split, prefixes, fewest, samples, window, temperature, topP, seed, parallel } = options;
      const { evaluationId, jobId } = usable(() => {
        try {
          return enqueueMeasurement(db, {
            ...(options.name === undefined ? {} : { name: options.name }),
            protocol: {
              policies: options.policy.map(policySpec),
              misbehaviors: misbehavior,
              judges: (options.judge.length === 0 ? ["rules"] : options.judge).map(roleSpec),
              leaksAllowed: options.force ?? false,
              outcome: options.outcome ?? false,
              ...{ split, prefixes, fewest, samples, window, temperature, topP, seed, parallel },
            },
            requestedBy: "cli",
          });
        } catch (error) {
          if (error instanceof NothingToMeasure) throw new UsageError(error.message);
          throw error;
        }
      });
      const job = await seeThrough(db, jobId);
      await indexTexts(db);
      const summary = behaviorSummary(db, evaluationId) as BehaviorSummary;
      print(options, { job: jobId, status: job.status, error: job.error, ...summary }, () => measurementLines(summary));
      if (job.status !== "done") process.exitCode = 1;
    });
}
