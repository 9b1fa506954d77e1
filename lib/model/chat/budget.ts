import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { usdNano } from "./price";
import type { Budget } from "./settings";
import { BudgetReached, type CallUsage } from "./types";

/** What a job has used so far. Replies from the cache are not in it. */
export interface Spent {
  calls: number;
  /** Input and output, as far as providers said. */
  tokens: number;
  /** Calls whose tokens are not known: they are in no sum. */
  unknown: number;
  /** Those of them that gave a reply, so that something was used. */
  unstated: number;
  /** Billionths of USD, at the price rows of the calls. */
  usd: bigint;
}

/** Reads what a job has used from the ledger. */
export function spentBy(db: Db, jobId: number): Spent {
  const rows = statement(
    db,
    `select p.usd_rate as rate, count(*) as calls, sum(ifnull(u.input_tokens, 0) + ifnull(u.output_tokens, 0)) as tokens,
       sum(u.input_tokens is null or u.output_tokens is null) as unknown,
       sum(u.status = 'done' and (u.input_tokens is null or u.output_tokens is null)) as unstated, sum(ifnull(u.cost_nano, 0)) as cost
     from usage u left join price p on p.id = u.price_id where u.job_id = ? and u.from_cache = 0 group by p.id`,
  ).all(jobId) as {
    rate: number | null;
    calls: number;
    tokens: number;
    unknown: number;
    unstated: number;
    cost: number;
  }[];
  const spent: Spent = { calls: 0, tokens: 0, unknown: 0, unstated: 0, usd: 0n };
  for (const row of rows) {
    spent.calls += row.calls;
    spent.tokens += row.tokens;
    spent.unknown += row.unknown;
    spent.unstated += row.unstated;
    spent.usd += usdNano(row.cost, row.rate);
  }
  return spent;
}

/** A call of a job that is about to be made. */
export interface Reservation {
  /** Counts what the call used. Once, after its row is written; `done` alone gives the place back. */
  used(call: { usage: CallUsage; status: "done" | "failed" }, cost: number | null, usdRate: number | null): void;
  done(): void;
}

interface Running extends Spent {
  inFlight: number;
}

const jobs = new WeakMap<Db, Map<number, Running>>();

function running(db: Db, jobId: number): Running {
  let known = jobs.get(db);
  if (!known) {
    known = new Map();
    jobs.set(db, known);
  }
  let now = known.get(jobId);
  if (!now) {
    now = { ...spentBy(db, jobId), inFlight: 0 };
    known.set(jobId, now);
  }
  return now;
}

/** Forgets what is kept in memory of a job that makes no call now, so that the ledger is read anew. */
export function refresh(db: Db, jobId: number): void {
  if (jobs.get(db)?.get(jobId)?.inFlight === 0) jobs.get(db)?.delete(jobId);
}

const dollars = (nano: bigint) => `$${(Number(nano) / 1e9).toFixed(4)}`;

/**
 * Reserves one call of a job. Throws BudgetReached when nothing more may be spent. Calls under way count as made, so
 * concurrency cannot pass a limit of calls; tokens and money are known only afterwards, and may be passed by the calls
 * under way. A reply whose tokens nobody states is no reply for nothing: it ends a budget of tokens or money, which could
 * not be kept. `priced`: the model has a price in force.
 */
export function reserve(db: Db, jobId: number, budget: Budget, model: { name: string; priced: boolean }): Reservation {
  const now = running(db, jobId);
  const over = (what: string) => {
    throw new BudgetReached(`${what}. Everything made so far stays; raise the budget in the settings, then resume`);
  };
  if (budget.calls !== undefined && now.calls + now.inFlight >= budget.calls)
    over(`the budget of ${budget.calls} calls is used up: ${now.calls} made, ${now.inFlight} under way`);
  if (budget.tokens !== undefined && now.tokens >= budget.tokens)
    over(`the budget of ${budget.tokens} tokens is used up: ${now.tokens} used in ${now.calls} calls`);
  if (now.unstated > 0 && (budget.tokens !== undefined || budget.usd !== undefined))
    throw new BudgetReached(
      `a budget of ${budget.tokens === undefined ? "money" : "tokens"} cannot be kept: ${now.unstated} of ${now.calls} calls brought a reply that does not state its tokens. Set a budget of calls in its place, then resume`,
    );
  if (budget.usd !== undefined) {
    if (!model.priced)
      throw new BudgetReached(
        `a budget of $${budget.usd} cannot be kept: model "${model.name}" has no price. Add a price or take the limit away, then resume`,
      );
    if (Number(now.usd) >= budget.usd * 1e9)
      over(`the budget of $${budget.usd} is used up: ${dollars(now.usd)} spent in ${now.calls} calls`);
  }
  now.inFlight++;
  let open = true;
  return {
    used({ usage, status }, cost, usdRate) {
      now.calls++;
      now.tokens += (usage.input ?? 0) + (usage.output ?? 0);
      if (usage.input === null || usage.output === null) {
        now.unknown++;
        if (status === "done") now.unstated++;
      }
      if (cost !== null) now.usd += usdNano(cost, usdRate);
    },
    done() {
      if (open) now.inFlight--;
      open = false;
    },
  };
}
