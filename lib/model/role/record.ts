import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";

/** How a reply was read. */
export type Reading = "parsed" | "repaired" | "unparsed";

/** Takes down how the reply of a call was read. `notes`: what was mended, or why it could not be read. */
export type Recorder = (callId: number, reading: Reading, notes: readonly string[]) => void;

/** Writes the reading of a reply to the ledger row of its call. */
export const recordReading = (db: Db, callId: number, reading: Reading, notes: readonly string[]): void => {
  statement(db, "update usage set reading = ?, repairs = ? where id = ?").run(reading, JSON.stringify(notes), callId);
};

/** A recorder that writes to this index. */
export const recorderOf =
  (db: Db): Recorder =>
  (callId, reading, notes) =>
    recordReading(db, callId, reading, notes);
