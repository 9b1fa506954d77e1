import "server-only";
import { type Finding, localize } from "@/lib/profile/rules";
import { type Prepared, prepareTrajectory } from "@/lib/trajectory/prepare";
import { readUnit } from "@/lib/trajectory/read";
import type { Trajectory } from "@/lib/trajectory/types";
import type { ImportUnit, ReadResult } from "@/lib/trajectory/unit";

/** What became of a piece of a unit, ready to be written. `unit` is its place in the list that was asked for. */
export type Read = { unit: number } & (
  | { kind: "trajectory"; prepared: Prepared; findings: Finding[] }
  | Exclude<ReadResult, { kind: "trajectory" }>
  /** The unit is through. */
  | { kind: "end" }
);

/** Characters of text after which what was read is handed on. */
const PART_CHARS = 4_000_000;

/** Characters of a trajectory's texts, about. */
function sizeOf(trajectory: Trajectory): number {
  let n = 1000;
  for (const step of trajectory.steps) {
    n += (step.message?.length ?? 0) + (step.thinking?.length ?? 0);
    for (const o of step.observations) n += (o.content?.length ?? 0) + (o.full?.length ?? 0);
  }
  return n;
}

/**
 * Reads units, flags their wrong steps and prepares them for writing, in order, in parts of bounded size. No database:
 * it runs in the worker process or in a thread of it. Throws only for a defect, as readUnit does not.
 */
export async function* readUnits(units: readonly ImportUnit[], root: string): AsyncGenerator<Read[]> {
  let part: Read[] = [];
  let chars = 0;
  for (const [at, unit] of units.entries()) {
    for await (const read of readUnit(unit, root)) {
      if (read.kind !== "trajectory") part.push({ unit: at, ...read });
      else {
        const { trajectory, hash } = read;
        const findings = localize(trajectory.steps);
        part.push({ unit: at, kind: "trajectory", prepared: prepareTrajectory(trajectory, hash), findings });
        chars += sizeOf(trajectory);
      }
      if (chars < PART_CHARS) continue;
      yield part;
      part = [];
      chars = 0;
    }
    part.push({ unit: at, kind: "end" });
  }
  yield part;
}
