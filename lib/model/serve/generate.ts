import type { Checkpoint } from "@/lib/model/policy/checkpoint";
import { readReply, STOP } from "@/lib/model/policy/turns";
import type { SampledToken, Sampler, TokenLogprob } from "@/lib/model/policy/types";
import { MARK, type Vocabulary } from "@/lib/model/policy/vocabulary";

/** How one choice is drawn. */
export interface Draw {
  key: string;
  prompt: readonly number[];
  maxTokens: number;
  temperature: number;
  topP: number;
  random: () => number;
  /** Texts before which the reply ends. */
  stop: readonly string[];
  /** Likeliest tokens reported at each place. */
  top: number;
}

/** Text that is certain, with the tokens drawn since the piece before. */
export interface Piece {
  text: string;
  tokens: SampledToken[];
}

/** A whole choice. */
export interface Choice {
  /** Text of the reply that is no command. */
  content: string;
  /** null: the reply makes no call. */
  command: string | null;
  finish: "stop" | "length" | "tool_calls";
  tokens: SampledToken[];
  /** What `onPiece` was not given: the end of the content and the tokens of the command. */
  rest: Piece;
}

/**
 * Draws one reply. Its thought is passed on as it becomes certain: a token of bytes waits for the end of its character, and
 * the beginning of a stop text for what follows. The command is only known when the reply has ended well-formed; a reply
 * that has not is all content, marks by name, so that no client runs half a command.
 */
export async function generate(
  sampler: Sampler,
  { vocabulary }: Pick<Checkpoint, "vocabulary">,
  draw: Draw,
  onPiece: (piece: Piece) => void = () => undefined,
): Promise<Choice> {
  const tokens: SampledToken[] = [];
  const passed = { text: 0, tokens: 0 };
  let cut: number | null = null;
  const ids = () => tokens.map((token) => token.id);
  const onToken = (token: SampledToken): boolean => {
    tokens.push(token);
    const seen = ids();
    const text = shown(vocabulary, seen);
    cut = firstOf(text, draw.stop);
    if (cut !== null) return true;
    if (!seen.some((id) => id === MARK.run || id === MARK.end) && !vocabulary.isByte(token.id)) {
      const safe = text.length - pending(text, draw.stop);
      if (safe > passed.text) {
        onPiece({ text: text.slice(passed.text, safe), tokens: tokens.slice(passed.tokens) });
        Object.assign(passed, { text: safe, tokens: tokens.length });
      }
    }
    return false;
  };
  const { key, prompt, maxTokens, temperature, topP, random, top } = draw;
  const request = { key, prompt, maxTokens, temperature, topP, random, top, onToken };
  // Given back at once: the choices of one answer may be more than there are slots.
  const sampled = await sampler.sample({ ...request, stop: STOP }).finally(() => sampler.release(key));
  const reply = readReply(vocabulary, sampled.ids);
  const command = cut === null ? reply.command : null;
  const whole = shown(vocabulary, sampled.ids);
  const content = cut !== null ? whole.slice(0, cut) : reply.formatError === null ? reply.thought : whole;
  const ended = cut !== null || sampled.finish === "stop";
  return {
    content,
    command,
    finish: command !== null ? "tool_calls" : ended ? "stop" : "length",
    tokens,
    rest: { text: content.slice(passed.text), tokens: tokens.slice(passed.tokens) },
  };
}

/** Text of tokens with marks by name; the mark at the end of a reply is not shown. */
function shown(vocabulary: Vocabulary, ids: readonly number[]): string {
  let text = "";
  let from = 0;
  for (const [i, id] of ids.entries()) {
    if (id > MARK.cut) continue;
    const ends = id === MARK.end && i === ids.length - 1;
    text += vocabulary.decode(ids.slice(from, i)) + (ends ? "" : vocabulary.show(id));
    from = i + 1;
  }
  return text + vocabulary.decode(ids.slice(from));
}

/** Where the first of some texts begins. */
function firstOf(text: string, stops: readonly string[]): number | null {
  const found = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return found.length === 0 ? null : Math.min(...found);
}

/** Length of the longest end of a text that could be the beginning of a stop text. */
function pending(text: string, stops: readonly string[]): number {
  let most = 0;
  for (const stop of stops) {
    for (let n = Math.min(stop.length - 1, text.length); n > most; n--) {
      if (text.endsWith(stop.slice(0, n))) most = n;
    }
  }
  return most;
}

/** A token in OpenAI's shape of log-probabilities. */
export function tokenLogprob(vocabulary: Vocabulary, { id, logprob }: TokenLogprob) {
  const byte = vocabulary.byteOf(id);
  const bytes = id <= MARK.cut ? null : byte === null ? [...Buffer.from(vocabulary.decode([id]))] : [byte];
  return { token: vocabulary.show(id), logprob, bytes };
}
