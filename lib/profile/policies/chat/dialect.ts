import type { ChatMessage, ChatReply, ToolOffer } from "@/lib/model/chat/types";
import type { Harness, Proposal } from "@/lib/profile/roles";
import type { Step } from "@/lib/trajectory/types";

/** How a policy writes its command: a native tool call, Qwen's XML in the text, or one fenced block (mini-SWE-agent). */
export const DIALECTS = ["tools", "qwen3_xml", "fenced"] as const;
export type DialectName = (typeof DIALECTS)[number];

/** What of a proposal is read from a reply. */
export type ReadReply = Pick<Proposal, "thinking" | "command" | "message" | "formatError" | "reply">;

/** One way to speak with a chat policy. */
export interface Dialect {
  readonly name: DialectName;
  readonly harness: Harness;
  /** Offered with every request; absent where the text says it all. */
  readonly tools?: ToolOffer[];
  /** A reply as a step. Never throws: what cannot be read has no command and a format error. */
  read(reply: ChatReply): ReadReply;
  /** A step that ran, or that held nothing to run, as the policy saw it; a correction is shown as its own. */
  say(step: Step, at: number): ChatMessage[];
}

/** Observation of a step as the policy saw it. */
export const observationOf = (step: Step): string => step.observations[0]?.content ?? "";

/** A prefix as a chat, thinking of earlier turns included. */
export function chatOf(dialect: Dialect, steps: readonly Step[]): ChatMessage[] {
  let turn = 0;
  return steps.flatMap((step): ChatMessage[] => {
    if (step.kind !== "agent") return [{ role: step.kind, content: step.message ?? "" }];
    if (step.note === "rejected") return [];
    return dialect.say(step, turn++);
  });
}

/** Thinking that a server left in the text, and the rest. Only a leading block is thinking. */
export function splitThinking(text: string): { thinking: string | null; rest: string } {
  const match = /^\s*(?:<think>)?([\s\S]*?)<\/think>\s*/.exec(text);
  if (!match || (!/^\s*<think>/.test(text) && match[1]?.includes("<think>"))) return { thinking: null, rest: text };
  return { thinking: (match[1] ?? "").trim(), rest: text.slice(match[0].length) };
}

/** Thinking given apart goes before thinking in the text. */
export function partsOf(reply: ChatReply): { thinking: string | null; text: string } {
  if (reply.thinking !== null) return { thinking: reply.thinking, text: reply.text };
  const { thinking, rest } = splitThinking(reply.text);
  return { thinking, text: rest };
}

/** Why a reply has no command. A reply that was cut is told apart: more tokens would have helped. */
export const noCommand = (reply: ChatReply, fault: string): string =>
  reply.finish === "length" ? "the reply was cut at the limit of tokens before it held a command" : fault;

export const severalCommands = (many: number): string => `${many} commands in one reply; only the first was run`;

/** No shell takes such a command; it is the policy's own doing, not a failure of the sandbox. */
export const hasNul = (command: string): boolean => command.includes("\0");
export const NUL_FAULT = "the command holds a NUL character, which no shell takes";
