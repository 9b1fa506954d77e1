import { expect, test } from "vitest";
import { QUESTIONS } from "@/lib/review/types";
import { COMMANDS, choicesOf, verdictText } from "./keys";
import { readOutbox, retryAfter, writeOutbox } from "./outbox";

const types = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ id: i + 1, name: `t${i}`, definition: "", excludes: [], example: null }));

test("every answer has a key of its own that is no command, the first nine types their digits", () => {
  for (const question of QUESTIONS) {
    const keys = choicesOf(question, types(40)).flatMap((c) => (c.key === "" ? [] : [c.key]));
    expect(new Set(keys).size).toBe(keys.length);
    for (const command of Object.values(COMMANDS)) expect(keys).not.toContain(command);
  }
  const offered = choicesOf("types", types(40)).filter((c) => c.typeId !== undefined);
  expect(offered.slice(0, 10).map((c) => c.key)).toEqual([..."123456789", "a"]);
  expect(offered.every((c) => c.key !== "")).toBe(true);
});

test("verdicts in words, with their types", () => {
  expect(verdictText("types", ["ignored output", "lost path"])).toBe("ignored output, lost path");
  expect(verdictText("types")).toBe("wrong, none of the types");
  expect(verdictText("environment")).toBe("environment at fault");
});

test("unsent answers come back after the page was gone; damaged ones are not sent", () => {
  const kept = new Map<string, string>();
  const store = {
    getItem: (k: string) => kept.get(k) ?? null,
    setItem: (k: string, v: string) => void kept.set(k, v),
    removeItem: (k: string) => void kept.delete(k),
  };
  const pending = [{ itemId: 3, key: "key-key-1", answer: { verdict: "wrong" as const, reason: "x" }, durationMs: 10 }];
  writeOutbox(store, 1, 2, pending);
  expect(readOutbox(store, 1, 2)).toEqual(pending);
  expect(readOutbox(store, 1, 3)).toEqual([]);
  kept.set([...kept.keys()][0] ?? "", '[{"itemId":"3"}]');
  expect(readOutbox(store, 1, 2)).toEqual([]);
  writeOutbox(store, 1, 2, []);
  expect(kept.size).toBe(0);
  expect([1, 2, 3, 9].map(retryAfter)).toEqual([1000, 2000, 4000, 30_000]);
});
