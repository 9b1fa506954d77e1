import "server-only";
import type { Db } from "@/db/client";
import { type Reading, recordReading } from "@/lib/model/chat/ledger";

/** Takes down how the reply of a call was read. `notes`: what was mended, or why it could not be read. */
export type Recorder = (callId: number, reading: Reading, notes: readonly string[]) => void;

/** A recorder that writes to this index. */
export const recorderOf =
  (db: Db): Recorder =>
  (callId, reading, notes) =>
    recordReading(db, callId, reading, notes);
