import { expect, test } from "vitest";
import { openMemoryDb } from "@/db/client";
import { SPAN } from "@/db/ids";
import { CLEAR_TEXTS, INDEX_LIMITS, indexedTexts } from "./textIndex";
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

test("clearing one trajectory's texts takes only those, and no longer in a large index than in a small one", () => {
  const db = openMemoryDb();
  const s = db.$client;
  const add = s.prepare("insert into step_fts (rowid, command, thinking, output) values (?, 'needle', '', '')");
  const clear = s.prepare(CLEAR_TEXTS);
  /** Milliseconds of clearing 200 trajectories that have no texts yet, as an import of new ones does. */
  const clearing = () => {
    const started = performance.now();
    s.transaction(() => {
      for (let id = 500_000; id < 500_200; id++) clear.run(id * SPAN, id * SPAN + SPAN - 1);
    }).immediate();
    return performance.now() - started;
  };
  s.transaction(() => {
    for (let id = 1; id <= 40_000; id++) for (const i of [0, 1]) add.run(id * SPAN + i);
  }).immediate();
  // A walk over the whole index at each takes over 500 ms.
  expect(Math.min(clearing(), clearing(), clearing())).toBeLessThan(100);
  clear.run(7 * SPAN, 7 * SPAN + SPAN - 1);
  const found = s.prepare("select rowid from step_fts where step_fts match 'needle' and rowid < ?").pluck();
  expect(found.all(9 * SPAN)).toHaveLength(14);
  db.$client.close();
});
