import "server-only";
import { discover } from "@/lib/trajectory/discover";
import { readUnit } from "@/lib/trajectory/read";
import type { Refusal } from "@/lib/trajectory/unit";

/** What an import of a path would find. `complete` false: the time was up; the import itself reads everything. */
export interface ImportPreview {
  path: string;
  /** Units found (files, archive members, trial folders). */
  units: number;
  bytes: number;
  /** Units whose content was looked at. */
  examined: number;
  formats: Record<string, number>;
  refused: Refusal[];
  skipped: number;
  complete: boolean;
}

const REFUSALS_SHOWN = 20;

/** Looks at a path for at most `milliseconds`: finds units, detects formats by content. Stores nothing. */
export async function previewImport(path: string, milliseconds = 4000): Promise<ImportPreview> {
  const deadline = Date.now() + milliseconds;
  const preview: ImportPreview = {
    path,
    units: 0,
    bytes: 0,
    examined: 0,
    formats: {},
    refused: [],
    skipped: 0,
    complete: true,
  };
  const refuse = (refusal: Refusal) => {
    if (preview.refused.length < REFUSALS_SHOWN) preview.refused.push(refusal);
  };
  const units = [];
  for await (const found of discover(path)) {
    if (found.kind === "unit") {
      units.push(found.unit);
      preview.bytes += found.unit.bytes;
    } else if (found.kind === "refused") refuse(found.refusal);
    else preview.skipped++;
    if (Date.now() > deadline) {
      preview.complete = false;
      break;
    }
  }
  preview.units = units.length;
  for (const unit of units) {
    if (Date.now() > deadline) {
      preview.complete = false;
      break;
    }
    preview.examined++;
    for await (const read of readUnit(unit, path)) {
      if (read.kind === "trajectory")
        preview.formats[read.trajectory.format] = (preview.formats[read.trajectory.format] ?? 0) + 1;
      else if (read.kind === "refused") refuse(read.refusal);
      else preview.skipped++;
      if (Date.now() > deadline) break;
    }
  }
  return preview;
}
