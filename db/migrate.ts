import "server-only";
import fs from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { z } from "zod";

type Migratable = BetterSQLite3Database<Record<string, unknown>> & { $client: Database.Database };

/** The database was written by a newer version of the product. */
export class NewerDatabaseError extends Error {
  constructor(file: string) {
    super(
      `${file} was written by a newer version of Misstep. Start that version, or set MISSTEP_HOME to another folder, or restore a backup made by this version.`,
    );
    this.name = "NewerDatabaseError";
  }
}

/** Another process holds the database. */
export class LockedDatabaseError extends Error {
  constructor(file: string) {
    super(
      `${file} could not be brought up to date: another process holds it. Stop that one (a copy, a backup or a second Misstep) and start again.`,
    );
    this.name = "LockedDatabaseError";
  }
}

const journalSchema = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })) });

function newestKnown(folder: string): number {
  const journal = journalSchema.parse(JSON.parse(fs.readFileSync(path.join(folder, "meta/_journal.json"), "utf8")));
  return Math.max(...journal.entries.map((e) => e.when));
}

/** How a database stands to the migrations in `folder`. Reads only. */
export function versionOf(sqlite: Database.Database, folder: string): "older" | "present" | "newer" {
  const has = sqlite
    .prepare("select 1 from sqlite_master where type = 'table' and name = '__drizzle_migrations'")
    .get();
  if (!has) return "older";
  const { newest } = sqlite.prepare("select max(created_at) as newest from __drizzle_migrations").get() as {
    newest: number | null;
  };
  const known = newestKnown(folder);
  if (newest === known) return "present";
  return newest !== null && newest > known ? "newer" : "older";
}

/**
 * Applies the migrations in `folder`. Across processes one at a time: Drizzle's migrator reads its journal outside its
 * transaction, so the lock is a transaction on a side database, which a killed process releases.
 */
export function migrateDb(db: Migratable, folder: string): void {
  const file = db.$client.name;
  const version = versionOf(db.$client, folder);
  if (version === "newer") throw new NewerDatabaseError(file);
  // Nothing to write: a command that only reads does not wait for whoever writes.
  if (version === "present") return;
  if (file === ":memory:") {
    migrate(db, { migrationsFolder: folder });
    return;
  }
  const lock = new Database(`${file}.lock`);
  try {
    lock.pragma(`busy_timeout = ${process.env.MISSTEP_LOCK_TIMEOUT ?? 60_000}`);
    lock.exec("BEGIN EXCLUSIVE");
    migrate(db, { migrationsFolder: folder });
    lock.exec("COMMIT");
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY"))
      throw new LockedDatabaseError(file);
    throw error;
  } finally {
    lock.close();
  }
}
