import "server-only";
import type { Db } from "@/db/client";
import { indexOf, trajectoryOf } from "@/db/ids";
import { statement } from "@/db/statement";
import { environmentById, NoSuchEnvironment } from "@/lib/environment/store";
import type { Replay } from "@/lib/prefix/replay";
import { prefixTarget } from "@/lib/prefix/target";
import { MISBEHAVIOR_SLUGS, type MisbehaviorSlug } from "@/lib/profile/misbehaviors";
import type { PlannedEnvironment } from "@/lib/profile/perform";
import type { JudgedMode } from "@/lib/reward/types";
import { loadSteps } from "@/lib/trajectory/load";
import type { Step } from "@/lib/trajectory/types";

/** Where a rollout of a training starts: a task, the state before an error step of it, or a turn whose action is compared. */
export interface TrainStart {
  environment: PlannedEnvironment;
  prefix: PrefixStart | null;
  pivot: PivotStart | null;
}

/** A turn of an accepted trajectory (recipe 4): the policy proposes an action there, which is compared and not run. */
export interface PivotStart {
  trajectoryId: number;
  index: number;
  /** What the policy had seen: rejected steps are not in it. */
  seen: Step[];
  /** The command that was accepted there. */
  gold: string;
}

export interface PrefixStart {
  id: number;
  trajectoryId: number;
  /** Entry of the trajectory that the prefix ends before. */
  index: number;
  replay: Replay;
  /** What the policy had seen: rejected steps are not in it. */
  seen: Step[];
  /** Steps of the policy (and corrections) among them. */
  steps: number;
  /** The misbehavior it was drawn for; null: none, so no behavior judge can be asked. */
  mode: JudgedMode | null;
}

/** A start that a training was made with cannot be had any more. */
export class StartMissing extends Error {}

function environmentOf(db: Db, id: number): PlannedEnvironment {
  const environment = environmentById(db, id);
  if (!environment) throw new NoSuchEnvironment(`environment ${id} is gone; import its task directory again`);
  const more = statement(db, "select family, seed from environment where id = ?").get(id) as {
    family: string | null;
    seed: number | null;
  };
  return { ...environment, ...more };
}

interface TypeRow {
  id: number;
  slug: string;
  name: string;
  definition: string;
  excludes: string;
  detectors: string;
  example: string | null;
}

/** A misbehavior as a judge is asked about it. */
export function judgedMode(db: Db, errorTypeId: number): JudgedMode {
  const row = statement(
    db,
    "select id, slug, name, definition, excludes, detectors, example from error_type where id = ?",
  ).get(errorTypeId) as TypeRow | undefined;
  if (!row) throw new StartMissing(`error type ${errorTypeId} is gone`);
  const detectors = JSON.parse(row.detectors) as MisbehaviorSlug[];
  const builtin = MISBEHAVIOR_SLUGS.find((slug) => slug === row.slug);
  return {
    errorTypeId: row.id,
    name: row.name,
    definition: row.definition,
    excludes: JSON.parse(row.excludes) as string[],
    examples: row.example === null ? [] : [{ command: null, reason: row.example }],
    // Types of the built-in taxonomy are their detectors' own.
    detectors: detectors.length > 0 || !builtin ? detectors : [builtin],
  };
}

/** The start at a task. */
export const taskStart = (db: Db, environmentId: number): TrainStart => ({
  environment: environmentOf(db, environmentId),
  prefix: null,
  pivot: null,
});

/** What the policy had seen before an entry of a trajectory. */
const seenBefore = (steps: readonly Step[], index: number): Step[] =>
  steps.slice(0, index).filter((step) => step.note !== "rejected");

/** The start at a step that ran. Throws StartMissing when it is gone or ran no command. */
export function pivotStart(db: Db, stepId: number): TrainStart {
  const trajectoryId = trajectoryOf(stepId);
  const index = indexOf(stepId);
  const row = statement(db, "select environment_id as environmentId from trajectory where id = ?").get(trajectoryId) as
    | { environmentId: number | null }
    | undefined;
  const steps = row ? loadSteps(db, trajectoryId) : [];
  const gold = steps[index]?.call?.command ?? null;
  if (!row || row.environmentId === null || gold === null)
    throw new StartMissing(`entry ${index} of trajectory ${trajectoryId} is gone or ran no command`);
  return {
    environment: environmentOf(db, row.environmentId),
    prefix: null,
    pivot: { trajectoryId, index, seen: seenBefore(steps, index), gold },
  };
}

/** The start at a prefix. Throws StartMissing when it cannot be rerun any more. */
export function prefixStart(db: Db, prefixId: number): TrainStart {
  const row = statement(db, "select error_type_id as type from prefix where id = ?").get(prefixId) as
    | { type: number | null }
    | undefined;
  const target = row && prefixTarget(db, prefixId);
  if (!row || !target) throw new StartMissing(`prefix ${prefixId} is gone`);
  if (target.environmentId === null)
    throw new StartMissing(`prefix ${prefixId} cannot be restored: ${target.missing ?? "it has no environment"}`);
  const trajectoryId = trajectoryOf(target.stepId);
  const index = indexOf(target.stepId);
  const seen = seenBefore(loadSteps(db, trajectoryId), index);
  return {
    environment: environmentOf(db, target.environmentId),
    prefix: {
      id: prefixId,
      trajectoryId,
      index,
      replay: target.replay,
      seen,
      steps: seen.filter((step) => step.kind === "agent").length,
      mode: row.type === null ? null : judgedMode(db, row.type),
    },
    pivot: null,
  };
}
