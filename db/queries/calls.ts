import "server-only";
import { z } from "zod";
import { getBlob } from "@/db/blobs";
import type { Db } from "@/db/client";
import type { FacetValue } from "./facets";
import { all, marks, one, type Value } from "./prepared";

/** Which calls of the ledger. Empty lists: all. */
export interface CallFilters {
  roles: string[];
  models: string[];
  statuses: string[];
  /** parsed | repaired | unparsed; "" for calls whose reply nobody read. */
  readings: string[];
  job: number | null;
}

export const NO_CALL_FILTERS: CallFilters = { roles: [], models: [], statuses: [], readings: [], job: null };

function where(filters: CallFilters): { sql: string; values: Value[] } {
  const parts: string[] = [];
  const values: Value[] = [];
  const among = (column: string, list: string[]) => {
    if (list.length === 0) return;
    parts.push(`${column} in (${marks(list)})`);
    values.push(...list);
  };
  among("u.role", filters.roles);
  among("u.model", filters.models);
  among("u.status", filters.statuses);
  among("ifnull(u.reading, '')", filters.readings);
  if (filters.job !== null) {
    parts.push("u.job_id = ?");
    values.push(filters.job);
  }
  return { sql: parts.length > 0 ? `where ${parts.join(" and ")}` : "", values };
}

export interface CallRow {
  id: number;
  model: string;
  endpoint: string | null;
  role: string;
  promptVersion: string | null;
  subject: string | null;
  status: "done" | "failed";
  reading: string | null;
  error: string | null;
  /** Tries before the last one. */
  retries: number;
  fromCache: number;
  input: number | null;
  cached: number | null;
  output: number | null;
  reasoning: number | null;
  durationMs: number | null;
  /** Billionths of `currency`; null: unknown. */
  costNano: number | null;
  currency: string | null;
  jobId: number | null;
  createdAt: number;
}

const ROW = `u.id, u.model, u.endpoint, u.role, u.prompt_version as promptVersion, u.subject, u.status, u.reading, u.error,
  json_array_length(u.tries) as retries, u.from_cache as fromCache, u.input_tokens as input, u.cached_tokens as cached,
  u.output_tokens as output, u.reasoning_tokens as reasoning, u.duration_ms as durationMs, u.cost_nano as costNano,
  p.currency, u.job_id as jobId, u.created_at as createdAt`;

export interface CallPage {
  total: number;
  rows: CallRow[];
  /** Ids to go on from; null where there is no such page. */
  older: number | null;
  newer: number | null;
}

/** Calls, newest first. `older`: below that id; `newer`: above it. */
export function listCalls(
  db: Db,
  query: { filters: CallFilters; limit: number; older?: number | null; newer?: number | null },
): CallPage {
  const { sql, values } = where(query.filters);
  const total = one<{ n: number }>(db, `select count(*) as n from usage u ${sql}`, ...values)?.n ?? 0;
  const up = query.newer != null;
  const from = query.newer ?? query.older ?? null;
  const bound = from === null ? "" : `${sql ? "and" : "where"} u.id ${up ? ">" : "<"} ?`;
  const found = all<CallRow>(
    db,
    `select ${ROW} from usage u left join price p on p.id = u.price_id ${sql} ${bound} order by u.id ${up ? "asc" : "desc"} limit ?`,
    ...values,
    ...(from === null ? [] : [from]),
    query.limit + 1,
  );
  const more = found.length > query.limit;
  const rows = found.slice(0, query.limit);
  if (up) rows.reverse();
  return {
    total,
    rows,
    older: (up || more) && rows.length > 0 ? (rows.at(-1)?.id ?? null) : null,
    newer: (up ? more : from !== null) && rows.length > 0 ? (rows[0]?.id ?? null) : null,
  };
}

/** How many calls were made for a job, replies from the cache among them. */
export const callsOfJob = (db: Db, jobId: number): number =>
  one<{ n: number }>(db, "select count(*) as n from usage where job_id = ?", jobId)?.n ?? 0;

/** Sums over calls of one model in one role. */
export interface CallTotals {
  model: string;
  role: string;
  calls: number;
  failed: number;
  fromCache: number;
  unparsed: number;
  repaired: number;
  /** Sums over the calls that say; null: none does. */
  input: number | null;
  cached: number | null;
  output: number | null;
  reasoning: number | null;
  /** Calls whose tokens are not known: in no sum. */
  unknownTokens: number;
  /** Known costs, billionths of each currency. */
  costs: { currency: string; nano: number }[];
  /** Calls whose cost is not known: in no sum. */
  unknownCost: number;
}

