import fs from "node:fs";
import { Command } from "commander";
import type { Db } from "@/db/client";
import type { JobRow } from "@/lib/jobs/queue";
import { callerPath, type JsonOption, openIndex, print, UsageError } from "./output";
import { indexTexts, runToEnd } from "./runJob";

interface FileNote {
  key: string;
  position: string | null;
  reason: string;
  hint: string | null;
}

/** What an import came to, by format; `refused` lists every file with its reason. */
export function importReport(db: Db, job: JobRow) {
  const counts = JSON.parse(job.counts) as Record<string, number>;
  const formats: Record<string, { imported: number; present: number }> = {};
  for (const [key, n] of Object.entries(counts)) {
    const [what, format] = key.split(":");
    if (format === undefined || (what !== "imported" && what !== "present")) continue;
    formats[format] ??= { imported: 0, present: 0 };
    formats[format][what] += n;
  }
  const files = db.$client.prepare<[number, string], FileNote>(
    "select key, position, reason, hint from import_file where job_id = ? and status = ? order by id",
  );
  const failures = db.$client
    .prepare<[number], { key: string; error: string }>(
      "select key, error from job_item where job_id = ? and status = 'failed' order by id",
    )
    .all(job.id);
  const of = (key: string) => counts[key] ?? 0;
  return {
    job: job.id,
    status: job.status,
    error: job.error,
    imported: of("imported"),
    updated: of("updated"),
    replaced: of("replaced"),
    present: of("present"),
    refused: of("refused"),
    failed: failures.length,
    skipped: of("skipped"),
    steps: of("steps"),
    findings: of("findings"),
    labels: of("labels"),
    noSteps: of("noSteps"),
    formats,
    refusals: [
      ...files.all(job.id, "refused"),
      ...failures.map((f) => ({ key: f.key, position: null, reason: f.error, hint: null })),
    ],
    skips: files.all(job.id, "skipped"),
  };
}

type Report = ReturnType<typeof importReport>;

/** A file that did not come in: where, and why. */
const note = (f: FileNote): string =>
  `  ${f.key}${f.position ? ` (${f.position})` : ""}: ${f.reason}${f.hint ? `. ${f.hint}` : ""}`;

/** What an import came to, for people. `verbose`: every skipped file as well. */
export function lines(report: Report, verbose: boolean): string[] {
  const rows = Object.entries(report.formats).sort(([a], [b]) => (a < b ? -1 : 1));
  const width = Math.max(6, ...rows.map(([f]) => f.length));
  return [
    `${report.imported} imported, ${report.updated + report.replaced} changed, ${report.present} already there, ${report.refused + report.failed} refused, ${report.skipped} other files skipped`,
    `${report.steps} steps read, ${report.findings} flagged${report.labels > 0 ? `; ${report.labels} labels of people read` : ""}`,
    ...(report.noSteps > 0
      ? [`${report.noSteps} of them hold no step of an agent: there is nothing to flag in them`]
      : []),
    ...rows.map(
      ([format, n]) =>
        `  ${format.padEnd(width)}  ${String(n.imported).padStart(6)} imported  ${String(n.present).padStart(6)} already there`,
    ),
    ...(report.refusals.length > 0 ? ["refused:", ...report.refusals.map(note)] : []),
    ...(verbose && report.skips.length > 0 ? ["skipped:", ...report.skips.map(note)] : []),
    ...(!verbose && report.skipped > 0
      ? [`which files were skipped, and why: /jobs/${report.job} in the browser, or import again with --verbose`]
      : []),
    ...(report.error ? [`the job ended as ${report.status}: ${report.error}`] : []),
  ];
}

/** misstep import PATH */
export function importCommand(): Command {
  return new Command("import")
    .description("import trajectories from a file, folder or archive; flags wrong steps on the way")
    .argument("<path>", "file, folder, .zip, .tar or .tgz")
    .option("--verbose", "name every skipped file too, with the reason")
    .option("--json", "print the counts, refusals and skipped files as JSON")
    .action(async (given: string, options: JsonOption & { verbose?: boolean }) => {
      const path = callerPath(given);
      if (!fs.existsSync(path)) throw new UsageError(`${path}: there is no such file or folder`);
      const db = openIndex();
      const job = await runToEnd(db, {
        kind: "import",
        title: `Import ${path}`,
        params: { path, studyId: 1 },
        requestedBy: "cli",
      });
      await indexTexts(db);
      const report = importReport(db, job);
      print(options, report, () => lines(report, options.verbose ?? false));
      if (job.status !== "done" || report.refused + report.failed > 0) process.exitCode = 1;
    });
}
