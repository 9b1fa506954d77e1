import "server-only";
import fs from "node:fs";
import path from "node:path";
import type { CheckpointRow } from "@/db/queries/checkpoints";
import { CHECKPOINT_FILES, checkpointFolder } from "@/lib/model/policy/checkpoint";

/** The safetensors file of a checkpoint; null when it has none on this machine. Which file follows from the index alone. */
export function weightsFile(model: Pick<CheckpointRow, "kind" | "name">): string | null {
  const folder = model.kind === "embedded" ? checkpointFolder(model.name) : null;
  const file = folder === null ? null : path.join(folder, CHECKPOINT_FILES.weights);
  return file !== null && fs.existsSync(file) ? file : null;
}
