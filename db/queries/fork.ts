import "server-only";
import type { Db } from "@/db/client";
import { indexOf, trajectoryOf } from "@/db/ids";
import { all, one } from "./prepared";
import { entryWindow } from "./reader-entries";

/** What a live fork's page offers beside its terminal. */
export interface ForkPrefix {
  prefixId: number;
  trajectoryId: number;
  trajectoryName: string | null;
  task: string | null;
  /** Index and number of the step the prefix ends before. */
  index: number;
  number: number | null;
  /** The command that was recorded there; null when the step has none. */
  recorded: string | null;
  corrections: { id: number; source: string; command: string; thinking: string | null }[];
}

/** The prefix of a fork with the commands that may come next; null when it is gone. */
export function forkPrefix(db: Db, prefixId: number): ForkPrefix | null {
  const row = one<{ stepId: number; name: string | null; task: string | null }>(
    db,
    "select p.step_id as stepId, t.name, t.task from prefix p join trajectory t on t.id = p.step_id / 1048576 where p.id = ?",
    prefixId,
  );
  if (!row) return null;
  const [trajectoryId, index] = [trajectoryOf(row.stepId), indexOf(row.stepId)];
  const [entry] = entryWindow(db, trajectoryId, index, 1);
  return {
    prefixId,
    trajectoryId,
    trajectoryName: row.name,
    task: row.task,
    index,
    number: entry?.number ?? null,
    recorded: entry?.body.call?.command ?? null,
    corrections: all<ForkPrefix["corrections"][number]>(
      db,
      "select id, source, command, thinking from correction where step_id = ? and accepted = 1 order by id",
      row.stepId,
    ),
  };
}

/** The stored branch of a fork; null when nothing was run in it. */
export function forkBranch(db: Db, forkId: string): number | null {
  return (
    one<{ id: number }>(
      db,
      "select id from trajectory where source_key = ? and superseded_by is null",
      `person:${forkId}#`,
    )?.id ?? null
  );
}
