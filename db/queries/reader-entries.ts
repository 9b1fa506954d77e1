import "server-only";
import type { Db } from "@/db/client";
import { type StepBody, unpack } from "@/db/codec";
import { SPAN } from "@/db/ids";
import { STEP_FLAGS } from "@/db/schema";
import { all } from "./prepared";

/** Bits of `Overview.marks`. The lowest two are the kind: 0 system, 1 user, 2 agent. */
export const MARKS = {
  numbered: 4,
  failed: 8,
  timedOut: 16,
  toolError: 32,
  copied: 64,
  note: 128,
  sameTurn: 256,
  rejected: 512,
  correction: 1024,
} as const;

/** All entries in two short numbers each: enough for a map of the trajectory and for scrolling before texts are there. */
export interface Overview {
  /** Bit sets of MARKS. */
  marks: number[];
  /** Lines an entry roughly takes, for its height before it is measured. */
  lines: number[];
}

const KINDS: Record<string, number> = { system: 0, user: 1, agent: 2 };
const WIDTH = 100;
const MOST_LINES = 90;

type MapRow = [
  kind: string,
  number: number | null,
  turn: number | null,
  note: string | null,
  exit: number | null,
  flags: number,
  chars: number,
  preview: number,
];

/** The overview of a trajectory, in order of its entries. */
export function overview(db: Db, id: number): Overview {
  const rows = db.$client
    .prepare(
      `select kind, number, turn, note, exit_code, flags, output_chars, length(preview) from step where id between ? and ? order by id`,
    )
    .raw()
    .all(id * SPAN, id * SPAN + SPAN - 1) as MapRow[];
  let lastTurn: number | null = null;
  const marks: number[] = [];
  const lines: number[] = [];
  for (const [kind, number, turn, note, exit, flags, chars, preview] of rows) {
    let mark = KINDS[kind] ?? 2;
    if (number !== null) mark |= MARKS.numbered;
    if (exit !== null && exit !== 0) mark |= MARKS.failed;
    if (flags & STEP_FLAGS.timedOut) mark |= MARKS.timedOut;
    if (flags & STEP_FLAGS.toolError) mark |= MARKS.toolError;
    if (flags & STEP_FLAGS.copied) mark |= MARKS.copied;
    if (note !== null) mark |= MARKS.note;
    if (note === "rejected") mark |= MARKS.rejected;
    if (note === "correction") mark |= MARKS.correction;
    // A correction is another speaker's, whatever turn it is counted to.
    else if (turn !== null && turn === lastTurn) mark |= MARKS.sameTurn;
    lastTurn = turn;
    marks.push(mark);
    lines.push(Math.min(MOST_LINES, Math.ceil(chars / 40) + Math.ceil(preview / WIDTH) + 2));
  }
  return { marks, lines };
}

/** The row of an entry beside its texts. */
export interface EntryRow {
  index: number;
  kind: string;
  number: number | null;
  turn: number | null;
  actor: string | null;
  note: string | null;
  tool: string | null;
  exitCode: number | null;
  durationMs: number | null;
  promptTokens: number | null;
  completionTokens: number | null;
  costUsd: number | null;
  flags: number;
  body: StepBody;
}

type StoredRow = Omit<EntryRow, "body" | "index"> & { id: number; chunk: number };

const ROW = `id, kind, number, turn, actor, note, tool, exit_code as exitCode, duration_ms as durationMs,
  prompt_tokens as promptTokens, completion_tokens as completionTokens, cost_usd as costUsd, flags, chunk`;

/** A chunk does not hold the text of an entry it should hold: the database is damaged. */
export class MissingTextError extends Error {
  constructor(id: number, index: number) {
    super(
      `The text of entry ${index} of trajectory ${id} is missing from the database. Import its file again or restore a backup.`,
    );
    this.name = "MissingTextError";
  }
}

function bodies(db: Db, id: number, firstChunk: number, lastChunk: number): Map<number, StepBody> {
  const chunks = all<{ first: number; data: Buffer }>(
    db,
    "select first, data from chunk where id between ? and ? order by id",
    id * SPAN + firstChunk,
    id * SPAN + lastChunk,
  );
  const out = new Map<number, StepBody>();
  for (const chunk of chunks) {
    for (const [i, body] of unpack<StepBody[]>(chunk.data).entries()) out.set(chunk.first + i, body);
  }
  return out;
}

/** Entries [from, from + count) with their whole texts. */
export function entryWindow(db: Db, id: number, from: number, count: number): EntryRow[] {
  const rows = all<StoredRow>(
    db,
    `select ${ROW} from step where id >= ? and id < ? order by id`,
    id * SPAN + from,
    id * SPAN + Math.min(from + count, SPAN),
  );
  const first = rows[0];
  const last = rows.at(-1);
  if (!first || !last) return [];
  const texts = bodies(db, id, first.chunk, last.chunk);
  return rows.map(({ id: stepId, chunk: _, ...row }) => {
    const index = stepId - id * SPAN;
    const body = texts.get(index);
    if (!body) throw new MissingTextError(id, index);
    return { ...row, index, body };
  });
}

/** All texts of a trajectory, one chunk in memory at a time. */
export function* eachBody(db: Db, id: number): Generator<[index: number, body: StepBody]> {
  const ids = db.$client
    .prepare("select id from chunk where id between ? and ? order by id")
    .pluck()
    .all(id * SPAN, id * SPAN + SPAN - 1) as number[];
  for (const chunkId of ids) {
    const seq = chunkId - id * SPAN;
    yield* bodies(db, id, seq, seq);
  }
}
