import "server-only";
import type { Db } from "@/db/client";
import { checkpointNamesOfKind } from "@/db/queries/checkpoints";
import { BASE_CHECKPOINT, checkpointFolder } from "@/lib/model/policy/checkpoint";

/** Checkpoints of the embedded kind whose files are here, the shipped one first, then the newest. */
export function trainable(db: Db): string[] {
  const names = checkpointNamesOfKind(db, "embedded").filter((name) => checkpointFolder(name) !== null);
  return [...names].sort((a, b) => Number(b === BASE_CHECKPOINT) - Number(a === BASE_CHECKPOINT));
}
