import "server-only";
import { getBlob } from "@/db/blobs";
import type { Db } from "@/db/client";
import { all, one } from "./prepared";

/** A batch that an annotator was asked about. */
export interface BatchRow {
  id: number;
  phase: string;
  number: number;
  /** done | failed | unparsed */
  status: string;
  steps: number;
  assigned: number;
  oneOff: number;
  newPattern: number;
  unclear: number;
  repairs: string[];
  usageId: number | null;
  costNano: number | null;
}

const COLUMNS = `b.id, b.phase, b.number, b.status, json_array_length(b.step_ids) as steps, b.assigned, b.one_off as oneOff,
  b.new_pattern as newPattern, b.unclear, b.repairs, b.usage_id as usageId, u.cost_nano as costNano`;
const ORDER = "case b.phase when 'propose' then 0 when 'refine' then 1 else 2 end";

/** Batches of a version in the order they were asked about; `after`: how many to leave out. */
export const batchesOf = (db: Db, taxonomyId: number, { after = 0, limit = 50 } = {}): BatchRow[] =>
  all<Omit<BatchRow, "repairs"> & { repairs: string }>(
    db,
    `select ${COLUMNS} from taxonomy_batch b left join usage u on u.id = b.usage_id
     where b.taxonomy_id = ? order by ${ORDER}, b.number limit ? offset ?`,
    taxonomyId,
    limit,
    after,
  ).map((row) => ({ ...row, repairs: JSON.parse(row.repairs) as string[] }));

export const countBatches = (db: Db, taxonomyId: number): number =>
  one<{ n: number }>(db, "select count(*) as n from taxonomy_batch where taxonomy_id = ?", taxonomyId)?.n ?? 0;

/** A batch with everything that was said: what was read of it, and the raw request and reply of its call. */
export interface BatchDetail extends BatchRow {
  answer: string | null;
  model: string | null;
  promptVersion: string | null;
  request: string | null;
  reply: string | null;
}

/** A batch of this version; undefined when it has none of this id. */
export function batchDetail(db: Db, taxonomyId: number, id: number): BatchDetail | undefined {
  const row = one<
    Omit<BatchDetail, "repairs" | "request" | "reply"> & {
      repairs: string;
      requestHash: string | null;
      replyHash: string | null;
    }
  >(
    db,
    `select ${COLUMNS}, b.answer, u.model, u.prompt_version as promptVersion, u.request_hash as requestHash, u.reply_hash as replyHash
     from taxonomy_batch b left join usage u on u.id = b.usage_id where b.taxonomy_id = ? and b.id = ?`,
    taxonomyId,
    id,
  );
  if (!row) return undefined;
  const { requestHash, replyHash, repairs, ...rest } = row;
  const text = (hash: string | null) => (hash === null ? null : getBlob(db, hash).toString("utf8"));
  return { ...rest, repairs: JSON.parse(repairs) as string[], request: text(requestHash), reply: text(replyHash) };
}