/** Totals by model and role. Replies from the cache count as calls and used nothing. */
export function callTotals(db: Db, filters: CallFilters): CallTotals[] {
  const { sql, values } = where(filters);
  type Row = Omit<CallTotals, "costs"> & { currency: string | null; nano: number };
  const rows = all<Row>(
    db,
    `select u.model, u.role, p.currency, count(*) as calls, sum(u.status = 'failed') as failed, sum(u.from_cache) as fromCache,
       sum(ifnull(u.reading, '') = 'unparsed') as unparsed, sum(ifnull(u.reading, '') = 'repaired') as repaired,
       sum(u.input_tokens) as input, sum(u.cached_tokens) as cached,
       sum(u.output_tokens) as output, sum(u.reasoning_tokens) as reasoning,
       sum(u.input_tokens is null or u.output_tokens is null) as unknownTokens,
       sum(ifnull(u.cost_nano, 0)) as nano, sum(u.cost_nano is null) as unknownCost
     from usage u left join price p on p.id = u.price_id ${sql}
     group by u.model, u.role, p.currency order by u.model, u.role, p.currency`,
    ...values,
  );
  const totals: CallTotals[] = [];
  for (const { currency, nano, ...row } of rows) {
    const cost = currency === null ? [] : [{ currency, nano }];
    const last = totals.at(-1);
    if (last?.model !== row.model || last.role !== row.role) totals.push({ ...row, costs: cost });
    else {
      for (const key of COUNTS) last[key] += row[key];
      for (const key of TOKENS) last[key] = row[key] === null ? last[key] : (last[key] ?? 0) + row[key];
      last.costs.push(...cost);
    }
  }
  return totals;
}

const COUNTS = ["calls", "failed", "fromCache", "unparsed", "repaired", "unknownTokens", "unknownCost"] as const;
const TOKENS = ["input", "cached", "output", "reasoning"] as const;

/** Values that the filters offer, over the whole ledger. */
export function callFacets(db: Db): Record<"roles" | "models" | "statuses" | "readings", FacetValue[]> {
  const values = (column: string) =>
    all<{ value: string; count: number }>(
      db,
      `select ifnull(${column}, '') as value, count(*) as count from usage group by 1 order by 2 desc`,
    ).map((row) => ({ ...row, label: row.value }));
  return { roles: values("role"), models: values("model"), statuses: values("status"), readings: values("reading") };
}

const triesSchema = z.array(
  z.object({ at: z.number(), status: z.number().nullable(), error: z.string(), waitedMs: z.number() }),
);

export interface CallView extends CallRow {
  finish: string | null;
  tries: z.infer<typeof triesSchema>;
  repairs: string[];
  /** What was asked, JSON of { kind, baseUrl, model, request }; null when it is not stored. */
  request: string | null;
  /** Body of the last answer as it came; null when none came. */
  reply: string | null;
  price: { input: number; cached: number | null; output: number; usdRate: number | null; validFrom: number } | null;
}

/** One call with everything that is kept of it, or undefined. */
export function getCall(db: Db, id: number): CallView | undefined {
  type Stored = CallRow &
    Record<"tries" | "repairs", string> & {
      finish: string | null;
      requestHash: string | null;
      replyHash: string | null;
      priceInput: number | null;
      priceCached: number | null;
      priceOutput: number | null;
      usdRate: number | null;
      validFrom: number | null;
    };
  const row = one<Stored>(
    db,
    `select ${ROW}, u.finish, u.tries, u.repairs, u.request_hash as requestHash, u.reply_hash as replyHash,
       p.input as priceInput, p.cached as priceCached, p.output as priceOutput, p.usd_rate as usdRate, p.valid_from as validFrom
     from usage u left join price p on p.id = u.price_id where u.id = ?`,
    id,
  );
  if (!row) return undefined;
  const { tries, repairs, requestHash, replyHash, priceInput, priceCached, priceOutput, usdRate, validFrom, ...rest } =
    row;
  const text = (hash: string | null) => (hash === null ? null : getBlob(db, hash).toString("utf8"));
  return {
    ...rest,
    tries: triesSchema.parse(JSON.parse(tries)),
    repairs: z.array(z.string()).parse(JSON.parse(repairs)),
    request: text(requestHash),
    reply: text(replyHash),
    price:
      priceInput === null || priceOutput === null || validFrom === null
        ? null
        : { input: priceInput, cached: priceCached, output: priceOutput, usdRate, validFrom },
  };
}
