import "server-only";
import type Database from "better-sqlite3";
import type { Db } from "./client";

const known = new WeakMap<Db, Map<string, Database.Statement>>();

/**
 * A prepared statement of this connection, prepared on first use and then kept: for fixed SQL in hot paths. Not for
 * `pluck` or `raw`, which would change it for everybody.
 */
export function statement(db: Db, sql: string): Database.Statement {
  let statements = known.get(db);
  if (!statements) {
    statements = new Map();
    known.set(db, statements);
  }
  let found = statements.get(sql);
  if (!found) {
    found = db.$client.prepare(sql);
    statements.set(sql, found);
  }
  return found;
}
