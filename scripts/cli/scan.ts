import { Command } from "commander";
import { RULES_VERSION } from "@/lib/profile/rules";
import { type JsonOption, openIndex, print } from "./output";
import { runToEnd } from "./runJob";

/** misstep scan */
export function scanCommand(): Command {
  return new Command("scan")
    .description("run the rule localizer over stored trajectories again; labels of people are not touched")
    .option("--all", "also what the present rules have scanned already")
    .option("--json", "print the counts as JSON")
    .action(async (options: JsonOption & { all?: boolean }) => {
      const db = openIndex();
      const scope = options.all ? "all" : "outdated";
      const job = await runToEnd(db, {
        kind: "scan",
        title: `Scan with rules ${RULES_VERSION}`,
        params: { scope },
        requestedBy: "cli",
      });
      const counts = JSON.parse(job.counts) as Record<string, number>;
      const report = {
        job: job.id,
        status: job.status,
        rules: RULES_VERSION,
        scanned: counts.scanned ?? 0,
        findings: counts.findings ?? 0,
        error: job.error,
      };
      print(
        options,
        report,
        () =>
          `rules ${RULES_VERSION}: ${report.scanned} trajectories scanned, ${report.findings} flags; job ${job.id} ${job.status}`,
      );
      if (job.status !== "done") process.exitCode = 1;
    });
}
