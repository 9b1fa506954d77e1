import path from "node:path";
import { Command } from "commander";
import type { Db } from "@/db/client";
import { home } from "@/db/home";
import { keepReport } from "@/lib/study/report/cached";
import { reportHtml } from "@/lib/study/report/html";
import { reportMarkdown } from "@/lib/study/report/markdown";
import { readStudy, type StudyState } from "@/lib/study/state";
import { callerPath, type JsonOption, openIndex, print, UsageError } from "./output";
import { folderFor, writeWhole } from "./writeFile";

/** Writes the report of a study as report.md and report.html into a folder. Returns both paths. */
export function writeReport(db: Db, state: StudyState, folder: string): string[] {
  const report = keepReport(db, state);
  folderFor(folder);
  return [
    { name: "report.md", text: reportMarkdown(report) },
    { name: "report.html", text: reportHtml(report) },
  ].map(({ name, text }) => {
    const file = path.join(folder, name);
    writeWhole(file, [text]);
    return file;
  });
}

/** misstep study report */
export function reportCommand(): Command {
  return new Command("report")
    .description("write the report of this index's study as Markdown and HTML")
    .option("--out <folder>", "where to (default: the home folder)")
    .option("--json", "print the report as JSON, write nothing")
    .action((options: JsonOption & { out?: string }) => {
      const db = openIndex();
      const state = readStudy(db);
      if (!state) throw new UsageError("this index holds no study; misstep study run makes one in a folder of its own");
      if (options.json) {
        print(options, keepReport(db, state), () => []);
        return;
      }
      const files = writeReport(db, state, options.out === undefined ? home().root : callerPath(options.out));
      process.stdout.write(files.map((file) => `${file}\n`).join(""));
    });
}
