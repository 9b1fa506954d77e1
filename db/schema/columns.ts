import { sql } from "drizzle-orm";
import { integer, text } from "drizzle-orm/sqlite-core";

/** UTC epoch milliseconds of the row's insertion. */
export const createdAt = () =>
  integer("created_at").notNull().default(sql`(cast(unixepoch('subsec') * 1000 as integer))`);

/** A JSON value kept as text; readers parse it with a zod schema. */
export const json = (name: string) => text(name);

/** Who produced a row: rule set, model, person or a data set that came with an import. */
export const SOURCE_KINDS = ["rule", "model", "person", "dataset"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];
