import { z } from "zod";
import { BadInput } from "@/app/api/v1/refusals";
import { type Cursor, decodeCursor, encodeCursor } from "@/db/queries/cursor";
import { PLACES } from "@/lib/jobs/place/places";

/** Id of a row. */
export const rowId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
/** `{id}` of a path. */
export const idParam = z.object({ id: rowId });
/** Whole numbers ≥ 0. */
export const count = z.number().int().nonnegative();
/** UTC epoch milliseconds. */
export const time = z.number().describe("UTC epoch milliseconds");
export const share = z.number().nullable();

/** How many rows of a page; the most is stated, never silently less. */
export const limit = (most: number, usual = 50) => z.coerce.number().int().min(1).max(most).default(usual);
/** Lists by id go on below one. */
export const before = rowId.optional().describe("go on below this id: `next` of the page before");
/** Lists by a sort key go on after a cursor. */
export const after = z.string().max(2000).optional().describe("go on after this place: `next` of the page before");
export const direction = z.enum(["asc", "desc"]).default("desc");
/** Where something is performed. */
export const place = z.enum(PLACES).default("local").describe("on this machine, or on the Slurm of the settings");

/** `next` of a list by a sort key. */
export const nextCursor = z.string().nullable().describe("where the next page begins; null: this is the last");
/** `next` of a list by id. */
export const nextId = z.number().nullable().describe("`before` of the next page; null: this is the last");

/** A cursor that was given. Throws BadInput where it is none. */
export function cursorOf(given: string | undefined): Cursor | null {
  if (given === undefined) return null;
  const cursor = decodeCursor(given);
  if (cursor === null)
    throw new BadInput([{ path: "query.after", message: "is no cursor; use `next` of the page before" }]);
  return cursor;
}
export const cursorText = (cursor: Cursor | null): string | null => cursor && encodeCursor(cursor);

/** A page of rows by id: `limit + 1` rows were asked for, to know whether there are more. */
export function pageById<T extends { id: number }>(rows: T[], most: number): { rows: T[]; next: number | null } {
  const shown = rows.slice(0, most);
  return { rows: shown, next: rows.length > most ? (shown.at(-1)?.id ?? null) : null };
}

/** An object of which only these fields are promised: reports have more, which the pages show and which may change. */
export const report = <S extends z.ZodRawShape>(
  shape: S,
): z.ZodType<z.output<z.ZodObject<S>>, z.input<z.ZodObject<S>>> => z.looseObject(shape) as never;

/** What queues a job answers with. */
export const queued = z.object({ jobId: z.number().describe("follow it at /jobs/{id}") });

/** How trajectories came out, and what they hold. */
export const tally = z.object({
  trajectories: count,
  steps: count,
  errorSteps: count,
  passed: count,
  partial: count,
  failed: count,
  unknown: count.describe("without a known outcome: in no denominator of outcomes"),
});

/** The same of the rollouts that policies are compared by. */
export const unaidedTally = tally.describe(
  "of unaided rollouts alone: whole ones, without a teacher or injected errors; the other counts are of all trajectories",
);

/** A role by name: rules, expert, chat:NAME, model:NAME, learned:NAME, a checkpoint. */
export const roleName = z.string().min(1).max(300);
