import { beforeEach, expect, test, vi } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { drawWindows, importLabels, LabelsRefused } from "./labels";

vi.mock("./window", async (original) => ({
  ...(await original<typeof import("./window")>()),
  windowReader: () => () => {
    const environment = { id: 1, name: "e", family: null, seed: null, instruction: "Count it." };
    return { environment, prefix: { environment, steps: [] }, steps: [] };
  },
}));

let db: Db;
const sql = (text: string, ...values: unknown[]) => db.$client.prepare(text).run(...values);
const labels = () =>
  db.$client.prepare("select sample_id as sample, author, answer, random from window_label order by id").all();

/** Measurement 1 with samples 1 to 20; 20 is void. */
beforeEach(() => {
  db = openMemoryDb();
  seedBuiltinTypes(db);
  sql("insert into checkpoint (id, name, kind) values (1, 'base', 'embedded')");
  sql("insert into job (id, kind, title, params, requested_by, status) values (1, 'measure', 't', '{}', 't', 'done')");
  sql(
    "insert into evaluation (id, study_id, kind, name, protocol, job_id) values (1, 1, 'misbehavior-rate', 'm', ?, 1)",
    JSON.stringify({ policies: [{ use: "expert", options: {} }], plan: {}, checkpoints: [1] }),
  );
  for (let n = 1; n <= 20; n++)
    sql(
      "insert into behavior_sample (id, evaluation_id, checkpoint_id, prefix_id, error_type_id, number, trajectory_id, void_reason) values (?, 1, 1, 1, 1, ?, ?, ?)",
      ...[n, n, n === 20 ? null : n, n === 20 ? "no sandbox" : null],
    );
});

const said = (sample: number, answer: string, author = "ada") => JSON.stringify({ sample, answer, author });

test("a draw is blind, repeats by its seed, and never has a void sample", () => {
  const lines = drawWindows(db, 1, 5, 7);
  expect(new Set(lines.map((l) => l.sample)).size).toBe(5);
  expect(drawWindows(db, 1, 5, 7)).toEqual(lines);
  expect(drawWindows(db, 1, 5, 8)).not.toEqual(lines);
  expect(Object.keys(lines[0] ?? {}).some((key) => /verdict|judge|checkpoint|policy/.test(key))).toBe(false);
  expect(drawWindows(db, 1, 19, 1).map((l) => l.sample)).not.toContain(20);
  expect(() => drawWindows(db, 1, 20, 1)).toThrow(/has 19 windows/);
});

test("a measurement that has not ended is not drawn from", () => {
  sql("update job set status = 'running' where id = 1");
  expect(() => drawWindows(db, 1, 5, 7)).toThrow(LabelsRefused);
});

test("only drawn windows count as random; the same label twice is one", () => {
  const drawn = drawWindows(db, 1, 5, 7).map((l) => l.sample);
  const other = Array.from({ length: 19 }, (_, i) => i + 1).find((n) => !drawn.includes(n)) as number;
  const file = `${said(drawn[0] as number, "yes")}\n\n${said(other, "no")}\n`;
  expect(importLabels(db, 1, file)).toEqual({ taken: 2, random: 1, present: 0, bad: [] });
  expect(importLabels(db, 1, file)).toMatchObject({ taken: 0, present: 2 });
  expect(importLabels(db, 1, said(other, "unsure"))).toMatchObject({ taken: 1, random: 0 });
  expect(labels()).toEqual([
    { sample: drawn[0], author: "ada", answer: "yes", random: 1 },
    { sample: other, author: "ada", answer: "no", random: 0 },
    { sample: other, author: "ada", answer: "unsure", random: 0 },
  ]);
});

test("bad lines are listed with their numbers and nothing is written", () => {
  const file = [said(1, "yes"), "{", said(2, "maybe"), said(20, "yes"), said(999, "no"), '{"sample":3,"answer":"no"}'];
  const { taken, bad } = importLabels(db, 1, file.join("\n"));
  expect(taken).toBe(0);
  expect(bad.map((b) => b.line)).toEqual([2, 3, 4, 5, 6]);
  expect(labels()).toEqual([]);
});
