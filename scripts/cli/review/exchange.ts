import { Command } from "commander";
import { exportReview } from "@/lib/review/exchange/export";
import { importReview } from "@/lib/review/exchange/import";
import { plural } from "@/lib/text/format";
import { callerPath, type JsonOption, openIndex, print, readGiven } from "@/scripts/cli/output";
import { writeWhole } from "@/scripts/cli/writeFile";
import { CLI, pickQueue, refusing } from "./pick";

/** misstep review export */
export const exportCommand = (): Command =>
  new Command("export")
    .description("print a queue as JSON lines: items, answers and settlements")
    .argument("<queue>", "number or name")
    .option("--blind", "items with their texts and without any answer, for people to fill in elsewhere")
    .option("--output <file>", "write to this file")
    .action((given: string, options: { blind?: boolean; output?: string }) => {
      const db = openIndex();
      const queue = pickQueue(db, given);
      const lines = refusing(() => [...exportReview(db, CLI, queue.id, { blind: options.blind === true })]);
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      if (options.output === undefined) process.stdout.write(text);
      else writeWhole(callerPath(options.output), [text]);
    });

/** misstep review import */
export const importCommand = (): Command =>
  new Command("import")
    .description("take in answers given elsewhere: an export with its blanks filled in, all lines or none")
    .argument("<queue>", "number or name")
    .argument("<file>", "JSON lines, the head of the export first")
    .option("--json", "print JSON")
    .action((given: string, file: string, options: JsonOption) => {
      const db = openIndex();
      const result = refusing(() => importReview(db, CLI, pickQueue(db, given).id, readGiven(file)));
      print(options, result, () => [
        ...result.bad.map((b) => `line ${b.line}: ${b.reason}`),
        ...result.conflicts.map(
          (c) => `line ${c.line}: ${c.person} says ${c.file} of item ${c.item}, and ${c.here} here: left as it is here`,
        ),
        result.bad.length > 0
          ? `${plural(result.bad.length, "line")} cannot be read: nothing was taken. Mend them and import the file again`
          : `${plural(result.taken, "answer")} taken, ${result.present} were there already, ${plural(result.conflicts.length, "conflict")} left out, ${plural(result.open, "item")} without an answer${result.settlements > 0 ? `, ${plural(result.settlements, "settlement")} not taken over` : ""}${result.people.length > 0 ? `; new people: ${result.people.join(", ")}` : ""}`,
      ]);
      if (result.bad.length > 0 || result.conflicts.length > 0) process.exitCode = 1;
    });
