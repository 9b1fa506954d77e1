import fs from "node:fs";
import path from "node:path";
import { Command, Option } from "commander";
import type { Db } from "@/db/client";
import { toAtif } from "@/lib/trajectory/export/atif";
import { toChatLine } from "@/lib/trajectory/export/chat";
import { loadTrajectory } from "@/lib/trajectory/load";
import { callerPath, type JsonOption, openIndex, parseId, print, UsageError } from "./output";

interface ExportOptions extends JsonOption {
  format: "atif" | "chat";
  out: string;
  all?: boolean;
}

function idsToExport(db: Db, given: string[], all: boolean): number[] {
  if (all === given.length > 0) throw new UsageError("name trajectory ids, or use --all");
  if (!all) return given.map(parseId);
  return db.$client
    .prepare("select id from trajectory where superseded_by is null order by id")
    .pluck()
    .all() as number[];
}

/** Writes beside the target and renames: a reader never meets half a file. */
function writeWhole(file: string, write: (fd: number) => void): void {
  const partial = `${file}.partial`;
  const fd = fs.openSync(partial, "w");
  try {
    write(fd);
  } finally {
    fs.closeSync(fd);
  }
  fs.renameSync(partial, file);
}

function need(db: Db, id: number) {
  const trajectory = loadTrajectory(db, id);
  if (!trajectory) throw new UsageError(`there is no trajectory ${id}; see misstep list`);
  return trajectory;
}

/** misstep export [IDS…] --format atif|chat --out PATH */
export function exportCommand(): Command {
  return new Command("export")
    .description(
      "write trajectories as ATIF 1.7 (one file each) or chat JSONL (one file); reading them back gives the same steps",
    )
    .argument("[ids...]", "trajectory ids")
    .option("--all", "every trajectory of the index")
    .addOption(new Option("--format <format>", "atif or chat").choices(["atif", "chat"]).makeOptionMandatory())
    .requiredOption("--out <path>", "folder for atif, file for chat")
    .option("--json", "print what was written as JSON")
    .action((given: string[], options: ExportOptions) => {
      const db = openIndex();
      const ids = idsToExport(db, given, options.all ?? false);
      const out = callerPath(options.out);
      if (options.format === "atif") {
        fs.mkdirSync(out, { recursive: true });
        for (const id of ids) {
          const text = JSON.stringify(toAtif(need(db, id)));
          writeWhole(path.join(out, `${id}.trajectory.json`), (fd) => fs.writeSync(fd, `${text}\n`));
        }
      } else {
        fs.mkdirSync(path.dirname(out), { recursive: true });
        writeWhole(out, (fd) => {
          for (const id of ids) fs.writeSync(fd, `${toChatLine(need(db, id)).trimEnd()}\n`);
        });
      }
      print(
        options,
        { written: ids.length, format: options.format, out },
        () => `${ids.length} trajectories written to ${out}`,
      );
    });
}
