import { beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { DESIGNS } from "@/lib/study/design";
import { readStudy, type StudyState, writeStudy } from "@/lib/study/state";
import { keepReport, studyReport } from "./cached";
import { reportHtml } from "./html";
import { reportMarkdown } from "./markdown";
import { buildReport } from "./report";
import type { StudyReport } from "./types";

let db: Db;
const sql = (text: string, ...values: unknown[]) => db.$client.prepare(text).run(...values);

const HOSTILE = 'base <script>alert("x")</script> | `x`';
const ended = { startedAt: 1_000, finishedAt: 61_000, ms: 1 };

/**
 * Base, two seeds of mirl and one of outcome-prefix: rates of one misbehavior on three prefixes under two judges, scores in
 * two environments.
 */
function study(): StudyState {
  const runs = [
    { recipe: "mirl", seed: 1, runId: 1 },
    { recipe: "mirl", seed: 2, runId: 2 },
    { recipe: "outcome-prefix", seed: 1, runId: 3 },
  ];
  sql("insert into checkpoint (id, name, kind) values (1, ?, 'embedded')", HOSTILE);
  for (const { recipe, seed, runId } of runs) {
    sql(
      "insert into training_run (id, study_id, name, recipe, settings, launcher) values (?, 1, ?, ?, '{}', 'embedded')",
      runId,
      `${recipe}-${seed}`,
      recipe,
    );
    sql(
      "insert into checkpoint (id, name, kind, training_run_id, training_step) values (?, ?, 'embedded', ?, 2)",
      runId + 1,
      `${recipe}-${seed}-step-2`,
      runId,
    );
  }
  const prefixes = [1, 2, 3];
  const plan = {
    misbehaviors: [{ errorTypeId: 1, slug: "false-test-claims", name: "m", prefixes }],
    left: [],
    leaks: [],
  };
  sql(
    "insert into evaluation (id, study_id, kind, name, protocol) values (1, 1, 'misbehavior-rate', 'm', ?)",
    JSON.stringify({ policies: ["expert"], plan, checkpoints: [1, 2, 3, 4] }),
  );
  // Yes of 10 samples, by policy and prefix, the same for both judges.
  const yes: Record<number, number[]> = { 1: [8, 6, 10], 2: [2, 1, 3], 3: [2, 2, 2], 4: [5, 4, 6] };
  for (const [checkpoint, counts] of Object.entries(yes))
    for (const [i, n] of counts.entries())
      for (let number = 1; number <= 10; number++) {
        const { lastInsertRowid } = sql(
          "insert into behavior_sample (evaluation_id, checkpoint_id, prefix_id, error_type_id, number, steps) values (1, ?, ?, 1, ?, 5)",
          checkpoint,
          i + 1,
          number,
        );
        for (const judge of ["rules 1", "learned 1"])
          sql(
            "insert into behavior_verdict (sample_id, judge, answer) values (?, ?, ?)",
            lastInsertRowid,
            judge,
            number <= n ? "yes" : "no",
          );
      }
  const passed: Record<number, number[]> = { 1: [0, 1], 2: [2, 2], 3: [2, 1], 4: [1, 1] };
  for (const id of [1, 2]) sql("insert into environment (id, name, dataset) values (?, ?, 'tiny')", id, `e${id}`);
  for (const [checkpoint, counts] of Object.entries(passed)) {
    const evaluationId = 10 + Number(checkpoint);
    sql("insert into evaluation (id, study_id, kind, name, protocol) values (?, 1, 'score', 's', '{}')", evaluationId);
    for (const [i, n] of counts.entries())
      for (const run of [1, 2])
        sql(
          "insert into score (evaluation_id, checkpoint_id, environment_id, run, metric, value) values (?, ?, ?, ?, 'outcome', ?)",
          ...[evaluationId, checkpoint, i + 1, run, run <= n ? 1 : 0],
        );
  }
  const checkpoints = [{ recipe: null, seed: null, runId: 0 }, ...runs];
  return {
    format: "misstep-study/1",
    design: DESIGNS.quick,
    machine: { cores: 2, cpu: "a <cpu>", node: "v20" },
    made: {
      train: { runs },
      select: { chosen: runs.map((r) => ({ ...r, checkpointId: r.runId + 1, candidates: [] })) },
      scores: {
        of: checkpoints.map(({ recipe, seed, runId }) => ({
          ...{ recipe, seed, checkpointId: runId + 1, runs: 2, profileId: 1, evaluationId: 11 + runId },
        })),
      },
      rates: { evaluationId: 1, jobId: 1 },
    },
    times: { train: ended, select: ended, scores: ended, rates: ended },
  };
}

const told = (report: StudyReport): string[] => report.aim.flatMap((part) => part.sentences);

beforeEach(() => {
  db = openMemoryDb();
  seedBuiltinTypes(db);
});

test("rates and scores are pooled over training seeds, under each judge", () => {
  writeStudy(db, study());
  const report = buildReport(db, readStudy(db) as StudyState);
  const [rules] = report.rates;
  expect(report.rates.map((r) => r.judge).sort()).toEqual(["learned 1", "rules 1"]);
  expect(rules?.base.value).toBeCloseTo(0.8);
  const mirl = rules?.recipes.find((r) => r.recipe === "mirl");
  expect(mirl?.seeds.map((s) => s.value)).toEqual([expect.closeTo(0.2), expect.closeTo(0.2)]);
  expect(mirl?.against.value).toBeCloseTo(0.75);
  expect(rules?.recipes.find((r) => r.recipe === "outcome-prefix")?.difference?.value).toBeCloseTo(-0.3);
  // (1 + 0.75) / 2 of mirl against 0.25 of base.
  expect(report.scores?.base.value).toBeCloseTo(0.25);
  expect(report.scores?.recipes[0]?.against.value).toBeCloseTo(0.625);
  expect(report.findings.find((f) => f.id === "mirl-lowers")?.own).toHaveLength(2);
});

test("where samples went on to the end, it is told how often they pass from unseen prefixes on", () => {
  writeStudy(db, study());
  expect(buildReport(db, readStudy(db) as StudyState).ends).toBeNull();
  sql("update evaluation set protocol = json_set(protocol, '$.outcome', json('true')) where id = 1");
  // Passed of 10 samples, by policy and prefix; the last prefix of the base has no tests.
  const passed: Record<number, number[]> = { 1: [5, 5, 0], 2: [9, 7, 8], 3: [7, 7, 8], 4: [6, 6, 6] };
  for (const { id, checkpoint, prefix, number } of db.$client
    .prepare("select id, checkpoint_id as checkpoint, prefix_id as prefix, number from behavior_sample")
    .all() as { id: number; checkpoint: number; prefix: number; number: number }[]) {
    const outcome =
      checkpoint === 1 && prefix === 3
        ? "unknown"
        : number <= (passed[checkpoint]?.[prefix - 1] ?? 0)
          ? "passed"
          : "failed";
    sql(
      "insert into trajectory (id, study_id, format, outcome, steps, entries, content_hash, source_key) values (?, 1, 'atif', ?, 1, 1, ?, ?)",
      ...[id, outcome, `h${id}`, `k${id}`],
    );
    sql("update behavior_sample set trajectory_id = id where id = ?", id);
  }
  const report = buildReport(db, readStudy(db) as StudyState);
  expect(report.ends?.prefixes).toBe(2);
  expect(report.ends?.base.value).toBeCloseTo(0.5);
  const mirl = report.ends?.recipes.find((r) => r.recipe === "mirl");
  expect(mirl?.seeds.map((s) => s.value)).toEqual([expect.closeTo(0.8), expect.closeTo(0.7)]);
  expect(mirl?.against.value).toBeCloseTo(0.25);
  expect(report.ends?.recipes.find((r) => r.recipe === "outcome-prefix")?.difference?.value).toBeCloseTo(0.15);
  expect(told(report).find((s) => s.startsWith("From 2 unseen"))).toMatch(/MiRL 75\.0% .* base 50\.0%/);
  expect(report.figures.flatMap((f) => f.blocks.map((b) => b.name))).toContain("figure-5-from-prefixes");
});

test("where only the judge that does not pay sees a misbehavior is told by whose samples they are", () => {
  writeStudy(db, study());
  const disputed = () => told(buildReport(db, readStudy(db) as StudyState)).find((s) => s.startsWith("Of the samples"));
  expect(disputed()).toContain("0.0% (0 of 6) of the base’s, 0.0% (0 of 48) of MiRL’s, 0.0% (0 of 15) of the other");
  // Two of MiRL's samples and one of the base's.
  sql(`update behavior_verdict set answer = 'yes' where judge = 'learned 1' and sample_id in (
    select id from behavior_sample where (checkpoint_id in (2, 3) and prefix_id = 1 and number = 10) or (checkpoint_id = 1 and prefix_id = 1 and number = 10))`);
  expect(disputed()).toContain("16.7% (1 of 6) of the base’s, 4.2% (2 of 48) of MiRL’s, 0.0% (0 of 15) of the other");
});

test("a single seed that rises under every judge is named, and the answer counts every comparison and the score", () => {
  writeStudy(db, study());
  const report = () => buildReport(db, readStudy(db) as StudyState);
  const before = report();
  expect(told(before).join(" ")).toContain("No single training seed of MiRL shows a misbehavior more often");
  // MiRL's two seeds are lower by 30 points than outcome-prefix under two judges; its score is above by 37.5 points.
  expect(before.answer).toMatch(/In [0-2] of 2 comparisons with training for the outcome alone/);
  expect(before.answer).toMatch(/held-out score is 87\.5%, that of the base 25\.0%, .* 50\.0%: .* lower .* in 0 of 1/);
  // The second seed of mirl (checkpoint 3) now says yes to nearly all, the base to nearly none.
  const say = (checkpoint: number, yes: number[]) => {
    for (const [i, n] of yes.entries())
      sql(
        "update behavior_verdict set answer = iif((select number from behavior_sample s where s.id = sample_id) <= ?, 'yes', 'no') where sample_id in (select id from behavior_sample where checkpoint_id = ? and prefix_id = ?)",
        ...[n, checkpoint, i + 1],
      );
  };
  say(1, [0, 1, 0]);
  say(3, [10, 10, 9]);
  expect(told(report()).join(" ")).toMatch(/of “m” in seed 2: rules 1 \+93\.3 points .*, learned 1 \+93\.3 points/);
});

test("what no phase made is said in words, and no recipe without data is drawn as zero", () => {
  const state = study();
  state.times = {};
  const report = buildReport(db, state);
  expect(report.finished).toBe(false);
  expect(report.rates).toEqual([]);
  expect(report.scores).toBeNull();
  expect(told(report).join(" ")).toMatch(/not measured yet/);
  expect(report.figures.filter((f) => f.absent === null)).toEqual(
    [expect.objectContaining({ id: "table-4" })].slice(1),
  );
  const own = report.figures.flatMap((f) => f.blocks).flatMap((b) => (b.kind === "bars" ? b.bars : []));
  expect(own.filter((bar) => !bar.published && bar.value === 0)).toEqual([]);
  expect(new Set(report.findings.map((f) => f.verdict))).toEqual(new Set(["cannot be told here"]));
});

test("a stored report is the report, and is made anew when a verdict comes in", () => {
  const state = study();
  const fresh = JSON.parse(JSON.stringify(buildReport(db, state)));
  expect(JSON.parse(JSON.stringify(keepReport(db, state)))).toEqual(fresh);
  db.$client
    .prepare(
      "update setting set value = json_set(value, '$.report.aim', json('[\"stored\"]')) where key = 'study-report'",
    )
    .run();
  db.$client.exec("update behavior_verdict set answer = 'no' where answer = 'yes'");
  const sample = db.$client.prepare("select min(id) from behavior_sample").pluck().get();
  db.$client.prepare("insert into behavior_verdict (sample_id, judge, answer) values (?, 'another', 'no')").run(sample);
  const now = studyReport(db, state);
  expect(now.aim).not.toEqual(["stored"]);
  expect(now.aim).not.toEqual(fresh.aim);
});

test("the files hold every figure and nothing of a name is markup", () => {
  const report = buildReport(db, study());
  const [html, markdown] = [reportHtml(report), reportMarkdown(report)];
  for (const figure of report.figures) {
    expect(html).toContain(`${figure.number}: `);
    expect(markdown).toContain(`## ${figure.number}: `);
  }
  expect(html).not.toMatch(/<script/);
  expect(html).toContain("&lt;script&gt;");
  expect(html).not.toMatch(/NaN|undefined|Infinity/);
  expect(markdown).not.toMatch(/NaN|undefined|Infinity|<script/);
  const names = report.figures.flatMap((f) => f.blocks.map((b) => b.name));
  expect(new Set(names).size).toBe(names.length);
});
