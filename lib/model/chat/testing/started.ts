/** What tests of model calls share: a scripted server with models in front of it, and the rows that calls leave. */
import { afterEach, expect } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { type Models, type OpenModelsOptions, openModels } from "@/lib/model/chat/open";
import { CallFailure, type CallPurpose, type ChatModel, type ChatRequest } from "@/lib/model/chat/types";
import { noSleep, type OpenAiBody, openAiServer, settingsFor } from "./openai";
import type { ScriptedOptions, ScriptedServer } from "./server";

const servers: ScriptedServer<OpenAiBody>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    expect(server.refused).toEqual([]);
    await server.close();
  }
});

export const ASK: ChatRequest = { messages: [{ role: "user", content: "say it" }], temperature: 0.7 };
export const FOR: CallPurpose = { role: "localizer", promptVersion: "p1", subject: "trajectory 1 step 2" };

/** A row of `usage`, as far as tests look. */
export interface Row {
  id: number;
  status: string;
  tries: string;
  error: string | null;
  repairs: string;
  request_hash: string;
  reply_hash: string | null;
  input_tokens: number | null;
  cached_tokens: number | null;
  output_tokens: number | null;
  reasoning_tokens: number | null;
  from_cache: number;
  price_id: number | null;
  cost_nano: number | null;
}
export const rows = (db: Db) => db.$client.prepare<[], Row>("select * from usage order by id").all();

export interface Started {
  server: ScriptedServer<OpenAiBody>;
  db: Db;
  /** What was slept between tries, in milliseconds; nothing was. */
  waits: number[];
  models: Models;
  model: ChatModel;
}

/** A scripted server and models that call it without sleeping, with chance always in the middle. */
export async function start(
  options: ScriptedOptions<OpenAiBody> = {},
  more: { endpoint?: Record<string, unknown>; model?: Record<string, unknown>; open?: OpenModelsOptions } = {},
): Promise<Started> {
  const server = await openAiServer(options);
  servers.push(server);
  const db = openMemoryDb();
  const waits: number[] = [];
  const models = openModels(db, {
    settings: settingsFor(server, more.endpoint, more.model),
    env: {},
    keysFile: "/nonexistent/keys.json",
    random: () => 0.5,
    sleep: (ms, signal) => {
      waits.push(ms);
      return noSleep(ms, signal);
    },
    ...more.open,
  });
  return { server, db, waits, models, model: models.model("test") };
}

/** Status and message of a call that fails; a test fails when it does not. */
export async function failure(
  chat: Promise<unknown>,
): Promise<{ status: number | null; message: string; callId: number | null }> {
  const error = await chat.then(
    () => new Error("the call did not fail"),
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(CallFailure);
  const { status, message, callId } = error as CallFailure;
  return { status, message, callId };
}
