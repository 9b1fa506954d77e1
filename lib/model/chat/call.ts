import "server-only";
import { createHash } from "node:crypto";
import type { Db } from "@/db/client";
import type { WireReply } from "./ask";
import { type Reservation, reserve } from "./budget";
import { type Environment, keyOf, redactor } from "./keys";
import { cachedReply, type EndedCall, type FailedTry, writeCall } from "./ledger";
import { lineOf } from "./limits";
import { priceAt } from "./price";
import { type Fault, faultOf, LONGEST_ASKED_MS, waitBefore } from "./retry";
import { type Budget, type Endpoint, type Model, SettingsError } from "./settings";
import { UNKNOWN_USAGE } from "./tokens";
import { CallFailure, type CallPurpose, type ChatReply, type ChatRequest } from "./types";
import { emptyExchange, noting, replaying } from "./wire";

/** What all calls of one `openModels` share. */
export interface CallContext {
  db: Db;
  jobId: number | null;
  budget: Budget;
  signal: AbortSignal | undefined;
  env: Environment;
  keysFile: string | undefined;
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  random: () => number;
}

/** Loaded with the first call: the SDK is large, and most commands call no model. */
const loadAsk = async () => (await import("./ask")).ask;

interface Place {
  endpoint: Endpoint;
  model: Model;
}

/** Everything that decides the reply, as text: key of the cache and blob of the ledger. */
function wholeRequest({ endpoint, model }: Place, request: ChatRequest): string {
  return JSON.stringify({
    kind: endpoint.kind,
    baseUrl: endpoint.baseUrl,
    model: model.id,
    ...(model.thinkingBy ? { thinkingBy: model.thinkingBy } : {}),
    request,
  });
}

/** One call with its retries: one row of the ledger. The contract is ChatModel.chat. */
export async function call(
  context: CallContext,
  place: Place,
  asked: ChatRequest,
  purpose: CallPurpose,
): Promise<ChatReply> {
  const { db } = context;
  const { endpoint, model } = place;
  const stop = joined([context.signal, purpose.signal]);
  try {
    stop.signal.throwIfAborted();
    const request: ChatRequest = {
      ...asked,
      thinking: asked.thinking ?? model.thinking ?? "default",
      maxOutputTokens: asked.maxOutputTokens ?? model.maxOutputTokens,
    };
    const startedAt = Date.now();
    const row = {
      model: model.name,
      endpoint: endpoint.name,
      purpose,
      jobId: context.jobId,
      tries: [],
      error: null,
      finish: null,
      warnings: [],
      request: wholeRequest(place, request),
      reply: null,
      fromCache: false,
      usage: UNKNOWN_USAGE,
      startedAt,
    } satisfies Partial<EndedCall>;

    const fresh = async () => {
      const priced = priceAt(db, model.name, startedAt) !== null;
      const reservation =
        context.jobId === null ? null : reserve(db, context.jobId, context.budget, { name: model.name, priced });
      try {
        return await tryUntilDone(context, place, request, row, reservation, stop.signal);
      } finally {
        reservation?.done();
      }
    };

    if (purpose.cache === true && purpose.role !== "policy") {
      const hash = createHash("sha256").update(row.request, "utf8").digest("hex");
      const raw = cachedReply(db, model.name, hash);
      if (raw !== null) {
        const ask = await loadAsk();
        // Stored by another version of the SDK it may not read any more: then the model is asked.
        const reply = await ask({ ...place, key: null }, request, replaying(raw)).catch(() => null);
        if (reply === null) return await fresh();
        const usage = { input: 0, cached: 0, output: 0, reasoning: 0 };
        const { id } = writeCall(db, {
          ...row,
          status: "done",
          finish: reply.finish,
          reply: raw,
          fromCache: true,
          usage,
          durationMs: Date.now() - startedAt,
        });
        return toReply(reply, usage, id, true);
      }
    }

    return await fresh();
  } finally {
    stop.release();
  }
}

type Begun = Omit<EndedCall, "status" | "durationMs">;

