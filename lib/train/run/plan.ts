import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { Draw } from "@/lib/environment/suite/draw";
import { ensureTinyEnvironments } from "@/lib/environment/suite/ensure";
import { environmentAt, suiteName } from "@/lib/environment/suite/splits";
import { pivotStart, prefixStart, type TrainStart, taskStart } from "@/lib/train/rollout/starts";
import type { TrainSettings } from "@/lib/train/settings";

/** The settings name nothing that a training could start from. The message says what is missing and how to get it. */
export class NothingToTrainOn extends Error {}

/** What a training starts from, fixed when it is queued: prefixes kept or dropped later change nothing in it. */
export const trainPlan = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("prefix"), ids: z.array(z.number()) }),
  z.object({ kind: z.literal("task"), ids: z.array(z.number()) }),
  z.object({
    kind: z.literal("pivot"),
    /** Steps of accepted trajectories: the candidates, then those kept of them. */
    ids: z.array(z.number()),
    /** Whether the pivots among the candidates are found. */
    found: z.boolean(),
    /** Candidates, of which `ids` were kept once they are found. */
    candidates: z.number(),
  }),
]);
export type TrainPlan = z.infer<typeof trainPlan>;

type PrefixChoice = Extract<TrainSettings["start"], { kind: "prefix" }>["prefixes"];

interface PrefixRow {
  id: number;
  environmentId: number | null;
}

/** Kept prefixes of the training split that the settings name. */
function keptPrefixes(db: Db, studyId: number, { ids, drawId, misbehaviors }: PrefixChoice): PrefixRow[] {
  return db.$client
    .prepare<Record<string, string | number | null>, PrefixRow>(
      `select p.id, ifnull(p.environment_id, t.environment_id) as environmentId
       from prefix p join trajectory t on t.id = p.step_id / ${SPAN} left join error_type e on e.id = p.error_type_id
       where p.study_id = @studyId and p.status = 'kept' and ifnull(p.split, 'training') = 'training'
         and (@ids is null or p.id in (select value from json_each(@ids)))
         and (@ids is not null or p.draw_id is not null)
         and (@drawId is null or p.draw_id = @drawId)
         and (@slugs is null or e.slug in (select value from json_each(@slugs)))
       order by p.id`,
    )
    .all({
      studyId,
      ids: ids === undefined ? null : JSON.stringify(ids),
      drawId: drawId ?? null,
      slugs: misbehaviors.length === 0 ? null : JSON.stringify(misbehaviors),
    });
}

const HOW =
  'draw prefixes ("misstep prefix sample", or the page /prefixes) and rerun them: only kept prefixes of the training split are started from';

/**
 * Steps that ran in the finished rollouts of a profile, corrections among them: what PivotRL's candidates are drawn from
 * (recipe 4; its paper does not say where the trajectories come from).
 */
function pivotCandidates(
  db: Db,
  { profileId, candidates }: Extract<TrainSettings["start"], { kind: "pivot" }>,
  seed: number,
): TrainPlan {
  const ids = db.$client
    .prepare<[number], number>(
      `select s.id from profile_rollout r join environment e on e.id = r.environment_id join step s on s.id between r.trajectory_id * ${SPAN} and r.trajectory_id * ${SPAN} + ${SPAN - 1}
       where r.profile_id = ? and r.status = 'finished' and r.outcome_reward = 1 and s.kind = 'agent' and s.tool is not null
         and s.note is not 'rejected' and s.flags & 1 = 0 order by e.name, r.number, s.id`,
    )
    .pluck()
    .all(profileId) as unknown as number[];
  if (ids.length === 0)
    throw new NothingToTrainOn(
      `profile ${profileId} has no passed rollout whose steps could be candidates; profile a policy first`,
    );
  const drawn = new Draw(`misstep pivots\0${seed}`).some(ids, candidates);
  return { kind: "pivot", ids: drawn, found: false, candidates: drawn.length };
}

/** Prefixes or environments that the settings name, or null when they are of the suite and need not exist yet. */
function storedStarts(db: Db, studyId: number, { start, seed }: TrainSettings): TrainPlan | null {
  if (start.kind === "pivot") return pivotCandidates(db, start, seed);
  if (start.kind === "suite") return null;
  const prefixes = keptPrefixes(db, studyId, start.prefixes);
  if (prefixes.length === 0) throw new NothingToTrainOn(`no kept prefix fits these settings; ${HOW}`);
  if (start.kind === "prefix") return { kind: "prefix", ids: prefixes.map((p) => p.id) };
  const environments = [...new Set(prefixes.flatMap((p) => (p.environmentId === null ? [] : [p.environmentId])))];
  if (environments.length === 0) throw new NothingToTrainOn("none of these prefixes names an environment with files");
  return { kind: "task", ids: environments };
}

/** How many starts there are; nothing is made. Throws NothingToTrainOn. */
export function countStarts(
  db: Db,
  studyId: number,
  settings: TrainSettings,
): { kind: TrainPlan["kind"]; count: number } {
  const stored = storedStarts(db, studyId, settings);
  if (stored) return { kind: stored.kind, count: stored.ids.length };
  return { kind: "task", count: settings.start.kind === "suite" ? settings.start.count : 0 };
}

/** Fixes what a training starts from. Throws NothingToTrainOn. Call it in the transaction that queues the training. */
export function planTraining(db: Db, studyId: number, settings: TrainSettings): TrainPlan {
  const stored = storedStarts(db, studyId, settings);
  const { start } = settings;
  if (stored) return stored;
  if (start.kind !== "suite") throw new NothingToTrainOn(`starts of kind "${start.kind}" cannot be planned`);
  const names = Array.from({ length: start.count }, (_, i) => {
    const { family, seed } = environmentAt("profile", start.from + i);
    return suiteName(family, seed);
  });
  return { kind: "task", ids: [...ensureTinyEnvironments(db, names).values()] };
}

/** Reads a start of the plan. Throws StartMissing or NoSuchEnvironment. */
export function loadStart(db: Db, plan: TrainPlan, id: number): TrainStart {
  if (plan.kind === "pivot") return pivotStart(db, id);
  return plan.kind === "prefix" ? prefixStart(db, id) : taskStart(db, id);
}
