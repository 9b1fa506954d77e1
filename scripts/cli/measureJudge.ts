import { Command } from "commander";
import { behaviorSummary } from "@/lib/evaluate/behavior/summary";
import { enqueueJudge, NothingToJudge } from "@/lib/jobs/judgeJob";
import { roleSpec } from "@/lib/profile/roles/registry";
import { type JsonOption, openIndex, parseId, print, UsageError } from "./output";
import { usable } from "./profile";
import { seeThrough } from "./runJob";

/** misstep measure judge ID --judge NAME */
export function judgeMeasurementCommand(): Command {
  return new Command("judge")
    .argument("<id>", "number of the measurement", parseId)
    .description("add a judge's verdicts to a measurement that has ended; those that are there stay")
    .requiredOption("--judge <name>", "rules, model:NAME of the model settings, or learned:NAME")
    .option("--json", "print JSON")
    .action(async (id: number, { judge, ...options }: { judge: string } & JsonOption) => {
      const db = openIndex();
      const { jobId } = usable(() => {
        try {
          return enqueueJudge(db, { evaluationId: id, judge: roleSpec(judge), requestedBy: "cli" });
        } catch (error) {
          if (error instanceof NothingToJudge) throw new UsageError(error.message);
          throw error;
        }
      });
      const job = await seeThrough(db, jobId);
      const judges = behaviorSummary(db, id)?.judges ?? [];
      print(options, { job: jobId, status: job.status, error: job.error, judges }, () => [
        `job ${jobId} ${job.status}; judges of measurement ${id}: ${judges.join(", ")}`,
        ...(job.error ? [job.error] : []),
      ]);
      if (job.status !== "done") process.exitCode = 1;
    });
}
