/** Deepest nesting of arrays and objects that is read. */
export const MAX_NESTING = 1000;

export interface Scan {
  /** UTF-16 offsets of bare NaN, Infinity and -Infinity, which JSON does not have but Python writes. */
  special: [start: number, end: number][];
  error: { offset: number; reason: string } | null;
}

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /-?Infinity|NaN|true|false|null/y;
/** Plain characters of a string; bounded so that the engine's stack is not used up by a long string. */
const PLAIN = /[ !#-[\]-\uffff]{1,4096}/y;
const HEX = /[0-9a-fA-F]{4}/y;

/**
 * Walks JSON text without building values: says where it stops being JSON, and where the words are that only
 * Python's JSON has. Run only when JSON.parse failed; iterative, so nesting cannot exhaust the stack.
 */
export function scanJson(text: string): Scan {
  const special: [number, number][] = [];
  const stack: ("[" | "{")[] = [];
  let at = 0;
  let expect: "value" | "value-or-end" | "key" | "key-or-end" | "comma" | "end" = "value";

  const fail = (offset: number, reason: string): Scan => ({ special, error: { offset, reason } });
  const match = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex - at : -1;
  };
  const string = (): string | null => {
    at += 1;
    for (;;) {
      const plain = match(PLAIN);
      if (plain > 0) {
        at += plain;
        continue;
      }
      if (at >= text.length) return "the text ends inside a string";
      const char = text[at];
      if (char === '"') {
        at += 1;
        return null;
      }
      if (char !== "\\") return "a control character stands unescaped in a string";
      const mark = text[at + 1];
      if (mark === undefined) return "the text ends inside a string";
      if (mark === "u") {
        at += 2;
        if (match(HEX) !== 4)
          return at + 4 > text.length
            ? "the text ends inside a string"
            : "a \\u escape is not followed by four hex digits";
        at += 4;
      } else if ('"\\/bfnrt'.includes(mark)) at += 2;
      else return `\\${mark} is no JSON escape`;
    }
  };

  for (;;) {
    at += match(SPACE);
    const char = text[at];
    if (char === undefined) {
      if (expect === "end") return { special, error: null };
      return fail(at, at === 0 ? "the text is empty" : "the text ends before the JSON does");
    }
    if (expect === "end") return fail(at, "more text follows after the JSON value");
    if (expect === "comma") {
      const top = stack[stack.length - 1];
      if (char === ",") {
        at += 1;
        expect = top === "[" ? "value" : "key";
      } else if (char === (top === "[" ? "]" : "}")) {
        at += 1;
        stack.pop();
        expect = stack.length === 0 ? "end" : "comma";
      } else return fail(at, `expected "," or "${top === "[" ? "]" : "}"}"`);
      continue;
    }
    if (expect === "key" || expect === "key-or-end") {
      if (char === "}" && expect === "key-or-end") {
        at += 1;
        stack.pop();
        expect = stack.length === 0 ? "end" : "comma";
        continue;
      }
      if (char !== '"') return fail(at, "expected a property name in double quotes");
      const wrong = string();
      if (wrong) return fail(at, wrong);
      at += match(SPACE);
      if (text[at] === undefined) return fail(at, "the text ends before the JSON does");
      if (text[at] !== ":") return fail(at, 'expected ":"');
      at += 1;
      expect = "value";
      continue;
    }
    if (char === "]" && expect === "value-or-end") {
      at += 1;
      stack.pop();
      expect = stack.length === 0 ? "end" : "comma";
      continue;
    }
    if (char === "[" || char === "{") {
      stack.push(char);
      if (stack.length > MAX_NESTING) return fail(at, `nested deeper than ${MAX_NESTING} levels`);
      at += 1;
      expect = char === "[" ? "value-or-end" : "key-or-end";
      continue;
    }
    if (char === '"') {
      const wrong = string();
      if (wrong) return fail(at, wrong);
    } else {
      const word = match(WORD);
      const number = word > 0 ? -1 : match(NUMBER);
      const length = Math.max(word, number);
      if (length <= 0) {
        const rest = text.slice(at, at + 9);
        const cut =
          at + rest.length === text.length &&
          ["true", "false", "null", "NaN", "-Infinity", "Infinity", "-"].some((w) => w.startsWith(rest));
        return fail(at, cut ? "the text ends before the JSON does" : `unexpected ${JSON.stringify(char)}`);
      }
      if (word > 0 && !"tfn".includes(char)) special.push([at, at + length]);
      at += length;
    }
    expect = stack.length === 0 ? "end" : "comma";
  }
}
