import { Command } from "commander";
import { enqueueLocalize, type LocalizeScope, NothingToLocalize } from "@/lib/jobs/localizeJob";
import { roleSpec } from "@/lib/profile/roles/registry";
import { formatCount, plural } from "@/lib/text/format";
import { type JsonOption, openIndex, parseId, print, UsageError } from "./output";
import { whole } from "./prefix";
import { usable } from "./profile";
import { seeThrough } from "./runJob";

interface LocalizeOptions extends JsonOption {
  trajectory: number[];
  model?: string;
  all?: boolean;
  localizer: string;
  sample?: number;
  seed: number;
  parallel: number;
}

/** Exactly one of the ways to say which trajectories. */
function scopeOf({ trajectory, model, all }: LocalizeOptions): LocalizeScope {
  const given: LocalizeScope[] = [
    ...(trajectory.length > 0 ? [{ ids: trajectory }] : []),
    ...(model === undefined ? [] : [{ model }]),
    ...(all ? [{ all: true as const }] : []),
  ];
  const [only, second] = given;
  if (!only || second) throw new UsageError("say which trajectories: one of --trajectory N …, --model NAME, --all");
  return only;
}

/** misstep localize */
export function localizeCommand(): Command {
  return new Command("localize")
    .description("let a model judge the steps of stored trajectories, each from what its agent had seen")
    .option(
      "--trajectory <id>",
      "this one (again for more)",
      (text: string, ids: number[]) => [...ids, parseId(text)],
      [] as number[],
    )
    .option("--model <name>", "those of this policy, as their files name it")
    .option("--all", "all of them")
    .option("--localizer <name>", "who judges: model:NAME of the model settings", "model")
    .option("--sample <n>", "only so many trajectories, drawn by the seed", whole(1, 10_000_000))
    .option("--seed <n>", "of the draw", whole(0, Number.MAX_SAFE_INTEGER), 1)
    .option("--parallel <n>", "steps that are asked about at once", whole(1, 1024), 16)
    .option("--json", "print JSON")
    .action(async (options: LocalizeOptions) => {
      const scope = scopeOf(options);
      const db = openIndex();
      const { sample = null, seed, parallel } = options;
      const queued = usable(() => {
        try {
          const localizer = roleSpec(options.localizer);
          return enqueueLocalize(db, { scope, localizer, sample, seed, parallel, requestedBy: "cli" });
        } catch (error) {
          if (error instanceof NothingToLocalize) throw new UsageError(error.message);
          throw error;
        }
      });
      const { trajectories, steps } = queued;
      if (!options.json)
        process.stderr.write(`${plural(trajectories, "trajectory", "trajectories")}, ${plural(steps, "step")}\n`);
      const job = await seeThrough(db, queued.jobId);
      const counts = JSON.parse(job.counts) as Record<string, number>;
      const [good, bad, failed, unparsed] = ["good", "bad", "failed", "unparsed"].map((word) => counts[word] ?? 0) as [
        number,
        number,
        number,
        number,
      ];
      const report = {
        job: job.id,
        status: job.status,
        trajectories,
        steps,
        good,
        bad,
        failed,
        unparsed,
        error: job.error,
      };
      print(options, report, () => [
        `job ${job.id} ${job.status}: of ${plural(steps, "step")} ${formatCount(bad)} bad, ${formatCount(good)} good, ${formatCount(failed)} failed, ${formatCount(unparsed)} unreadable`,
        ...(failed + unparsed > 0
          ? [`the steps without a verdict are asked about again by: misstep localize with the same arguments`]
          : []),
        ...(job.error === null ? [] : [job.error]),
      ]);
      if (job.status !== "done") process.exitCode = 1;
    });
}
