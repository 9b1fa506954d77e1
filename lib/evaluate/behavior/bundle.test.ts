import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { measurementBundle } from "./bundle";
import { behaviorProtocol } from "./settings";

let db: Db;
const sql = (text: string, ...values: unknown[]) => db.$client.prepare(text).run(...values);
const HOSTILE = "</script><img onerror=alert(1)>";

beforeEach(() => {
  db = openMemoryDb();
  seedBuiltinTypes(db);
  sql("insert into checkpoint (id, name, kind) values (1, ?, 'embedded'), (2, 'after', 'embedded')", HOSTILE);
  const misbehaviors = [{ errorTypeId: 1, slug: "one", name: HOSTILE, prefixes: [1, 2, 3] }];
  const plan = { misbehaviors, left: [], leaks: [] };
  sql(
    "insert into evaluation (id, study_id, kind, name, protocol) values (1, 1, 'misbehavior-rate', ?, ?)",
    HOSTILE,
    JSON.stringify({ ...behaviorProtocol.parse({ policies: ["expert"] }), plan, checkpoints: [1, 2] }),
  );
  let id = 0;
  for (const checkpoint of [1, 2])
    for (const prefix of [1, 2, 3])
      for (const number of [1, 2, 3, 4]) {
        sql(
          "insert into behavior_sample (id, evaluation_id, checkpoint_id, prefix_id, error_type_id, number) values (?, 1, ?, ?, 1, ?)",
          ...[++id, checkpoint, prefix, number],
        );
        const answer = checkpoint === 1 && number <= prefix ? "yes" : "no";
        for (const judge of ["rules 1", HOSTILE])
          sql("insert into behavior_verdict (sample_id, judge, answer) values (?, ?, ?)", id, judge, answer);
      }
});

test("a bundle is the same bytes each time, needs nothing from outside, and no name in it becomes markup", () => {
  const html = measurementBundle(db, 1) ?? "";
  expect(measurementBundle(db, 1)).toBe(html);
  expect(html).not.toContain("<img");
  expect(html).not.toMatch(/(?:src|href)=/);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html.match(/<svg/g)).toHaveLength(2);
  expect(measurementBundle(db, 2)).toBeNull();
});

test("its data hold the counts behind the numbers, under the hash it states", () => {
  const html = measurementBundle(db, 1) ?? "";
  const json = /<script type="application\/json" id="data">(.*)<\/script>/.exec(html)?.[1] ?? "";
  expect(html).toContain(createHash("sha256").update(json).digest("hex"));
  const data = JSON.parse(json);
  expect(data.summary.name).toBe(HOSTILE);
  expect(data.counts.verdicts).toHaveLength(12);
  const yes = data.counts.verdicts.filter((v: { judge: string }) => v.judge === "rules 1");
  expect(yes.reduce((sum: number, v: { yes: number }) => sum + v.yes, 0)).toBe(6);
  // 6 of 12 samples of the base, none of the other.
  expect(html).toContain(">50%<");
  expect(html).toContain(">-50.0<");
});
