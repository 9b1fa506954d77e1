import "server-only";
import path from "node:path";
import Database from "better-sqlite3";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import { home, projectRoot } from "./home";
import { migrateDb } from "./migrate";
import * as schema from "./schema";

/** Drizzle over better-sqlite3; `$client` is the raw handle for hot paths with prepared statements. */
export type Db = BetterSQLite3Database<typeof schema> & { $client: Database.Database };

export interface OpenOptions {
  readonly?: boolean;
}

/** Opens a database file with the product's pragmas. Does not migrate. */
export function openDb(file: string, options: OpenOptions = {}): Db {
  const sqlite = new Database(file, { readonly: options.readonly ?? false });
  try {
    // busy_timeout first: switching the journal mode may itself have to wait.
    sqlite.pragma("busy_timeout = 10000");
    if (!options.readonly) {
      sqlite.pragma("journal_mode = WAL");
      sqlite.pragma("synchronous = NORMAL");
    }
  } catch (error) {
    sqlite.close();
    throw error;
  }
  sqlite.pragma("foreign_keys = ON");
  return drizzle(sqlite, { schema, casing: "snake_case" }) as Db;
}

/** A migrated database in memory, for tests. */
export function openMemoryDb(): Db {
  const db = openDb(":memory:");
  migrateDb(db, path.join(projectRoot(), "db/migrations"));
  return db;
}

// One handle a process: survives hot reload and the several bundles Next makes of one module.
const shared = globalThis as unknown as { misstepDb?: Db };

/** The database of MISSTEP_HOME, opened once a process. The caller of the process has migrated it (start, cli, worker). */
export function getDb(): Db {
  shared.misstepDb ??= openDb(home().database);
  return shared.misstepDb;
}

/** Closes the shared handle (end of a command, restore). */
export function closeDb(): void {
  shared.misstepDb?.$client.close();
  shared.misstepDb = undefined;
}