async function tryUntilDone(
  context: CallContext,
  { endpoint, model }: Place,
  request: ChatRequest,
  begun: Begun,
  reservation: Reservation | null,
  signal: AbortSignal,
): Promise<ChatReply> {
  const tries: FailedTry[] = [];
  let redact = (text: string) => text;
  const end = (ended: Pick<EndedCall, "status"> & Partial<EndedCall>) => {
    const row: EndedCall = { ...begun, tries, durationMs: Date.now() - begun.startedAt, ...ended };
    const written = writeCall(context.db, { ...row, request: redact(row.request) });
    reservation?.used(row, written.cost, written.usdRate);
    return written.id;
  };
  const fail = (fault: Pick<Fault, "status" | "message">, reply: string | null, cause: unknown): never => {
    const id = end({ status: "failed", error: fault.message, reply });
    throw new CallFailure(`${endpoint.name}, ${model.name}: ${fault.message}`, fault.status, id, { cause });
  };

  let key: string | null;
  try {
    key = keyOf(endpoint, context.env, context.keysFile);
  } catch (error) {
    if (error instanceof SettingsError) return fail({ status: null, message: error.message }, null, error);
    throw error;
  }
  redact = redactor(key, endpoint.name);

  const ask = await loadAsk();
  for (;;) {
    const at = Date.now();
    const exchange = emptyExchange();
    const tried = await once(endpoint, tries.length, signal, (until) =>
      ask({ endpoint, model, key }, request, noting(exchange, redact), until),
    ).catch((error: unknown) => {
      // Stopped by the caller. What was sent may have cost something, so it is in the ledger.
      if (exchange.url !== null || tries.length > 0)
        end({ status: "failed", error: "stopped before an answer came", reply: exchange.body });
      throw error;
    });
    if ("reply" in tried) {
      const { reply } = tried;
      const id = end({
        status: "done",
        finish: reply.finish,
        warnings: reply.warnings,
        reply: exchange.body,
        usage: reply.usage,
      });
      return toReply(reply, reply.usage, id, false);
    }
    const fault = faultOf(tried.error, exchange, {
      ...tried,
      timeoutSeconds: endpoint.timeoutSeconds,
      now: Date.now(),
      redact,
    });
    const made = tries.length + 1;
    if (!fault.again) fail(fault, exchange.body, tried.error);
    if (fault.askedWaitMs !== null && fault.askedWaitMs > LONGEST_ASKED_MS)
      fail(
        { ...fault, message: `${fault.message}; the server asks to wait ${Math.round(fault.askedWaitMs / 1000)} s` },
        exchange.body,
        tried.error,
      );
    if (made >= endpoint.tries)
      fail(
        { ...fault, message: made > 1 ? `${fault.message} (${made} tries)` : fault.message },
        exchange.body,
        tried.error,
      );
    const waitedMs = waitBefore(made, fault.askedWaitMs, context.random);
    tries.push({ at, status: fault.status, error: fault.message, waitedMs });
    try {
      await context.sleep(waitedMs, signal);
    } catch (error) {
      end({ status: "failed", error: "stopped while waiting for the next try", reply: exchange.body });
      throw signal.aborted ? signal.reason : error;
    }
  }
}

type Tried = { reply: WireReply } | { error: unknown; timedOut: boolean };

/** One try in the endpoint's line, ended by its timeout. Rejects only with the caller's own reason to stop. */
async function once(
  endpoint: Endpoint,
  priority: number,
  signal: AbortSignal,
  run: (until: AbortSignal) => Promise<WireReply>,
): Promise<Tried> {
  const task = async (): Promise<Tried> => {
    const until = joined([signal]);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      until.abort(new Error("timeout"));
    }, endpoint.timeoutSeconds * 1000);
    try {
      return { reply: await run(until.signal) };
    } catch (error) {
      return { error, timedOut };
    } finally {
      clearTimeout(timer);
      until.release();
    }
  };
  try {
    // Calls that were tried before go first: they have waited already.
    const tried = await lineOf(endpoint).add(task, { signal, priority });
    if ("error" in tried) signal.throwIfAborted();
    return tried;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/**
 * A signal that follows others until it is released. AbortSignal.any would stay tied to a job's signal for as long as the
 * job runs.
 */
function joined(signals: (AbortSignal | undefined)[]) {
  const controller = new AbortController();
  const given = signals.filter((signal) => signal !== undefined);
  const off = given.map((signal) => {
    const follow = () => controller.abort(signal.reason);
    if (signal.aborted) follow();
    else signal.addEventListener("abort", follow, { once: true });
    return () => signal.removeEventListener("abort", follow);
  });
  return {
    signal: controller.signal,
    abort: (reason: unknown) => controller.abort(reason),
    release: () => {
      for (const remove of off) remove();
    },
  };
}

const toReply = (
  { text, thinking, calls, finish }: WireReply,
  usage: ChatReply["usage"],
  callId: number,
  fromCache: boolean,
): ChatReply => ({ text, thinking, calls, finish, usage, callId, fromCache });
