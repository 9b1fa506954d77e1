import path from "node:path";
import { Command, Option } from "commander";
import { trainingRow } from "@/db/queries/trainings";
import { EXPORT_TABLES, type ExportTable, trainingCsv, trainingJsonl } from "@/lib/train/export";
import { callerPath, openIndex, parseId, UsageError } from "./output";
import { folderFor, writeWhole } from "./writeFile";

interface Options {
  format: "csv" | "jsonl";
  table?: ExportTable;
  out?: string;
}

/** Writes piece by piece and waits where the reader is slower. */
async function toStdout(pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces)
    if (!process.stdout.write(piece)) await new Promise((resolve) => process.stdout.once("drain", resolve));
}

/** misstep train export ID --format csv|jsonl */
export function trainExportCommand(): Command {
  return new Command("export")
    .description("write a training whole: every step with all metrics, every group, every rollout with its rewards")
    .argument("<id>", "of the training")
    .addOption(
      new Option("--format <format>", "jsonl: all in one; csv: a table a file")
        .choices(["csv", "jsonl"])
        .makeOptionMandatory(),
    )
    .addOption(new Option("--table <table>", "csv to standard output or a file: this table").choices(EXPORT_TABLES))
    .option("--out <path>", "a file; for csv without --table a folder for all three")
    .action(async (given: string, { format, table, out }: Options) => {
      const db = openIndex();
      const id = parseId(given);
      const jsonl = trainingJsonl(db, id);
      if (!jsonl || !trainingRow(db, id)) throw new UsageError(`there is no training ${id}`);
      if (format === "jsonl" && table !== undefined) throw new UsageError("--table is for --format csv; jsonl has all");
      if (format === "csv" && table === undefined) {
        if (out === undefined) throw new UsageError("name a --table to print, or a folder with --out for all three");
        const folder = folderFor(callerPath(out));
        for (const one of EXPORT_TABLES) writeWhole(path.join(folder, `${one}.csv`), trainingCsv(db, id, one));
        return;
      }
      const pieces = table === undefined ? jsonl : trainingCsv(db, id, table);
      if (out === undefined) await toStdout(pieces);
      else writeWhole(callerPath(out), pieces);
    });
}
