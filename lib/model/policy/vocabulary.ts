import { z } from "zod";
import { bytesOf, piecesOf, textOfBytes } from "./pieces";

/** Tokens that stand for no text. Their ids are their places. */
const MARKS = ["<pad>", "<task>", "<think>", "<run>", "<end>", "<ok>", "<fail>", "<cut>"] as const;

/** Ids of the marks of a rollout: see turns.ts. */
export const MARK = { pad: 0, task: 1, think: 2, run: 3, end: 4, ok: 5, fail: 6, cut: 7 } as const;

const FIRST_BYTE = MARKS.length;
const FIRST_WORD = FIRST_BYTE + 256;

export const vocabularySchema = z.object({
  version: z.literal(1),
  words: z.array(z.string().min(1)),
  /** Pairs of words or pieces that become one word, the first merged first. */
  merges: z.array(z.tuple([z.string().min(1), z.string().min(1)])),
});

type Pair = readonly [string, string];

/**
 * The closed vocabulary of the embedded policy: marks, 256 bytes, words, and pairs of them that often
 * come together. A piece that is no word is written in bytes, so that any text can be encoded and comes back the same.
 */
export class Vocabulary {
  private readonly ids: Map<string, number>;
  private readonly ranks: Map<string, number>;
  private readonly texts: string[];
  readonly size: number;

  constructor(
    readonly words: readonly string[],
    readonly merges: readonly Pair[] = [],
  ) {
    this.texts = [...words, ...merges.map((pair) => pair.join(""))];
    this.ids = new Map(this.texts.map((text, i) => [text, FIRST_WORD + i]));
    if (this.ids.size !== this.texts.length) throw new Error("a vocabulary names the same word twice");
    this.ranks = new Map(merges.map((pair, i) => [pair.join("\0"), i]));
    this.size = FIRST_WORD + this.texts.length;
  }

  static parse(json: unknown): Vocabulary {
    const { words, merges } = vocabularySchema.parse(json);
    return new Vocabulary(words, merges);
  }

  toJSON(): z.infer<typeof vocabularySchema> {
    return { version: 1, words: [...this.words], merges: this.merges.map(([a, b]) => [a, b]) };
  }

  encode(text: string): number[] {
    return joinPairs(piecesOf(text), this.ranks).flatMap((piece) => this.idsOf(piece));
  }

  private idsOf(piece: string): number[] {
    const id = this.ids.get(piece);
    if (id !== undefined) return [id];
    const bare = piece.length > 1 && piece.startsWith(" ") ? this.ids.get(piece.slice(1)) : undefined;
    if (bare !== undefined) return [FIRST_BYTE + 0x20, bare];
    return bytesOf(piece).map((byte) => FIRST_BYTE + byte);
  }

  /** Marks give no text. */
  decode(ids: readonly number[]): string {
    let text = "";
    let bytes: number[] = [];
    for (const id of ids) {
      if (id >= FIRST_BYTE && id < FIRST_WORD) {
        bytes.push(id - FIRST_BYTE);
        continue;
      }
      text += textOfBytes(bytes);
      bytes = [];
      text += this.texts[id - FIRST_WORD] ?? "";
    }
    return text + textOfBytes(bytes);
  }

  /** A token for people: its text, the name of a mark, or a byte. */
  show(id: number): string {
    if (id < FIRST_BYTE) return MARKS[id] ?? `<${id}>`;
    if (id >= FIRST_WORD) return this.texts[id - FIRST_WORD] ?? `<${id}>`;
    const byte = id - FIRST_BYTE;
    return byte < 0x80 ? String.fromCharCode(byte) : `<0x${byte.toString(16)}>`;
  }

  /** The byte of a token that is one; null for words and marks. */
  byteOf(id: number): number | null {
    return this.isByte(id) ? id - FIRST_BYTE : null;
  }

  /** Whether a token is a byte of a piece that is no word. */
  isByte(id: number): boolean {
    return id >= FIRST_BYTE && id < FIRST_WORD;
  }
}

/** Joins neighbours that are a pair, the pair of the lowest rank first, until none is left. */
export function joinPairs(pieces: readonly string[], ranks: ReadonlyMap<string, number>): string[] {
  let now = [...pieces];
  for (;;) {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i + 1 < now.length; i++) best = Math.min(best, ranks.get(`${now[i]}\0${now[i + 1]}`) ?? best);
    if (best === Number.POSITIVE_INFINITY) return now;
    const next: string[] = [];
    for (let i = 0; i < now.length; i++) {
      const piece = now[i] ?? "";
      if (i + 1 < now.length && ranks.get(`${piece}\0${now[i + 1]}`) === best) next.push(piece + now[++i]);
      else next.push(piece);
    }
    now = next;
  }
}
