import "server-only";
import fs from "node:fs";
import path from "node:path";
import { type Away, type ItemRow, type ItemsContext, JobBroken } from "@/lib/jobs/executor";
import { ownFolder } from "@/lib/model/policy/checkpoint";
import type { JobFolder } from "./folder";
import { type ItemResult, resultFile, takenFile } from "./task";

/** Moves a checkpoint that a task made to where this machine keeps its own. */
function takeCheckpoint(folder: JobFolder, name: string): void {
  const from = path.join(folder.home, "checkpoints", name);
  const to = ownFolder(name);
  if (!fs.existsSync(from)) return;
  fs.mkdirSync(path.dirname(to), { recursive: true });
  const building = fs.mkdtempSync(`${to}.building-`);
  fs.cpSync(from, building, { recursive: true });
  fs.chmodSync(building, 0o755);
  fs.rmSync(to, { recursive: true, force: true });
  fs.renameSync(building, to);
}

/** Marks a result as taken in. It may be gone: a worker that died did it before. */
function taken(folder: JobFolder, itemId: number): void {
  fs.writeFileSync(takenFile(folder.results, itemId), "");
  fs.rmSync(resultFile(folder.results, itemId), { force: true });
}

/**
 * Takes in the results that are there: stores each in the transaction that ends its item, in the order of the items.
 * Removes them from `open`; gives back how many there were. Throws JobBroken when a task says so.
 */
export async function ingest(
  context: ItemsContext,
  away: Away,
  folder: JobFolder,
  open: Map<number, ItemRow>,
): Promise<number> {
  const ready = fs
    .readdirSync(folder.results)
    .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  let count = 0;
  for (const id of ready) {
    const item = open.get(id);
    if (!item) {
      taken(folder, id);
      continue;
    }
    const result = JSON.parse(fs.readFileSync(resultFile(folder.results, id), "utf8")) as ItemResult;
    if (result.status === "broken") {
      fs.rmSync(resultFile(folder.results, id), { force: true });
      throw new JobBroken(result.error);
    }
    if (result.status === "failed") {
      context.log("error", `${item.key}: ${result.error}`);
      context.end(item, result);
    } else {
      for (const name of away.made?.(result.value) ?? []) takeCheckpoint(folder, name);
      const { effect, said } = away.receive(context, item, result.value);
      context.together(() => {
        context.commit(item, effect);
        context.end(item, { status: "done" });
      });
      if (said !== undefined) context.log("info", said);
    }
    open.delete(id);
    taken(folder, id);
    count++;
    // Timers (the lease) and signals get their turn.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return count;
}
