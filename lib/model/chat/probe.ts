import "server-only";
import { getBlob } from "@/db/blobs";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { openModels } from "./open";
import type { ModelSettings } from "./settings";
import { CallFailure, type CallUsage, type ModelName } from "./types";

/** What a model said to the test of its connection, or why it said nothing. Never made up. */
export type Probe =
  | {
      ok: true;
      text: string;
      thinking: string | null;
      finish: string;
      usage: CallUsage;
      durationMs: number;
      callId: number;
    }
  | {
      ok: false;
      error: string;
      status: number | null;
      reply: string | null;
      durationMs: number;
      callId: number | null;
    };

const VERSION = "probe-1";
const LONGEST_S = 60;
const REPLY_SHOWN = 4000;

/** Asks a model one small question, once, without the cache: the call is in the ledger like any other. Throws SettingsError. */
export async function probe(db: Db, settings: ModelSettings, name: ModelName): Promise<Probe> {
  // A person waits for the answer: one try, and not for long.
  const endpoints = settings.endpoints.map((endpoint) => ({
    ...endpoint,
    tries: 1,
    timeoutSeconds: Math.min(endpoint.timeoutSeconds, LONGEST_S),
  }));
  const model = openModels(db, { settings: { ...settings, endpoints } }).model(name);
  const began = Date.now();
  try {
    const reply = await model.chat(
      {
        messages: [{ role: "user", content: "This is a test of the connection. Answer with one short sentence." }],
        temperature: 0.7,
      },
      { role: "probe", promptVersion: VERSION, subject: "test of the connection" },
    );
    const { text, thinking, finish, usage, callId } = reply;
    return { ok: true, text, thinking, finish, usage, callId, durationMs: Date.now() - began };
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    const { status, callId, message } = error;
    const row =
      callId === null
        ? undefined
        : (statement(db, "select reply_hash as hash from usage where id = ?").get(callId) as { hash: string | null });
    const reply = row?.hash ? getBlob(db, row.hash).toString("utf8").slice(0, REPLY_SHOWN) : null;
    return { ok: false, error: message, status, reply, callId, durationMs: Date.now() - began };
  }
}
