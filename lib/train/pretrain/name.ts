import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { checkpointFolder } from "@/lib/model/policy/checkpoint";

/** A name that a new checkpoint cannot have. The message says what to do. */
export class CheckpointTaken extends Error {}

/**
 * Throws CheckpointTaken where the index or a folder has a checkpoint of the name already: what was measured of it would
 * afterwards be said of other weights. Asked before the first demonstration is run.
 */
export function checkNewCheckpoint(db: Db, name: string): void {
  const known = statement(db, "select 1 from checkpoint where name = ?").get(name) !== undefined;
  if (known || checkpointFolder(name) !== null)
    throw new CheckpointTaken(
      `there is a checkpoint "${name}" already${known ? "" : ` (in ${checkpointFolder(name)})`}; choose another name with --name. The same settings give the same weights under any name; /models lists what there is`,
    );
}
