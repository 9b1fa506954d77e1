import "server-only";
import { getBlob, putBlob } from "@/db/blobs";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { costNano, priceAt } from "./price";
import type { CallPurpose, CallUsage, ModelName } from "./types";

/** A try before the last one, as `usage.tries` keeps it. */
export interface FailedTry {
  /** UTC epoch milliseconds of its beginning. */
  at: number;
  status: number | null;
  error: string;
  /** Until the next try began to wait in the endpoint's line. */
  waitedMs: number;
}

/** One call, ended one way or the other. */
export interface EndedCall {
  model: ModelName;
  endpoint: string;
  purpose: CallPurpose;
  jobId: number | null;
  status: "done" | "failed";
  tries: FailedTry[];
  error: string | null;
  finish: string | null;
  /** What the SDK changed in the request. */
  warnings: string[];
  request: string;
  /** Raw body of the last answer, a failure's too; null when none came whole. */
  reply: string | null;
  fromCache: boolean;
  usage: CallUsage;
  startedAt: number;
  durationMs: number;
}

/** Writes the one row of a call, with its blobs and its price, in one transaction. */
export function writeCall(db: Db, call: EndedCall): { id: number; cost: number | null; usdRate: number | null } {
  return db.$client
    .transaction(() => {
      // A cached reply uses nothing: it costs 0 whatever the price, and that is known.
      const price = call.fromCache ? null : priceAt(db, call.model, call.startedAt);
      const cost = call.fromCache ? 0 : price && costNano(price, call.usage);
      const { lastInsertRowid } = statement(
        db,
        `insert into usage (model, endpoint, role, prompt_version, status, repairs, tries, error, finish, request_hash, reply_hash,
           from_cache, input_tokens, cached_tokens, output_tokens, reasoning_tokens, duration_ms, price_id, cost_nano, subject, job_id, created_at)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(
        call.model,
        call.endpoint,
        call.purpose.role,
        call.purpose.promptVersion,
        call.status,
        JSON.stringify(call.warnings.map((warning) => `request: ${warning}`)),
        JSON.stringify(call.tries),
        call.error,
        call.finish,
        putBlob(db, call.request),
        call.reply === null ? null : putBlob(db, call.reply),
        call.fromCache ? 1 : 0,
        call.usage.input,
        call.usage.cached,
        call.usage.output,
        call.usage.reasoning,
        Math.round(call.durationMs),
        cost === null ? null : (price?.id ?? null),
        cost,
        call.purpose.subject,
        call.jobId,
        call.startedAt,
      );
      return { id: Number(lastInsertRowid), cost, usdRate: price?.usdRate ?? null };
    })
    .immediate();
}

/** The raw reply to the same request of the same model, when there is a good one that could be read; null otherwise. */
export function cachedReply(db: Db, model: ModelName, requestHash: string): string | null {
  const row = statement(
    db,
    `select reply_hash as hash from usage where request_hash = ? and model = ? and status = 'done' and from_cache = 0
       and reply_hash is not null and (reading is null or reading <> 'unparsed') order by id limit 1`,
  ).get(requestHash, model) as { hash: string } | undefined;
  return row ? getBlob(db, row.hash).toString("utf8") : null;
}

/** How a reply was read. */
export type Reading = "parsed" | "repaired" | "unparsed";

/**
 * Notes on a call's row how its reply was read. `notes`: what was mended (`repaired`), or why it could not be read
 * (`unparsed`); they go after what was noted on the request. Call it in the transaction that stores what was read, or alone.
 */
export function recordReading(db: Db, callId: number, reading: Reading, notes: readonly string[] = []): void {
  statement(
    db,
    `update usage set reading = ?, repairs = (
       select json_group_array(value) from (select value from json_each(repairs) union all select value from json_each(?))
     ) where id = ?`,
  ).run(reading, JSON.stringify(notes), callId);
}
