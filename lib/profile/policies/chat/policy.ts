import { z } from "zod";
import { CallFailure, type ChatMessage, type ChatModel, type ChatReply, THINKING_LEVELS } from "@/lib/model/chat/types";
import { type Policy, type PolicySession, type Prefix, type Proposal, RoleFailure } from "@/lib/profile/roles";
import { chatOf, DIALECTS, type Dialect, type DialectName } from "./dialect";
import { fencedDialect, qwenDialect } from "./text";
import { toolsDialect } from "./tools";

const BY_NAME: Record<DialectName, Dialect> = { tools: toolsDialect, qwen3_xml: qwenDialect, fenced: fencedDialect };
export const dialectNamed = (name: DialectName): Dialect => BY_NAME[name];

/** Tokens of a whole chat when nothing says less (recipe 2). */
export const DEFAULT_CONTEXT_TOKENS = 65_536;

/** Options of a chat policy. Limits are those of recipe 2. */
export const chatOptions = z.object({
  /** Name in the model settings. */
  model: z.string().min(1),
  dialect: z.enum(DIALECTS).default("tools"),
  /** Tokens of one reply at most. */
  turnTokens: z.number().int().min(1).default(16_384),
  /** Tokens of the whole chat at most: the rollout ends as "context" when they are used up. */
  contextTokens: z.number().int().min(1).default(DEFAULT_CONTEXT_TOKENS),
  thinking: z.enum(THINKING_LEVELS).default("default"),
});
export type ChatOptions = z.infer<typeof chatOptions>;

export interface ChatPolicySettings extends ChatOptions {
  temperature: number;
  topP: number;
  signal?: AbortSignal;
}

/** What servers say when a chat is longer than they take. */
const TOO_LONG =
  /context[_ -]?length|context window|maximum context|max(?:imum)?[_ ]model[_ ]len|(?:prompt|input|request) (?:is )?too (?:long|large)|too many (?:input )?tokens|exceeds? the (?:maximum|limit|context)|the context of/i;
const isTooLong = (error: CallFailure): boolean =>
  error.status !== null && [400, 413, 422].includes(error.status) && TOO_LONG.test(error.message);

/** A reply asks for at least this much; less room is no room. */
const LEAST_TOKENS = 64;
/** Characters a token has at least: an estimate on the safe side, for what the server has not counted yet. */
const CHARACTERS = 3;

const lengthOf = (messages: readonly ChatMessage[]): number =>
  messages.reduce(
    (n, m) =>
      n +
      m.content.length +
      (m.role === "assistant"
        ? (m.thinking?.length ?? 0) + (m.calls ?? []).reduce((c, call) => c + call.arguments.length, 0)
        : 0),
    0,
  );

/** A 31-bit number from a seed and a place. */
const seedAt = (seed: number, turn: number): number => (Math.trunc(seed % 2_147_483_647) + turn * 7919) % 2_147_483_647;

/** A chat model as the policy under study, with the bash tool in one of the dialects (recipe 2). */
export class ChatPolicy implements Policy {
  readonly name: string;
  readonly harness;
  private readonly dialect: Dialect;

  constructor(
    readonly checkpointId: number,
    name: string,
    private readonly model: ChatModel,
    private readonly settings: ChatPolicySettings,
  ) {
    this.name = name;
    this.dialect = dialectNamed(settings.dialect);
    this.harness = this.dialect.harness;
  }

  open({ environment, number, seed }: Parameters<Policy["open"]>[0]): PolicySession {
    /** Tokens of the chat as the server counted them after the last reply, and how long it was then. */
    let counted: { tokens: number; characters: number } | null = null;
    let turn = 0;
    return {
      propose: async (prefix: Prefix) => {
        const messages = chatOf(this.dialect, prefix.steps);
        const characters = lengthOf(messages);
        const { turnTokens, contextTokens } = this.settings;
        if (counted && counted.tokens >= contextTokens) return "context";
        const fresh = Math.ceil(Math.max(0, characters - (counted?.characters ?? 0)) / CHARACTERS);
        const room = contextTokens - (counted?.tokens ?? 0) - fresh;
        turn++;
        const subject = `${environment.name}/${number} step ${turn}`;
        const asked = await this.ask(
          messages,
          Math.max(LEAST_TOKENS, Math.min(turnTokens, room)),
          seedAt(seed, turn),
          subject,
        );
        if (asked === "context") {
          if (turn === 1) throw new RoleFailure("failed", "the task alone is longer than the server takes");
          return "context";
        }
        const { usage } = asked;
        const read = this.dialect.read(asked);
        counted =
          usage.input === null || usage.output === null
            ? null
            : {
                tokens: usage.input + usage.output,
                characters: characters + asked.text.length + (asked.thinking?.length ?? 0),
              };
        return this.proposal(asked, read);
      },
      close: () => undefined,
    };
  }

  private proposal(reply: ChatReply, read: ReturnType<Dialect["read"]>): Proposal {
    const { input, output, cached, reasoning } = reply.usage;
    return {
      ...read,
      usage: {
        promptTokens: input,
        completionTokens: output,
        cachedTokens: cached,
        reasoningTokens: reasoning,
        costUsd: null,
      },
      callId: reply.callId,
    };
  }

  private async ask(
    messages: ChatMessage[],
    maxOutputTokens: number,
    seed: number,
    subject: string,
  ): Promise<ChatReply | "context"> {
    const { temperature, topP, thinking, signal } = this.settings;
    try {
      return await this.model.chat(
        { messages, tools: this.dialect.tools, temperature, topP, maxOutputTokens, thinking, seed },
        { role: "policy", promptVersion: null, subject, cache: false, signal },
      );
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (isTooLong(error)) return "context";
      throw new RoleFailure("failed", error.message, null, error.callId);
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
