import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import type { JobStatus } from "@/db/schema/jobs";
import { all, one } from "./prepared";
import { taxonomyInForce } from "./taxonomies";

/** A profiling run with what came of it. Counts are of rollouts that ended; `planned` of all that are to be made. */
export interface ProfileRow {
  id: number;
  name: string;
  /** profile | plain | catch */
  mode: string;
  seed: number;
  checkpointId: number;
  checkpoint: string;
  jobId: number;
  /** null: the job is gone. */
  jobStatus: JobStatus | null;
  /** 0 until the job has listed its rollouts. */
  planned: number;
  environments: number;
  finished: number;
  discarded: number;
  void: number;
  /** Proposals of the policy, flagged ones, malformed ones, tries of the teacher. */
  steps: number;
  errorSteps: number;
  formatErrors: number;
  corrections: number;
  /** Rollouts with an outcome, and those of them whose final state passed (r_o = 1). */
  scored: number;
  passed: number;
  submitted: number;
  /** Sampled tokens; null when the policy never said. */
  tokens: number | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
}

const PROFILE = `select p.id, p.name, p.mode, p.seed, p.checkpoint_id as checkpointId, c.name as checkpoint, p.job_id as jobId,
    j.status as jobStatus, ifnull(j.items_total, 0) as planned, j.started_at as startedAt, j.finished_at as finishedAt,
    p.created_at as createdAt, r.*
  from profile p join checkpoint c on c.id = p.checkpoint_id left join job j on j.id = p.job_id
  join (select q.id as profileId, count(distinct r.environment_id) as environments,
      count(case when r.status = 'finished' then 1 end) as finished,
      count(case when r.status = 'discarded' then 1 end) as discarded,
      count(case when r.status = 'void' then 1 end) as void,
      ifnull(sum(r.steps), 0) as steps, ifnull(sum(r.error_steps), 0) as errorSteps,
      ifnull(sum(r.format_errors), 0) as formatErrors, ifnull(sum(r.corrections), 0) as corrections,
      count(r.outcome_reward) as scored, count(case when r.outcome_reward = 1 then 1 end) as passed,
      count(case when r.ended = 'submitted' then 1 end) as submitted, sum(r.tokens) as tokens
    from profile q left join profile_rollout r on r.profile_id = q.id group by q.id) r on r.profileId = p.id`;

const strip = ({ profileId: _, ...row }: ProfileRow & { profileId: number }): ProfileRow => row;

/** Profiles, newest first; `before`: id to go on from (exclusive). */
export const listProfiles = (db: Db, query: { before?: number; limit: number; studyId?: number }): ProfileRow[] =>
  all<ProfileRow & { profileId: number }>(
    db,
    `${PROFILE} where p.id < ? and (? is null or p.study_id = ?) order by p.id desc limit ?`,
    query.before ?? Number.MAX_SAFE_INTEGER,
    query.studyId ?? null,
    query.studyId ?? null,
    query.limit,
  ).map(strip);

/** One profile, or undefined. */
export function profileRow(db: Db, id: number): ProfileRow | undefined {
  const row = one<ProfileRow & { profileId: number }>(db, `${PROFILE} where p.id = ?`, id);
  return row && strip(row);
}

/** The profile that a job made, or undefined. */
export const profileOfJob = (db: Db, jobId: number): number | undefined =>
  one<{ id: number }>(db, "select id from profile where job_id = ?", jobId)?.id;

/** An error type with the active error steps of a profile that carry it, and in how many rollouts and environments. */
export interface TypeShare {
  errorTypeId: number;
  slug: string;
  name: string;
  errorSteps: number;
  rollouts: number;
  environments: number;
}

export interface ProfileSummary extends ProfileRow {
  /** ProfileSettings of lib/profile/settings.ts, as stored. */
  settings: unknown;
  types: TypeShare[];
  /** Error steps of the localizer that acts, or of people, without any type. */
  untyped: number;
  /** Corrections that ran, by the try that was accepted (1, 2, 3, …). */
  accepted: { attempt: number; corrections: number }[];
  /** Error steps for which no try was accepted: their rollouts were discarded. */
  uncorrected: number;
  /** Steps on which the localizer that acts gave no verdict. */
  unjudged: number;
  /** Why rollouts are void, most frequent first. */
  voids: { reason: string; rollouts: number }[];
  /** Milliseconds that rollouts took, summed over them. */
  durationMs: number;
}

/**
 * The localizer whose verdicts act in a profile, as a condition on `z` with one value; those beside it are kept and
 * counted nowhere here. Without one, the rules scanned the rollouts.
 */
function actingLocalizer(settings: string): { condition: string; name: string } {
  const { localizer } = JSON.parse(settings) as {
    localizer?: { use?: string; options?: { model?: unknown } } | null;
  };
  const model = localizer?.use === "model";
  return {
    condition: model ? "z.kind = 'model' and z.name = ?" : "z.kind = 'rule' and ? = ''",
    name: model ? String(localizer?.options?.model ?? "") : "",
  };
}

