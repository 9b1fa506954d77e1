import { expect, test } from "vitest";
import { LoopReplies } from "./replies";

test("a reply is told once it is whole, wherever its text was cut", () => {
  const loop = new LoopReplies("t0");
  expect(loop.read("t0 rea")).toEqual([]);
  expect(loop.read("dy\nt0 0 1.5 2.25\nt0 7 ")).toEqual(["ready", { exitCode: 0, startMs: 1500, endMs: 2250 }]);
  expect(loop.read("\n")).toEqual([{ exitCode: 7, startMs: null, endMs: null }]);
});

test("lines without the token are somebody else's, also one that never ends", () => {
  const loop = new LoopReplies("t0");
  expect(loop.read("t1 0 1 2\n0 1 2\nready\n")).toEqual([]);
  expect(loop.read("x".repeat(20_000))).toEqual([]);
  expect(loop.read("t0 ready\n")).toEqual(["ready"]);
});
