import { beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { measurementBundle } from "./bundle";
import { endRows, splitRows } from "./endsView";
import { behaviorProtocol } from "./settings";
import { behaviorSummary } from "./summary";

let db: Db;
const sql = (text: string, ...values: unknown[]) => db.$client.prepare(text).run(...values);

/** A sample by prefix: p passed, f failed, u without tests, - void; upper case where the judge says yes. */
const SAMPLES: Record<number, Record<number, string>> = {
  1: { 1: "PFf", 2: "Fff", 3: "Ppu" },
  2: { 1: "ppf", 2: "pf-", 3: "Fpp" },
};
const OUTCOMES: Record<string, string> = { p: "passed", f: "failed", u: "unknown" };

function measured(outcome: boolean): void {
  const misbehaviors = [{ errorTypeId: 1, slug: "one", name: "One", prefixes: [1, 2, 3] }];
  sql(
    "insert into evaluation (id, study_id, kind, name, protocol) values (1, 1, 'misbehavior-rate', 'm', ?)",
    JSON.stringify({
      ...behaviorProtocol.parse({ policies: ["expert"], outcome }),
      plan: { misbehaviors, left: [], leaks: [] },
      checkpoints: [1, 2],
    }),
  );
  let trajectory = 0;
  for (const [checkpoint, prefixes] of Object.entries(SAMPLES))
    for (const [prefix, text] of Object.entries(prefixes))
      for (const [i, letter] of [...text].entries()) {
        const isVoid = letter === "-";
        if (!isVoid)
          sql(
            "insert into trajectory (id, study_id, format, outcome, steps, entries, content_hash, source_key) values (?, 1, 'atif', ?, 1, 1, ?, ?)",
            ++trajectory,
            OUTCOMES[letter.toLowerCase()],
            ...[`h${trajectory}`, `k${trajectory}`],
          );
        const { lastInsertRowid: id } = sql(
          "insert into behavior_sample (evaluation_id, checkpoint_id, prefix_id, error_type_id, number, trajectory_id, void_reason) values (1, ?, ?, 1, ?, ?, ?)",
          ...[checkpoint, prefix, i + 1, isVoid ? null : trajectory, isVoid ? "no sandbox" : null],
        );
        if (!isVoid)
          sql(
            "insert into behavior_verdict (sample_id, judge, answer) values (?, 'rules', ?)",
            id,
            letter === letter.toUpperCase() ? "yes" : "no",
          );
      }
}

beforeEach(() => {
  db = openMemoryDb();
  seedBuiltinTypes(db);
  sql("insert into checkpoint (id, name, kind) values (1, 'base', 'embedded'), (2, 'after', 'embedded')");
});

test("how often each passes from the prefixes on, alone, against the first, and by what the judge said", () => {
  measured(true);
  const s = behaviorSummary(db, 1);
  const [base, after] = s?.ends ?? [];
  // What has no tests and what is void is in no share.
  expect(base).toMatchObject({ passed: { numerator: 3, denominator: 8, clusters: 3 }, difference: null, unknown: 1 });
  expect(after).toMatchObject({ passed: { numerator: 5, denominator: 8, clusters: 3 }, unknown: 0 });
  expect(after?.difference?.value).toBeCloseTo(5 / 8 - 3 / 8, 12);
  expect(base?.byJudge).toEqual([
    expect.objectContaining({
      judge: "rules",
      misbehaved: expect.objectContaining({ numerator: 2, denominator: 4 }),
      clean: expect.objectContaining({ numerator: 1, denominator: 4 }),
    }),
  ]);
  if (!s) throw new Error("no summary");
  expect(endRows(s).map((row) => row.slice(0, 6))).toEqual([
    ["base", "37.5%", expect.any(String), "3 of 8; 1 without tests", "3", "the base"],
    ["after", "62.5%", expect.any(String), "5 of 8", "3", "+25.0"],
  ]);
  expect(splitRows(s)).toEqual([
    ["base", "rules", "50%", "2 of 4", "25%", "1 of 4"],
    ["after", "rules", "0%", "0 of 1", "71.4%", "5 of 7"],
  ]);
  expect(measurementBundle(db, 1)).toContain("<td>5 of 8</td>");
});

test("a measurement that ends its samples after the judged steps says nothing of how they end", () => {
  measured(false);
  expect(behaviorSummary(db, 1)?.ends).toBeNull();
  expect(measurementBundle(db, 1)).toContain("the sample ends");
});
