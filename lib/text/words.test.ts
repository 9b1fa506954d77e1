import { expect, test } from "vitest";
import { changedWords, type Ranges } from "./words";

const cut = (text: string, ranges: Ranges) => ranges.map(([start, end]) => text.slice(start, end));

test("only the words that differ are marked, on both sides", () => {
  const a = "grep -c error amber.log > birch.txt";
  const b = "grep -ci error amber.log > birch.txt";
  const { a: left, b: right } = changedWords(a, b);
  expect(cut(a, left)).toEqual(["c"]);
  expect(cut(b, right)).toEqual(["ci"]);
});

test("equal commands differ nowhere; without a command everything is new", () => {
  expect(changedWords("ls", "ls")).toEqual({ a: [], b: [] });
  expect(changedWords("", "ls -l")).toEqual({ a: [], b: [[0, 5]] });
});

test("commands with too many differences are marked whole instead of being compared for long", () => {
  const many = (word: string) => Array.from({ length: 2_000 }, (_, i) => `${word}${i}`).join(" ");
  const a = many("a");
  const b = many("b");
  expect(changedWords(a, b)).toEqual({ a: [[0, a.length]], b: [[0, b.length]] });
});
