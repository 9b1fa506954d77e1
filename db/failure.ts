import "server-only";
import { indexFile } from "./home";

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** What to do about failures of the machine, by the beginning of the error's code. */
const REMEDIES: [code: string, sentence: string][] = [
  [
    "SQLITE_FULL",
    "The disk is full. Free some space, or set MISSTEP_HOME to another disk; then run or retry it again.",
  ],
  [
    "ENOSPC",
    "The disk is full. Free some space, or write to another disk (MISSTEP_HOME is where the index is); then run or retry it again.",
  ],
  [
    "SQLITE_BUSY",
    "Another process holds the index for itself. Stop it (a copy, a backup, a database browser), then try again.",
  ],
  [
    "SQLITE_NOTADB",
    "The index is damaged. Restore a backup: misstep restore FILE (backups lie in backups/ of MISSTEP_HOME).",
  ],
  [
    "SQLITE_CORRUPT",
    "The index is damaged. Restore a backup: misstep restore FILE (backups lie in backups/ of MISSTEP_HOME).",
  ],
  ["SQLITE_READONLY", "The index may not be written. Check the owner and the rights of MISSTEP_HOME."],
  ["SQLITE_CANTOPEN", "Check the owner and the rights of the folder, and that the disk is there."],
  ["SQLITE_IOERR", "The disk did not read or write. Check that it is there and healthy."],
  ["EMFILE", "Too many files are open. Raise the limit (ulimit -n)."],
];

const remedy = (error: unknown): string | undefined => {
  const code = codeOf(error);
  return REMEDIES.find(([start]) => code.startsWith(start))?.[1];
};

/** The machine failed (disk, lock, rights), not what was being worked on: going on with the next item makes no sense. */
export const isMachineFailure = (error: unknown): boolean => remedy(error) !== undefined;

/** An error in words for people: what happened, and for failures of the machine where and what to do. */
export function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const fix = remedy(error);
  if (fix === undefined) return message;
  // SQLite does not say which file it could not work with.
  const where = codeOf(error).startsWith("SQLITE") ? ` (${indexFile()})` : "";
  return `${message}${where}. ${fix}`;
}
