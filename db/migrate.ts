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

/** The index could not be brought to the present schema. It is as it was before. */
export class FailedUpgradeError extends Error {
  constructor(file: string, backup: string | null, cause: unknown) {
    const kept = backup === null ? "" : ` A copy of it is ${backup}.`;
    super(
      `${file} could not be brought up to date: ${cause instanceof Error ? cause.message : String(cause)}. It is as it was before; the version of Misstep that wrote it opens it.${kept}`,
      { cause },
    );
    this.name = "FailedUpgradeError";
  }
}

/** Copies made before upgrades that are kept, the newest ones. */
export const KEPT_UPGRADE_BACKUPS = 3;
const UPGRADE_BACKUP = /^before-upgrade-.*\.db$/;

/** What an upgrade did: the copy made before it (null: there was nothing to lose), and older copies it removed. */
export interface Upgrade {
  backup: string | null;
  removed: string[];
}

/** Copies an index into `backups` beside it: whole or not at all. */
function backUp(sqlite: Database.Database): string {
  const folder = path.join(path.dirname(sqlite.name), "backups");
  fs.mkdirSync(folder, { recursive: true });
  const target = path.join(folder, `before-upgrade-${new Date().toISOString().replace(/[:.]/g, "-")}.db`);
  const partial = `${target}.partial`;
  try {
    sqlite.prepare("vacuum into ?").run(partial);
    fs.renameSync(partial, target);
  } catch (error) {
    fs.rmSync(partial, { force: true });
    throw error;
  }
  return target;
}

function removeOldBackups(backup: string): string[] {
  const folder = path.dirname(backup);
  const old = fs
    .readdirSync(folder)
    .filter((name) => UPGRADE_BACKUP.test(name))
    .sort()
    .slice(0, -KEPT_UPGRADE_BACKUPS)
    .map((name) => path.join(folder, name));
  for (const file of old) fs.rmSync(file, { force: true });
  return old;
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");

/** A copy first unless nobody would miss it, then all migrations in one transaction. */
function upgrade(db: Migratable, folder: string, copy: boolean): Upgrade {
  const s = db.$client;
  const begun = s.prepare("select 1 from sqlite_master where type = 'table' and name = '__drizzle_migrations'").get();
  let backup: string | null = null;
  try {
    if (begun && copy) backup = backUp(s);
    migrate(db, { migrationsFolder: folder });
  } catch (error) {
    if (isBusy(error)) throw error;
    throw new FailedUpgradeError(s.name, backup, error);
  }
  return { backup, removed: backup === null ? [] : removeOldBackups(backup) };
}

/**
 * Applies the migrations in `folder`; an index of an earlier schema is copied into `backups` beside it first. Across processes
 * one at a time: Drizzle's migrator reads its journal outside its transaction, so the lock is a transaction on a side
 * database, which a killed process releases. Returns null when nothing was to be done. `copy: false`: for an index that is
 * nobody's yet.
 */
export function migrateDb(db: Migratable, folder: string, { copy = true } = {}): Upgrade | null {
  const file = db.$client.name;
  const version = versionOf(db.$client, folder);
  if (version === "newer") throw new NewerDatabaseError(file);
  // Nothing to write: a command that only reads does not wait for whoever writes.
  if (version === "present") return null;
  if (file === ":memory:") {
    migrate(db, { migrationsFolder: folder });
    return { backup: null, removed: [] };
  }
  const lock = new Database(`${file}.lock`);
  try {
    lock.pragma(`busy_timeout = ${process.env.MISSTEP_LOCK_TIMEOUT ?? 60_000}`);
    lock.exec("BEGIN EXCLUSIVE");
    // Another process may have done it meanwhile.
    const done = versionOf(db.$client, folder) === "present" ? null : upgrade(db, folder, copy);
    lock.exec("COMMIT");
    return done;
  } catch (error) {
    if (isBusy(error)) throw new LockedDatabaseError(file);
    throw error;
  } finally {
    lock.close();
  }
}