/** Everything a profile's page says about it in numbers; undefined when there is none. */
export function profileSummary(db: Db, id: number): ProfileSummary | undefined {
  const row = profileRow(db, id);
  if (!row) return undefined;
  const { settings } = one<{ settings: string }>(db, "select settings from profile where id = ?", id) ?? {
    settings: "{}",
  };
  const acting = actingLocalizer(settings);
  const flagged = `(exists (select 1 from localization m join localizer z on z.id = m.localizer_id and ${acting.condition}
      where m.step_id = e.step_id and m.current = 1 and m.verdict = 'bad')
    or exists (select 1 from label p where p.step_id = e.step_id and p.current = 1 and p.source = 'person' and p.value = 'yes'))`;
  const steps = `from profile_rollout r join error_step e on e.trajectory_id = r.trajectory_id and e.active = 1
    where r.profile_id = ? and ${flagged}`;
  const taxonomyId = taxonomyInForce(db);
  const types = all<TypeShare>(
    db,
    `select t.id as errorTypeId, t.slug, t.name, count(distinct e.step_id) as errorSteps,
       count(distinct r.id) as rollouts, count(distinct r.environment_id) as environments
     from profile_rollout r join error_step e on e.trajectory_id = r.trajectory_id and e.active = 1
       join label l on l.step_id = e.step_id and l.current = 1 and l.value = 'yes'
       join error_type t on t.id = l.error_type_id join taxonomy x on x.id = t.taxonomy_id
     where (x.id = ? or x.origin = 'dataset') and r.profile_id = ? and ${flagged} group by t.id order by errorSteps desc, t.id`,
    taxonomyId,
    id,
    acting.name,
  );
  const untyped = one<{ n: number }>(
    db,
    `select count(*) as n ${steps} and not exists
       (select 1 from label l join error_type t on t.id = l.error_type_id join taxonomy x on x.id = t.taxonomy_id
        where l.step_id = e.step_id and l.current = 1 and l.value = 'yes' and (x.id = ? or x.origin = 'dataset'))`,
    id,
    acting.name,
    taxonomyId,
  );
  const tries = `from profile_rollout r join correction c on c.step_id between r.trajectory_id * ${SPAN}
    and r.trajectory_id * ${SPAN} + ${SPAN - 1} and c.source = 'teacher' where r.profile_id = ?`;
  const accepted = all<{ attempt: number; corrections: number }>(
    db,
    `select c.attempt, count(*) as corrections ${tries} and c.accepted = 1 group by c.attempt order by c.attempt`,
    id,
  );
  const uncorrected = one<{ n: number }>(
    db,
    `select count(*) as n from (select c.step_id ${tries} group by c.step_id having max(c.accepted) = 0)`,
    id,
  );
  const unjudged = one<{ n: number }>(
    db,
    `select count(distinct l.step_id) as n from profile_rollout r join localization l
       on l.step_id between r.trajectory_id * ${SPAN} and r.trajectory_id * ${SPAN} + ${SPAN - 1}
       join localizer z on z.id = l.localizer_id and ${acting.condition}
     where r.profile_id = ? and l.current = 1 and l.verdict in ('failed', 'unparsed')`,
    acting.name,
    id,
  );
  const voids = all<{ reason: string; rollouts: number }>(
    db,
    `select ifnull(void_reason, 'no reason was kept') as reason, count(*) as rollouts from profile_rollout
     where profile_id = ? and status = 'void' group by 1 order by 2 desc, 1`,
    id,
  );
  const took = one<{ ms: number }>(
    db,
    "select ifnull(sum(duration_ms), 0) as ms from profile_rollout where profile_id = ?",
    id,
  );
  return {
    ...row,
    settings: JSON.parse(settings) as unknown,
    types,
    untyped: untyped?.n ?? 0,
    accepted,
    uncorrected: uncorrected?.n ?? 0,
    unjudged: unjudged?.n ?? 0,
    voids,
    durationMs: took?.ms ?? 0,
  };
}

/** A rollout of a profile. */
export interface RolloutRow {
  id: number;
  environmentId: number;
  environment: string;
  family: string | null;
  number: number;
  /** null: void, or its trajectory was deleted. */
  trajectoryId: number | null;
  /** finished | discarded | void */
  status: string;
  /** submitted | steps | context | null */
  ended: string | null;
  voidReason: string | null;
  /** r_o; null when there is none. */
  outcomeReward: number | null;
  steps: number;
  errorSteps: number;
  formatErrors: number;
  corrections: number;
  durationMs: number | null;
}

/** Rollouts of a profile in the order of their ids; `after`: id to go on from (exclusive). */
export const profileRollouts = (
  db: Db,
  profileId: number,
  query: { after?: number; limit: number; status?: string },
): RolloutRow[] =>
  all<RolloutRow>(
    db,
    `select r.id, r.environment_id as environmentId, v.name as environment, v.family, r.number, r.trajectory_id as trajectoryId,
       r.status, r.ended, r.void_reason as voidReason, r.outcome_reward as outcomeReward, r.steps, r.error_steps as errorSteps,
       r.format_errors as formatErrors, r.corrections, r.duration_ms as durationMs
     from profile_rollout r join environment v on v.id = r.environment_id
     where r.profile_id = ? and r.id > ? and (? is null or r.status = ?) order by r.id limit ?`,
    profileId,
    query.after ?? 0,
    query.status ?? null,
    query.status ?? null,
    query.limit,
  );

/** The profile and rollout a trajectory belongs to; null when it belongs to none. */
export const rolloutOfTrajectory = (
  db: Db,
  trajectoryId: number,
): { profileId: number; profile: string; mode: string; number: number; status: string; ended: string | null } | null =>
  one<{ profileId: number; profile: string; mode: string; number: number; status: string; ended: string | null }>(
    db,
    `select p.id as profileId, p.name as profile, p.mode, r.number, r.status, r.ended from profile_rollout r
       join profile p on p.id = r.profile_id where r.trajectory_id = ?`,
    trajectoryId,
  ) ?? null;
