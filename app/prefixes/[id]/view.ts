import "server-only";
import type { Db } from "@/db/client";
import { stepId as idOfStep, trajectoryOf } from "@/db/ids";
import { type RerunView, rerunSteps } from "@/db/queries/prefix-page";
import type { Basis } from "@/lib/prefix/compare";
import { type Diagnosis, diagnose } from "@/lib/prefix/diagnose";
import { type Difference, difference } from "@/lib/prefix/difference";
import { type ReplayStep, seenForDiagnosis } from "@/lib/prefix/replay";
import type { PrefixTarget } from "@/lib/prefix/target";
import type { Cause } from "@/lib/prefix/types";

/** What a rerun showed for one command of the prefix. */
export interface CommandView {
  entry: number;
  /** 1, 2, 3… over the commands of the prefix. */
  number: number;
  state: "same" | "different" | "not-run";
  normalised: boolean | null;
  recordedExit: number | null;
  rerunExit: number | null;
  durationMs: number | null;
  /** Only where the two differ. */
  difference: Difference | null;
  cause: Cause | null;
  diagnosis: Diagnosis | null;
  /** Entry of the earlier command that brought the difference in. */
  throughEntry: number | null;
}

export interface ComparisonView {
  basis: Basis;
  /** Why the prefix cannot be rerun at all; null when it can. */
  unable: string | null;
  commands: CommandView[];
}

/** Differences worked out whole for a page; later ones of a long run only say that they differ. */
const MOST_DIFFERENCES = 20;

function diagnosed(steps: ReplayStep[], at: number, output: string, exitCode: number | null): Diagnosis {
  const step = steps[at] as ReplayStep;
  return diagnose({
    command: step.command,
    earlier: steps.slice(0, at).map((s) => s.command),
    recorded: seenForDiagnosis(step.recorded, step.basis),
    rerun: seenForDiagnosis({ text: output, exitCode }, step.basis),
  });
}

/** The commands of a prefix beside what one rerun of it showed; without a rerun, none of them was run. */
export function comparisonView(db: Db, target: PrefixTarget, rerun: RerunView | null): ComparisonView {
  const { replay, stepId } = target;
  if (replay.kind === "void")
    return { basis: "observation", unable: `entry ${replay.index} ${replay.reason}`, commands: [] };
  const trajectory = trajectoryOf(stepId);
  const ran = new Map((rerun ? rerunSteps(db, rerun.id) : []).map((s) => [s.stepId, s]));
  let worked = 0;
  const commands = replay.steps.map((step, i): CommandView => {
    const row = ran.get(idOfStep(trajectory, step.index));
    const view: CommandView = {
      entry: step.index,
      number: i + 1,
      state: row ? (row.equal ? "same" : "different") : "not-run",
      normalised: row ? row.normalisedEqual === 1 : null,
      recordedExit: step.recorded.exitCode,
      rerunExit: row?.exitCode ?? null,
      durationMs: row?.durationMs ?? null,
      difference: null,
      cause: (row?.cause ?? null) as Cause | null,
      diagnosis: null,
      throughEntry: null,
    };
    if (!row || row.output === null || worked >= MOST_DIFFERENCES) return view;
    worked++;
    view.difference = difference(step.recorded.text, row.output);
    view.diagnosis = diagnosed(replay.steps, i, row.output, row.exitCode);
    const { through } = view.diagnosis;
    view.throughEntry = through === null ? null : (replay.steps[through]?.index ?? null);
    return view;
  });
  return { basis: replay.basis, unable: null, commands };
}
