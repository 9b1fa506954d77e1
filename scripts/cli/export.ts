import fs from "node:fs";
import path from "node:path";
import { Command, Option } from "commander";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { plural } from "@/lib/text/format";
import { toAtif } from "@/lib/trajectory/export/atif";
import { toChatLine } from "@/lib/trajectory/export/chat";
import { loadTrajectory } from "@/lib/trajectory/load";
import { callerPath, type JsonOption, openIndex, parseId, print, UsageError } from "./output";
import { folderFor, writeWhole } from "./writeFile";

interface ExportOptions extends JsonOption {
  format: "atif" | "chat";
  out: string;
  all?: boolean;
}

function idsToExport(db: Db, given: string[], all: boolean): number[] {
  if (all === given.length > 0) throw new UsageError("name trajectory ids, or use --all");
  if (!all) {
    const known = db.$client.prepare("select 1 from trajectory where id = ?");
    const ids = [...new Set(given.map(parseId))];
    for (const id of ids) if (!known.get(id)) throw new UsageError(`there is no trajectory ${id}; see misstep list`);
    return ids;
  }
  return db.$client
    .prepare("select id from trajectory where superseded_by is null order by id")
    .pluck()
    .all() as number[];
}

/** The target as the format needs it, or why it cannot be one. */
function target(format: ExportOptions["format"], given: string): string {
  const out = callerPath(given);
  const isFolder = fs.existsSync(out) ? fs.statSync(out).isDirectory() : null;
  if (format === "atif" && isFolder === false)
    throw new UsageError(`${out} is a file; --format atif writes a folder of files`);
  if (format === "chat" && isFolder === true) throw new UsageError(`${out} is a folder; --format chat writes one file`);
  return out;
}

function need(db: Db, id: number) {
  const trajectory = loadTrajectory(db, id);
  if (!trajectory) throw new UsageError(`there is no trajectory ${id}; see misstep list`);
  return trajectory;
}

/** Of the trajectories, the labels that came with their files, which an export carries, and the answers people gave here about their steps, which it does not. */
export function labelsOfPeople(db: Db, ids: readonly number[]): { carried: number; leftOut: number } {
  const list = JSON.stringify(ids);
  const count = (sql: string) => db.$client.prepare(sql).pluck().get({ list }) as number;
  return {
    carried: count(
      `select count(*) from localizer z join localization l on l.localizer_id = z.id and l.current = 1
       where z.kind = 'dataset' and l.step_id / ${SPAN} in (select value from json_each(@list))`,
    ),
    leftOut: count(
      `select count(*) from review_answer a join review_item i on i.id = a.item_id join review_queue q on q.id = i.queue_id
       where a.current = 1 and q.question in ('wrong', 'types') and i.subject_id / ${SPAN} in (select value from json_each(@list))`,
    ),
  };
}

function* chatLines(db: Db, ids: readonly number[]): Generator<string> {
  for (const id of ids) yield `${toChatLine(need(db, id)).trimEnd()}\n`;
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
      const out = target(options.format, options.out);
      if (options.format === "atif") {
        folderFor(out);
        for (const id of ids) {
          const text = JSON.stringify(toAtif(need(db, id)));
          writeWhole(path.join(out, `${id}.trajectory.json`), [`${text}\n`]);
        }
      } else writeWhole(out, chatLines(db, ids));
      const labels = labelsOfPeople(db, ids);
      print(options, { written: ids.length, format: options.format, out, labels }, () => [
        `${plural(ids.length, "trajectory", "trajectories")} written to ${out}`,
        ...(labels.carried > 0
          ? [`with ${plural(labels.carried, "label")} of people that came with their files: an import reads them back`]
          : []),
        ...(labels.leftOut > 0
          ? [
              `without ${plural(labels.leftOut, "answer")} that people gave here about their steps: a backup keeps them (misstep backup), and misstep review export QUEUE writes them`,
            ]
          : []),
      ]);
    });
}
