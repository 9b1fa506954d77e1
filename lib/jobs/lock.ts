import "server-only";
import path from "node:path";
import Database from "better-sqlite3";
import { home } from "@/db/home";

/**
 * The worker lock of a home: whoever holds it is the only one that runs jobs there. It is an exclusive transaction on
 * a side database, so a killed process releases it. Returns a release function, or null when somebody else has it.
 */
export function takeWorkerLock(waitMs = 0): (() => void) | null {
  const lock = new Database(path.join(home().root, "worker.lock"));
  lock.pragma(`busy_timeout = ${waitMs}`);
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY")) return null;
    throw error;
  }
  return () => lock.close();
}
