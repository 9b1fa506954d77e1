import "server-only";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { closeDb, type Db } from "./client";
import { home, projectRoot } from "./home";
import { versionOf } from "./migrate";

/** Copies the index to `file` page by page while others read and write. The target appears only when it is complete. */
export async function backupIndex(db: Db, file: string): Promise<void> {
  const partial = `${file}.${crypto.randomUUID()}.partial`;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  try {
    await db.$client.backup(partial);
    const copy = new Database(partial);
    // One self-contained file: no -wal beside a backup.
    copy.pragma("journal_mode = DELETE");
    copy.close();
    fs.renameSync(partial, file);
  } catch (error) {
    for (const end of ["", "-wal", "-shm", "-journal"]) fs.rmSync(`${partial}${end}`, { force: true });
    throw error;
  }
}

/** Why a file cannot be restored, or null. */
function problem(file: string): string | null {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    const check = db.pragma("quick_check", { simple: true });
    if (check !== "ok") return `it is damaged: ${String(check)}`;
    const table = db.prepare("select 1 from sqlite_master where type = 'table' and name = 'trajectory'").get();
    if (!table) return "it is a database, but not one of Misstep";
    return versionOf(db, path.join(projectRoot(), "db/migrations")) === "newer"
      ? "a newer version of Misstep wrote it; restore it with that version"
      : null;
  } catch (error) {
    return `it is no readable database: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    db?.close();
  }
}

/** One file out of the present index and its -wal, where it can be read: a damaged one is what a restore is for. */
function settle(database: string): void {
  let present: Database.Database | undefined;
  try {
    present = new Database(database);
    present.pragma("wal_checkpoint(TRUNCATE)");
    present.pragma("journal_mode = DELETE");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!code.startsWith("SQLITE_NOTADB") && !code.startsWith("SQLITE_CORRUPT")) throw error;
  } finally {
    present?.close();
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
  try {
    fs.copyFileSync(file, incoming);
    if (!fs.existsSync(database)) {
      fs.renameSync(incoming, database);
      return null;
    }
    settle(database);
    const kept = path.join(backups, `before-restore-${new Date().toISOString().replace(/[:.]/g, "-")}.db`);
    // What a damaged index left beside itself goes with it: it must not be taken for the restored one's.
    for (const end of ["", "-wal", "-shm", "-journal"])
      if (fs.existsSync(`${database}${end}`)) fs.renameSync(`${database}${end}`, `${kept}${end}`);
    fs.renameSync(incoming, database);
    return kept;
  } catch (error) {
    fs.rmSync(incoming, { force: true });
    throw error;
  }
}
