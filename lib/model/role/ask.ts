import {
  CallFailure,
  type ChatMessage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  type Thinking,
} from "@/lib/model/chat/types";
import type { Recorder } from "./record";
import { type Answer, type ModelRole, type Parsed, RoleFailure } from "./types";

/** How a role is asked. */
export interface AskOptions {
  /** 0.7 for all roles of the paper but the policy (recipe 11). */
  temperature: number;
  topP?: number;
  thinking?: Thinking;
  maxOutputTokens?: number;
  seed?: number;
  /** What the call is about, for the ledger: "trajectory 12 step 3". */
  subject: string | null;
  signal?: AbortSignal;
  /** Replies may come from the cache. */
  cache?: boolean;
  /** Writes how each reply was read to its ledger row; without it nobody does. */
  record?: Recorder;
}

const CUT = "the reply was cut at the limit of output tokens";

/** What a reply says. One that was cut says nothing: what came before the cut may be a draft. */
const read = <I, O>(role: ModelRole<I, O>, reply: ChatReply, input: I): Parsed<O> =>
  reply.finish === "length" ? { ok: false, reason: CUT } : role.parse(reply.text, input);

const again = (messages: ChatMessage[], reply: ChatReply, reason: string): ChatMessage[] => [
  ...messages,
  { role: "assistant", content: reply.text.trim() === "" ? "(no text)" : reply.text },
  {
    role: "user",
    content: `This reply could not be used: ${reason}. Answer the same question again, whole, in exactly the form that was asked for.`,
  },
];

/**
 * Asks a model to play a role: one call, and a second one that says what was wrong when the reply cannot be read. Rejects
 * with RoleFailure: `failed` when a call failed (its retries are the model's), `unparsed` after a second unreadable
 * reply. BudgetReached and aborts pass through.
 */
export async function askRole<I, O>(
  model: ChatModel,
  role: ModelRole<I, O>,
  input: I,
  options: AskOptions,
): Promise<Answer<O>> {
  const { subject, signal, cache, record, ...sampling } = options;
  const purpose = { role: role.role, promptVersion: role.version, subject, cache, signal };
  let messages = role.messages(input);
  let earlier: { reply: ChatReply; reason: string } | null = null;
  for (;;) {
    const reply: ChatReply = await call(model, { ...sampling, messages }, purpose, earlier);
    const parsed = read(role, reply, input);
    if (parsed.ok) {
      record?.(reply.callId, parsed.repairs.length > 0 ? "repaired" : "parsed", parsed.repairs);
      return { output: parsed.output, repairs: parsed.repairs, reply: reply.text, callId: reply.callId };
    }
    record?.(reply.callId, "unparsed", [parsed.reason]);
    if (earlier) throw new RoleFailure("unparsed", parsed.reason, reply.text, reply.callId);
    earlier = { reply, reason: parsed.reason };
    messages = again(messages, reply, parsed.reason);
  }
}

async function call(
  model: ChatModel,
  request: ChatRequest,
  purpose: Parameters<ChatModel["chat"]>[1],
  earlier: { reply: ChatReply; reason: string } | null,
): Promise<ChatReply> {
  try {
    return await model.chat(request, purpose);
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    const before = earlier ? `asked again as ${earlier.reason}: ` : "";
    throw new RoleFailure("failed", before + error.message, earlier?.reply.text ?? null, error.callId);
  }
}
