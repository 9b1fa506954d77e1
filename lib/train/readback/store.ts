import "server-only";
import { createHash } from "node:crypto";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { localize } from "@/lib/profile/rules";
import { storeFindings } from "@/lib/profile/scan";
import { deadCause } from "@/lib/train/rl/dead";
import { outcomeOf } from "@/lib/trajectory/outcome";
import { prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import { totals } from "@/lib/trajectory/totals";
import type { BundleManifest } from "./manifest";
import type { RolloutRecord } from "./record";
import type { Episode } from "./stepLog";
import { trajectoryOfEpisode } from "./trajectory";

/** The training that is read, as its job knows it. */
export interface ReadRun {
  id: number;
  studyId: number;
  jobId: number;
  /** Row of `checkpoint` that its rollouts carry. */
  policy: string;
  manifest: BundleManifest | null;
}

/** Groups that were filtered out are numbered from here on when nothing says how many a step has. */
const FILTERED_FROM = 1000;

function environmentOf(db: Db, run: ReadRun, task: string | null): { id: number; name: string } {
  const known = run.manifest?.tasks.find((t) => t.id === task);
  const name = known?.environment ?? task ?? "unknown";
  const dataset = known?.dataset ?? "";
  const row = statement(db, "select id from environment where name = ? and dataset = ?").get(name, dataset) as
    | { id: number }
    | undefined;
  const id =
    row?.id ??
    Number(statement(db, "insert into environment (name, dataset) values (?, ?)").run(name, dataset).lastInsertRowid);
  return { id, name };
}

/** A prefix of ours: of the manifest, and here the same one still. Without a manifest its number may be another index's. */
function prefixOf(db: Db, run: ReadRun, id: number | null): number | null {
  const noted = run.manifest?.prefixes.find((p) => p.id === id);
  if (!noted) return null;
  const row = statement(
    db,
    "select e.slug from prefix p left join error_type e on e.id = p.error_type_id where p.id = ?",
  ).get(noted.id) as { slug: string | null } | undefined;
  return row && row.slug === noted.misbehavior ? noted.id : null;
}

interface GroupRow {
  id: number;
  number: number;
}

function numberOf(db: Db, run: ReadRun, record: RolloutRecord, filtered: boolean): number {
  if (!filtered) return record.prompt;
  const from = run.manifest?.settings.batch ?? FILTERED_FROM;
  return statement(
    db,
    "select max(?, ifnull(max(number) + 1, 0)) from rollout_group where training_run_id = ? and step = ? and source like 'filtered/%'",
  )
    .pluck()
    .get(from, run.id, record.step) as number;
}

function groupOf(
  db: Db,
  run: ReadRun,
  record: RolloutRecord,
  { filtered, path, environmentId }: { filtered: boolean; path: string; environmentId: number },
): GroupRow {
  const source = filtered
    ? `filtered/${record.promptId ?? `${path}/${record.prompt}`}`
    : `kept/${String(record.prompt)}`;
  const found = statement(
    db,
    "select id, number from rollout_group where training_run_id = ? and step = ? and source = ?",
  ).get(run.id, record.step, source) as GroupRow | undefined;
  if (found) return found;
  const number = numberOf(db, run, record, filtered);
  const id = Number(
    statement(
      db,
      "insert into rollout_group (training_run_id, step, number, prefix_id, environment_id, dead, source) values (?, ?, ?, ?, ?, ?, ?)",
    ).run(
      run.id,
      record.step,
      number,
      prefixOf(db, run, record.prefix),
      environmentId,
      filtered ? record.filter : null,
      source,
    ).lastInsertRowid,
  );
  return { id, number };
}

/** Place within its group, from 1. The trainer numbers rollouts over the whole step, group after group. */
function placeOf(db: Db, run: ReadRun, record: RolloutRecord): number {
  if (record.prompt === 0) return record.sample + 1;
  const stated = run.manifest?.settings.group;
  const size =
    stated ??
    (statement(
      db,
      "select count(*) from rollout r join rollout_group g on g.id = r.group_id where g.training_run_id = ? and g.step = ? and g.source = 'kept/0'",
    )
      .pluck()
      .get(run.id, record.step) as number);
  return record.sample - record.prompt * size + 1;
}

/** What a rollout's row says besides its group. */
interface Reading {
  voidReason: string | null;
  reward: number | null;
  outcome: number | null;
  behavior: number | null;
  verdict: string | null;
  ended: string | null;
}

const ENDED: Record<string, string> = { submitted: "submitted", steps: "steps", oom: "steps" };

/** A rollout that our environment closed no one told why: its tokens ran out, or a turn held no call. */
const endOf = (record: RolloutRecord, episode: Episode | null): string | null => {
  const said = episode?.end?.ended;
  if (said && ENDED[said]) return ENDED[said] ?? null;
  if (record.finish === "length") return "context";
  return said === "open" ? "format" : null;
};

function readingOf(run: ReadRun, record: RolloutRecord, episode: Episode | null): Reading {
  const why = episode?.end?.left_out ?? record.errors;
  const unpaid = record.leftOut && record.outcome === null;
  if (record.resetFailed || unpaid)
    return {
      voidReason: why ?? (record.resetFailed ? "no sandbox could be had" : "the environment left it out"),
      reward: null,
      outcome: null,
      behavior: null,
      verdict: null,
      ended: null,
    };
  const reward = record.leftOut ? null : record.reward;
  // Without our environment's word only a recipe that pays the tests alone says what the reward was.
  const paidByTests = run.manifest?.settings.reward.kind === "outcome" ? reward : null;
  const open = episode?.end?.ended === "open";
  const verdict = episode?.end?.verdict ?? (record.behavior === null ? null : record.behavior === 1 ? "no" : "yes");
  return {
    voidReason: null,
    reward,
    outcome: record.outcome ?? (open ? 0 : paidByTests),
    behavior: record.behavior,
    verdict: verdict ?? (record.leftOut ? "failed" : null),
    ended: endOf(record, episode),
  };
}

/** Of which file and line a record is. */
export interface RecordPlace {
  path: string;
  filtered: boolean;
}

/**
 * Stores a rollout with its group, and its text when the step log has it. Inside the transaction that moves the file's
 * offset. Gives back a reason instead when the rollout is there already.
 */
export function storeRecord(
  db: Db,
  run: ReadRun,
  record: RolloutRecord,
  episode: Episode | null,
  place: RecordPlace,
): { stored: true; text: boolean; voided: boolean } | { reason: string } {
  const environment = environmentOf(db, run, record.task);
  const group = groupOf(db, run, record, { ...place, environmentId: environment.id });
  const last = statement(db, "select ifnull(max(number), 0) from rollout where group_id = ?").pluck();
  const number = place.filtered ? (last.get(group.id) as number) + 1 : placeOf(db, run, record);
  if (statement(db, "select 1 from rollout where group_id = ? and number = ?").get(group.id, number) !== undefined)
    return {
      reason: `step ${record.step}, rollout ${record.sample} was read before: the trainer did the step again, and the first time is kept`,
    };
  const reading = readingOf(run, record, episode);
  const trajectoryId =
    reading.voidReason === null && episode !== null
      ? storeText(db, run, record, episode, reading, {
          environment,
          at: `${record.step}/${group.number}/${number}`,
        })
      : null;
  const times = [episode?.begin?.at, episode?.end?.at];
  const [from, to] = times;
  statement(
    db,
    `insert into rollout (group_id, number, trajectory_id, outcome_reward, behavior_reward, reward, advantage, verdict,
       verdict_reason, ended, steps, duration_ms, void_reason)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    group.id,
    number,
    trajectoryId,
    reading.outcome,
    reading.behavior,
    reading.reward,
    reading.reward === null ? null : record.advantage,
    reading.verdict,
    reading.verdict === null ? null : (episode?.end?.verdict_reason ?? null),
    reading.ended,
    reading.voidReason === null ? record.steps : null,
    from != null && to != null ? Math.round(1000 * (to - from)) : null,
    reading.voidReason,
  );
  countGroup(db, group.id, place.filtered);
  return { stored: true, text: trajectoryId !== null, voided: reading.voidReason !== null };
}

function storeText(
  db: Db,
  run: ReadRun,
  record: RolloutRecord,
  episode: Episode,
  reading: Reading,
  { environment, at }: { environment: { id: number; name: string }; at: string },
): number {
  const prefixId = prefixOf(db, run, record.prefix);
  const { trajectory, parent } = trajectoryOfEpisode(db, episode, prefixId);
  trajectory.model = run.policy;
  trajectory.task = environment.name;
  trajectory.reward = reading.outcome;
  trajectory.outcome = outcomeOf(reading.outcome);
  trajectory.name = `${environment.name}, step ${record.step}, rollout ${at}`;
  const hash = createHash("sha256").update(`read back ${run.id} ${at} ${record.episode}`).digest("hex");
  const complete = totals(trajectory);
  const stored = storeTrajectory(db, prepareTrajectory(complete, hash), {
    studyId: run.studyId,
    jobId: run.jobId,
    sourceKey: `training:${run.id}/${at}#`,
    environmentId: environment.id,
  });
  if (parent)
    statement(db, "update trajectory set parent_id = ?, parent_step = ? where id = ?").run(
      parent.trajectoryId,
      parent.index,
      stored.id,
    );
  if (stored.status !== "present") storeFindings(db, stored.id, localize(complete.steps), stored.status === "imported");
  return stored.id;
}

/** Brings a group's numbers up to date. One that was filtered out is dead for what its rewards say. */
function countGroup(db: Db, groupId: number, filtered: boolean): void {
  const members = statement(db, "select reward, outcome_reward as outcomeReward from rollout where group_id = ?").all(
    groupId,
  ) as { reward: number | null; outcomeReward: number | null }[];
  const rewards = members.flatMap((m) => (m.reward === null ? [] : [m.reward]));
  const mean = rewards.length === 0 ? null : rewards.reduce((sum, r) => sum + r, 0) / rewards.length;
  statement(db, "update rollout_group set counted = ?, mean_reward = ? where id = ?").run(
    rewards.length,
    mean,
    groupId,
  );
  const cause = filtered ? deadCause(members) : null;
  if (cause) statement(db, "update rollout_group set dead = ? where id = ?").run(cause, groupId);
}
