import "server-only";
import type Database from "better-sqlite3";
import type { Db } from "@/db/client";

export type Value = string | number | null;

const caches = new WeakMap<Db, Map<string, Database.Statement<Value[]>>>();
const LIMIT = 500;

/** A statement of this text, prepared once a database handle. Values go by `?` only, so that texts repeat. */
export function prepared(db: Db, sql: string): Database.Statement<Value[]> {
  let cache = caches.get(db);
  if (!cache) {
    cache = new Map();
    caches.set(db, cache);
  }
  let statement = cache.get(sql);
  if (!statement) {
    if (cache.size >= LIMIT) cache.clear();
    statement = db.$client.prepare<Value[]>(sql);
    cache.set(sql, statement);
  }
  return statement;
}

/** All rows of a query; the caller states the row's shape, which the selected columns must have. */
export const all = <Row>(db: Db, sql: string, ...values: Value[]): Row[] => prepared(db, sql).all(...values) as Row[];

/** The first row, or undefined. */
export const one = <Row>(db: Db, sql: string, ...values: Value[]): Row | undefined =>
  prepared(db, sql).get(...values) as Row | undefined;

/** `?, ?, ?` for an `in (…)` list. */
export const marks = (values: readonly unknown[]): string => values.map(() => "?").join(", ");
