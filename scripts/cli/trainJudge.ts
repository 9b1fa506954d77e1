import { Command } from "commander";
import { driftRows } from "@/db/queries/drift";
import { percentText, rangeText } from "@/lib/evaluate/behavior/view";
import { type DriftStretch, driftOf } from "@/lib/evaluate/drift";
import { enqueueDrift, NoDrift } from "@/lib/jobs/driftJob";
import { roleSpec } from "@/lib/profile/roles/registry";
import { type JsonOption, openIndex, parseId, print, UsageError } from "./output";
import { whole } from "./prefix";
import { usable } from "./profile";
import { seeThrough } from "./runJob";

const lineOf = ({ from, to, gap }: DriftStretch) =>
  `steps ${from} to ${to}: second less paying ${gap.value === null ? "not known" : percentText(gap.value)} (${rangeText(gap.interval)})`;

/** misstep train judge ID --judge NAME */
export function judgeTrainingCommand(): Command {
  return new Command("judge")
    .argument("<id>", "number of the training", parseId)
    .description("a judge that did not pay the reward reads rollouts of a training: does the paying one drift from it?")
    .requiredOption("--judge <name>", "rules, model:NAME of the model settings, or learned:NAME")
    .option("--per-step <n>", "rollouts of a step, drawn at random", whole(1, 10_000), 16)
    .option("--json", "print JSON")
    .action(
      async (trainingId: number, { judge, perStep, ...options }: { judge: string; perStep: number } & JsonOption) => {
        const db = openIndex();
        const { jobId } = usable(() => {
          try {
            return enqueueDrift(db, { trainingId, judge: roleSpec(judge), perStep, requestedBy: "cli" });
          } catch (error) {
            if (error instanceof NoDrift) throw new UsageError(error.message);
            throw error;
          }
        });
        const job = await seeThrough(db, jobId);
        const drifts = driftOf(driftRows(db, trainingId));
        print(options, { job: jobId, status: job.status, error: job.error, drifts }, () => [
          `job ${jobId} ${job.status}`,
          ...drifts.flatMap((d) => [
            `${d.judge}: ${d.widening ? "the gap widens" : "the gap does not widen beyond its interval"}`,
            `  ${lineOf(d.early)}`,
            `  ${lineOf(d.late)}`,
          ]),
          ...(job.error ? [job.error] : []),
        ]);
        if (job.status !== "done") process.exitCode = 1;
      },
    );
}
