import { expect, test } from "vitest";
import { INDEX_LIMITS, indexedTexts } from "./textIndex";
import type { Observation, Step } from "./types";

const observation = (content: string, more: Partial<Observation> = {}): Observation => ({
  callId: null,
  content,
  output: null,
  full: null,
  exitCode: null,
  timedOut: false,
  error: null,
  ...more,
});
const step = (observations: Observation[], more: Partial<Step> = {}): Step => ({
  kind: "agent",
  turn: 0,
  actor: null,
  thinking: null,
  message: null,
  call: { id: null, name: "bash", arguments: {}, command: "ls" },
  observations,
  time: null,
  durationMs: null,
  usage: null,
  note: null,
  copied: false,
  source: [],
  ...more,
});

test("a coloured word is found as the word", () => {
  expect(indexedTexts(step([observation("\u001b[31merror\u001b[0m at 1")]))?.output).toBe("error at 1");
});

test("only the terminal output of a wrapped observation is indexed, the whole one where it was shortened", () => {
  expect(indexedTexts(step([observation("<output>hit</output>", { output: [8, 11] })]))?.output).toBe("hit");
  expect(indexedTexts(step([observation("short…", { full: "the whole" })]))?.output).toBe("the whole");
});

test("head and tail of a long output are seen", () => {
  const long = `first ${"x ".repeat(5000)} last`;
  const output = indexedTexts(step([observation(long)]))?.output ?? "";
  expect(output).toContain("first");
  expect(output).toContain("last");
  expect(output.length).toBeLessThanOrEqual(INDEX_LIMITS.outputHead + INDEX_LIMITS.outputTail + 1);
});

test("copied context is not found twice", () => {
  expect(indexedTexts(step([observation("again")], { copied: true }))).toBeNull();
});
