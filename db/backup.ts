import "server-only";
import fs from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { closeDb, type Db } from "./client";
import { home } from "./home";

/** Copies the index to `file` page by page while others read and write. The target appears only when it is complete. */
export async function backupIndex(db: Db, file: string): Promise<void> {
  const partial = `${file}.partial`;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  await db.$client.backup(partial);
  const copy = new Database(partial);
  // One self-contained file: no -wal beside a backup.
  copy.pragma("journal_mode = DELETE");
  copy.close();
  fs.renameSync(partial, file);
}

/** Why a file cannot be restored, or null. */
function problem(file: string): string | null {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    const check = db.pragma("quick_check", { simple: true });
    if (check !== "ok") return `it is damaged: ${String(check)}`;
    const table = db.prepare("select 1 from sqlite_master where type = 'table' and name = 'trajectory'").get();
    return table ? null : "it is a database, but not one of Misstep";
  } catch (error) {
    return `it is no readable database: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    db?.close();
  }
}

/**
 * Puts a backup in place of the index. The present index is moved into the backups folder first and its path returned
 * (null when there was none). The caller makes sure that nothing else runs on this home.
 */
export function restoreIndex(file: string): string | null {
  const why = problem(file);
  if (why) throw new Error(`${file} was not restored: ${why}. The present index is untouched.`);
  closeDb();
  const { database, backups } = home();
  const incoming = `${database}.incoming`;
  fs.copyFileSync(file, incoming);
  let kept: string | null = null;
  if (fs.existsSync(database)) {
    const present = new Database(database);
    present.pragma("wal_checkpoint(TRUNCATE)");
    present.pragma("journal_mode = DELETE");
    present.close();
    kept = path.join(backups, `before-restore-${new Date().toISOString().replace(/[:.]/g, "-")}.db`);
    fs.renameSync(database, kept);
  }
  fs.renameSync(incoming, database);
  return kept;
}
