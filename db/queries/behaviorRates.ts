import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";

/** Verdicts of one judge on the samples of one policy from one prefix. */
export interface VerdictCount {
  checkpointId: number;
  errorTypeId: number;
  prefixId: number;
  judge: string;
  yes: number;
  no: number;
  failed: number;
  unparsed: number;
  /** Of yes and no, samples that are marked as leaked. */
  leaked: number;
}

export const verdictCounts = (db: Db, evaluationId: number): VerdictCount[] =>
  statement(
    db,
    `select s.checkpoint_id as checkpointId, s.error_type_id as errorTypeId, s.prefix_id as prefixId, v.judge,
       sum(v.answer = 'yes') as yes, sum(v.answer = 'no') as no, sum(v.answer = 'failed') as failed,
       sum(v.answer = 'unparsed') as unparsed, sum(s.leaked and v.answer in ('yes', 'no')) as leaked
     from behavior_sample s join behavior_verdict v on v.sample_id = s.id where s.evaluation_id = ?
     group by s.checkpoint_id, s.error_type_id, s.prefix_id, v.judge order by s.checkpoint_id, s.error_type_id, s.prefix_id, v.judge`,
  ).all(evaluationId) as VerdictCount[];

/** Samples of each policy that some judge was asked about. */
export function judgedSamples(db: Db, evaluationId: number): Map<number, number> {
  const rows = statement(
    db,
    `select s.checkpoint_id as id, count(*) as n from behavior_sample s
     where s.evaluation_id = ? and exists (select 1 from behavior_verdict v where v.sample_id = s.id) group by 1`,
  ).all(evaluationId) as { id: number; n: number }[];
  return new Map(rows.map(({ id, n }) => [id, n]));
}

/** Void samples of a policy and misbehavior. */
export interface VoidCount {
  checkpointId: number;
  errorTypeId: number;
  samples: number;
  void: number;
}

export const voidCounts = (db: Db, evaluationId: number): VoidCount[] =>
  statement(
    db,
    `select checkpoint_id as checkpointId, error_type_id as errorTypeId, count(*) as samples, sum(void_reason is not null) as void
     from behavior_sample where evaluation_id = ? group by checkpoint_id, error_type_id`,
  ).all(evaluationId) as VoidCount[];

/** How the samples of a policy from one prefix ended, under the hidden tests. */
export interface EndCount {
  checkpointId: number;
  prefixId: number;
  /** null: all samples; else those this judge answered so. */
  judge: string | null;
  answer: "yes" | "no" | null;
  passed: number;
  failed: number;
  /** Not void, and without an outcome: the environment has no tests. */
  unknown: number;
}

/** By prefix: of all samples that are not void, then of those that each judge said yes and no to. */
export const endCounts = (db: Db, evaluationId: number): EndCount[] => {
  const sums =
    "sum(t.outcome = 'passed') as passed, sum(t.outcome = 'failed') as failed, sum(t.outcome = 'unknown') as unknown";
  return statement(
    db,
    `select s.checkpoint_id as checkpointId, s.prefix_id as prefixId, null as judge, null as answer, ${sums}
     from behavior_sample s join trajectory t on t.id = s.trajectory_id where s.evaluation_id = @id group by 1, 2
     union all
     select s.checkpoint_id, s.prefix_id, v.judge, v.answer, ${sums}
     from behavior_sample s join trajectory t on t.id = s.trajectory_id join behavior_verdict v on v.sample_id = s.id
     where s.evaluation_id = @id and v.answer in ('yes', 'no') group by 1, 2, 3, 4`,
  ).all({ id: evaluationId }) as EndCount[];
};

/** How two judges answered the same samples of a policy and misbehavior; samples that one of them left open are in none. */
export interface JudgePair {
  checkpointId: number;
  errorTypeId: number;
  first: string;
  second: string;
  prefixId: number;
  bothYes: number;
  firstYes: number;
  secondYes: number;
  bothNo: number;
}

export const judgePairs = (db: Db, evaluationId: number): JudgePair[] =>
  statement(
    db,
    `select s.checkpoint_id as checkpointId, s.error_type_id as errorTypeId, a.judge as first, b.judge as second, s.prefix_id as prefixId,
       sum(a.answer = 'yes' and b.answer = 'yes') as bothYes, sum(a.answer = 'yes' and b.answer = 'no') as firstYes,
       sum(a.answer = 'no' and b.answer = 'yes') as secondYes, sum(a.answer = 'no' and b.answer = 'no') as bothNo
     from behavior_sample s join behavior_verdict a on a.sample_id = s.id join behavior_verdict b on b.sample_id = s.id and b.judge > a.judge
     where s.evaluation_id = ? and a.answer in ('yes', 'no') and b.answer in ('yes', 'no')
     group by s.checkpoint_id, s.error_type_id, a.judge, b.judge, s.prefix_id`,
  ).all(evaluationId) as JudgePair[];

/** A window as judge and people saw it, added up over a prefix: see JudgedCluster of lib/evaluate/stats/corrected.ts. */
export interface LabelledCount {
  checkpointId: number;
  errorTypeId: number;
  prefixId: number;
  judge: string;
  unlabelled: number;
  unlabelledYes: number;
  yesYes: number;
  yesNo: number;
  noYes: number;
  noNo: number;
}

/**
 * Per prefix and judge, with people's labels of windows that were drawn at random. A window counts as labelled when its
 * authors' newest answers have a majority of yes or no; a tie, or only "unsure", leaves it unlabelled. Where a review queue
 * settled a window with yes or no, that alone counts.
 */
export const labelledCounts = (db: Db, evaluationId: number): LabelledCount[] =>
  statement(
    db,
    `with newest as (
       select sample_id, answer, author like 'settled: %' as settled, row_number() over (partition by sample_id, author order by id desc) as place
       from window_label where random = 1
     ), said as (
       select sample_id, answer, settled, max(settled) over (partition by sample_id) as outranked
       from newest where place = 1 and answer in ('yes', 'no')
     ), people as (
       select sample_id, sum(answer = 'yes') as yes, sum(answer = 'no') as no from said where settled = outranked group by sample_id
     ), truth as (select sample_id, yes > no as wrong from people where yes <> no)
     select s.checkpoint_id as checkpointId, s.error_type_id as errorTypeId, s.prefix_id as prefixId, v.judge,
       sum(t.wrong is null) as unlabelled, sum(t.wrong is null and v.answer = 'yes') as unlabelledYes,
       ifnull(sum(t.wrong = 1 and v.answer = 'yes'), 0) as yesYes, ifnull(sum(t.wrong = 1 and v.answer = 'no'), 0) as yesNo,
       ifnull(sum(t.wrong = 0 and v.answer = 'yes'), 0) as noYes, ifnull(sum(t.wrong = 0 and v.answer = 'no'), 0) as noNo
     from behavior_sample s join behavior_verdict v on v.sample_id = s.id left join truth t on t.sample_id = s.id
     where s.evaluation_id = ? and v.answer in ('yes', 'no')
     group by s.checkpoint_id, s.error_type_id, s.prefix_id, v.judge`,
  ).all(evaluationId) as LabelledCount[];

/** Whether people said anything of the windows of a measurement, drawn at random or not. */
export const hasWindowLabels = (db: Db, evaluationId: number): boolean =>
  statement(
    db,
    "select 1 from window_label l join behavior_sample s on s.id = l.sample_id where s.evaluation_id = ? limit 1",
  ).get(evaluationId) !== undefined;
