import fc from "fast-check";
import { expect, it } from "vitest";
import { bytesOf, piecesOf, textOfBytes } from "./pieces";
import { contextTokens, OUTPUT_TOKENS, outputTokens, readObservation, readReply, replyTokens } from "./turns";
import { MARK, Vocabulary } from "./vocabulary";

const vocabulary = new Vocabulary(["cat", " cat", " log", "log", " sort", "sort"], [["cat", " log"]]);
/** Any string of UTF-16 units, halves of pairs included, and the words of the vocabulary. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.integer({ min: 0, max: 0xffff }).map((n) => String.fromCharCode(n)),
      fc.constantFrom("cat log sort", " cat", "\n", "\r\n", "\u0000", "\ufffd"),
    ),
  )
  .map((parts) => parts.join(""));

it("loses nothing of any text", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(piecesOf(text).join("")).toBe(text);
      expect(textOfBytes(bytesOf(text))).toBe(text);
      expect(vocabulary.decode(vocabulary.encode(text))).toBe(text);
    }),
    { numRuns: 500 },
  );
});

it("writes pairs and words as one token, and what is no word in bytes", () => {
  expect(vocabulary.encode("cat log sort")).toHaveLength(2);
  expect(vocabulary.encode("dog")).toEqual([100, 111, 103].map((byte) => 8 + byte));
  expect(vocabulary.encode("é").map((id) => vocabulary.show(id))).toEqual(["<0xc3>", "<0xa9>"]);
  expect(vocabulary.show(MARK.run)).toBe("<run>");
});

it("comes back from its file", () => {
  const again = Vocabulary.parse(JSON.parse(JSON.stringify(vocabulary)));
  expect(again.encode("cat log; sort")).toEqual(vocabulary.encode("cat log; sort"));
});

it("reads bytes that are no character as U+FFFD", () => {
  expect(textOfBytes([0xff, 0x41, 0xc3, 0x41])).toBe("\ufffdA\ufffdA");
});

it("reads back the reply it wrote", () => {
  fc.assert(
    fc.property(anyText, fc.option(anyText.filter((text) => text.trim() !== "")), (thought, command) => {
      const read = readReply(vocabulary, replyTokens(vocabulary, { thought, command }));
      expect(read).toEqual({ thought, command, formatError: null });
    }),
  );
});

it("tells a reply that is not well-formed from one without a command", () => {
  expect(readReply(vocabulary, [...vocabulary.encode("look"), MARK.end])).toMatchObject({
    command: null,
    formatError: null,
  });
  expect(readReply(vocabulary, vocabulary.encode("look")).formatError).toContain("does not end");
  expect(readReply(vocabulary, [MARK.run, MARK.run, MARK.end]).formatError).toContain("<run>");
  expect(readReply(vocabulary, [MARK.run, MARK.end]).formatError).toBe("the command is empty");
});

it("cuts a long output and says so", () => {
  const long = outputTokens(vocabulary, { output: "cat\n".repeat(OUTPUT_TOKENS), ok: true });
  expect(long).toHaveLength(OUTPUT_TOKENS + 3);
  expect(long.slice(-3)).toEqual([MARK.cut, MARK.ok, MARK.think]);
});

it("reads what the harness showed", () => {
  expect(readObservation("(no output)\n\n(exit_code=0)")).toEqual({ output: "", ok: true });
  expect(readObservation("cat: a: No such file\n\n(exit_code=1)")).toEqual({
    output: "cat: a: No such file",
    ok: false,
  });
  expect(readObservation("No command was found.")).toEqual({ output: "No command was found.", ok: false });
});

it("a context that grew by a turn begins with the one before", () => {
  const turn = { thought: "look", command: "cat log", output: "1\n", ok: true };
  const before = contextTokens(vocabulary, "sort log", [turn]);
  const after = contextTokens(vocabulary, "sort log", [turn, { ...turn, ok: false }]);
  expect(after.slice(0, before.length)).toEqual(before);
});
