import "server-only";
import crypto from "node:crypto";
import type { Db } from "@/db/client";

/** Tables that hold what was imported and found, with the columns that say when and by which run left out. */
const CONTENT: [table: string, leftOut: string[]][] = [
  ["environment", ["created_at"]],
  ["checkpoint", ["created_at"]],
  ["trajectory", ["created_at", "job_id"]],
  ["trajectory_detail", []],
  ["step", []],
  ["chunk", []],
  ["localizer", ["created_at"]],
  ["error_step", ["created_at"]],
  ["localization", ["created_at"]],
  ["label", ["created_at"]],
  ["trajectory_type", []],
  ["type_count", []],
  ["corpus_count", []],
  ["import_file", ["created_at", "id", "job_id"]],
];

/** One hash a table over its rows in order: two indices with the same content give the same. */
export function contentHashes(db: Db): Record<string, string> {
  const hashes: Record<string, string> = {};
  for (const [table, leftOut] of CONTENT) {
    const columns = (db.$client.pragma(`table_info(${table})`) as { name: string }[])
      .map((c) => c.name)
      .filter((c) => !leftOut.includes(c));
    const hash = crypto.createHash("sha256");
    for (const row of db.$client
      .prepare(`select ${columns.join(", ")} from ${table} order by ${columns.join(", ")}`)
      .raw()
      .iterate()) {
      for (const value of row as unknown[]) {
        hash.update(Buffer.isBuffer(value) ? value : `${typeof value}:${String(value)}`).update("\0");
      }
    }
    hashes[table] = hash.digest("hex");
  }
  return hashes;
}
