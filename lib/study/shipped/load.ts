import "server-only";
import fs from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { home } from "@/db/home";
import { OWN_DATASET } from "@/lib/environment/ownEnvironments";
import { takeWorkerLock } from "@/lib/jobs/lock";
import { BASE_CHECKPOINT } from "@/lib/model/policy/names";
import { ENTRIES, type Manifest, shippedArchive } from "./manifest";
import { unpackStudy } from "./unpack";

/** What an index that nobody has used yet may hold nothing of; a table that an earlier schema lacks holds nothing. */
const USED: [table: string, where?: string][] = [
  ["trajectory"],
  ["job"],
  ["person"],
  ["setting"],
  ["recipe"],
  ["price"],
  ["environment", `dataset <> '${OWN_DATASET}'`],
  ["checkpoint", `name <> '${BASE_CHECKPOINT}'`],
];

/** Whether the index of this home holds nothing that a person brought or made. Changes nothing. */
export function isUnused(database: string): boolean {
  if (!fs.existsSync(database)) return true;
  const db = new Database(database, { readonly: true });
  try {
    const tables = new Set(db.prepare("select name from sqlite_master where type = 'table'").pluck().all());
    return USED.every(
      ([table, where = "1"]) =>
        !tables.has(table) || !db.prepare(`select 1 from ${table} where ${where} limit 1`).get(),
    );
  } finally {
    db.close();
  }
}

const PREFIX = ".loading-";

const loading = (root: string): boolean => fs.readdirSync(root).some((name) => name.startsWith(PREFIX));
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The worker lock; while another process loads into this home it is waited for, when one runs there it is not. */
async function lockForLoading(root: string): Promise<(() => void) | null> {
  for (;;) {
    const release = takeWorkerLock();
    if (release || !loading(root)) return release;
    await sleep(200);
  }
}

/** Folders that killed loads left. Called under the worker lock: nobody else is loading. */
function sweep(root: string): void {
  for (const name of fs.readdirSync(root))
    if (name.startsWith(PREFIX)) fs.rmSync(path.join(root, name), { recursive: true, force: true });
}

/** Moves what is in `from` into `to`, folder by folder; what is there already stays. */
function moveInto(from: string, to: string): void {
  if (!fs.existsSync(from)) return;
  fs.mkdirSync(to, { recursive: true });
  for (const name of fs.readdirSync(from))
    if (!fs.existsSync(path.join(to, name))) fs.renameSync(path.join(from, name), path.join(to, name));
}

/**
 * Loads the study that ships with Misstep into this home, when there is one and the index is unused. Before anything opens
 * the index. Atomic: the index is moved into its place last, so a killed load is no load, and the next start does it again.
 * Returns what was loaded, or null.
 */
export async function loadShipped(archive: string = shippedArchive()): Promise<Manifest | null> {
  const { root, database } = home();
  if (!fs.existsSync(archive) || !isUnused(database)) return null;
  const release = await lockForLoading(root);
  if (!release) return null;
  try {
    if (!isUnused(database)) return null;
    sweep(root);
    const folder = fs.mkdtempSync(path.join(root, PREFIX));
    const manifest = await unpackStudy(archive, folder);
    moveInto(path.join(folder, "checkpoints"), path.join(root, "checkpoints"));
    moveInto(path.join(folder, "judges"), path.join(root, "judges"));
    for (const end of ["-wal", "-shm", "-journal"]) fs.rmSync(`${database}${end}`, { force: true });
    fs.renameSync(path.join(folder, ENTRIES.database), database);
    return manifest;
  } finally {
    sweep(root);
    release();
  }
}
