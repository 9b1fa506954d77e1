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

/** Where a rollout of a training starts: a task, or the state before an error step of it. */
export interface TrainStart {
  environment: PlannedEnvironment;
  prefix: PrefixStart | null;
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
});

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
  const seen = loadSteps(db, trajectoryId)
    .slice(0, index)
    .filter((step) => step.note !== "rejected");
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
  };
}
