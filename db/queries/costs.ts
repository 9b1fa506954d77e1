import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { NEEDED_PROFILES } from "./costPhases";

/** Calls of one kind of job by role and model, in the currency of their prices. Replies from our cache used nothing and are not in it. */
export interface LedgerRow {
  /** Kind of the job; null: asked outside of any job. */
  kind: string | null;
  role: string;
  model: string;
  /** null: the calls have no price. */
  currency: string | null;
  calls: number;
  failed: number;
  /** Sums over calls that state them; `unstated` do not. */
  input: number;
  cached: number;
  output: number;
  unstated: number;
  /** Billionths of the currency; null: none of the calls has a price. */
  costNano: number | null;
  /** Calls without a cost: no price, or no token counts. */
  unpriced: number;
}

export const ledgerRows = (db: Db): LedgerRow[] =>
  statement(
    db,
    `select j.kind, u.role, u.model, p.currency, count(*) as calls, sum(u.status = 'failed') as failed,
       ifnull(sum(u.input_tokens), 0) as input, ifnull(sum(u.cached_tokens), 0) as cached, ifnull(sum(u.output_tokens), 0) as output,
       sum(u.input_tokens is null or u.output_tokens is null) as unstated, sum(u.cost_nano) as costNano, sum(u.cost_nano is null) as unpriced
     from usage u left join job j on j.id = u.job_id left join price p on p.id = u.price_id
     where u.from_cache = 0 group by j.kind, u.role, u.model, p.currency order by j.kind, u.role, u.model`,
  ).all() as LedgerRow[];

/** What a training used, measured. */
export interface TrainingCost {
  id: number;
  name: string;
  recipe: string;
  settings: string;
  jobId: number | null;
  steps: number;
  groups: number;
  dead: number;
  rollouts: number;
  void: number;
  environments: number;
  /** Sampled tokens; null: not known. */
  tokens: number | null;
  /** Steps a rollout; null: not known. */
  rolloutSteps: number | null;
  /** Wall time of its steps; null: not known. */
  ms: number | null;
  /** Rollouts of the profiles it needs: NEEDED_PROFILES. */
  profiled: number;
  /** Cost of its model calls by currency, JSON { USD: billionths }. */
  costs: string;
  /** Model calls of its job without a cost. */
  unpriced: number;
}

export const trainingCosts = (db: Db): TrainingCost[] =>
  statement(
    db,
    `with needed as materialized (${NEEDED_PROFILES}), stepped as (
       select training_run_id as run, count(*) as steps, sum(json_extract(metrics, '$.ms.total')) as ms from training_step group by 1
     ), grouped as (
       select training_run_id as run, count(*) as groups, sum(dead is not null) as dead, count(distinct environment_id) as environments
       from rollout_group group by 1
     ), rolled as (
       select g.training_run_id as run, count(*) as rollouts, sum(r.void_reason is not null) as void, sum(r.tokens) as tokens, avg(r.steps) as steps
       from rollout r join rollout_group g on g.id = r.group_id group by 1
     ), called as (
       select u.job_id as job, p.currency, sum(u.cost_nano) as cost, sum(u.cost_nano is null) as unpriced
       from usage u left join price p on p.id = u.price_id where u.from_cache = 0 group by 1, 2
     )
     select t.id, t.name, t.recipe, t.settings, t.job_id as jobId, s.steps, g.groups, g.dead, r.rollouts, r.void, g.environments, r.tokens,
       r.steps as rolloutSteps, s.ms,
       (select count(*) from profile_rollout pr where pr.profile_id in (select n.profile from needed n where n.run = t.id)) as profiled,
       ifnull((select json_group_object(currency, cost) from called where job = t.job_id and currency is not null), '{}') as costs,
       ifnull((select sum(unpriced) from called where job = t.job_id), 0) as unpriced
     from training_run t join stepped s on s.run = t.id join grouped g on g.run = t.id join rolled r on r.run = t.id
     order by t.id desc`,
  ).all() as TrainingCost[];

/** Kept prefixes, and all that were rerun. */
export const keptPrefixes = (db: Db): { kept: number; all: number } =>
  statement(
    db,
    "select ifnull(sum(status = 'kept'), 0) as kept, count(*) as 'all' from prefix where reruns > 0",
  ).get() as {
    kept: number;
    all: number;
  };
