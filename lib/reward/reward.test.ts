import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { SUBMIT } from "@/lib/environment/suite/family";
import { FAMILIES, generate } from "@/lib/environment/suite/generate";
import { openModels } from "@/lib/model/chat/open";
import { noSleep, type OpenAiBody, openAiServer, settingsFor } from "@/lib/model/chat/testing/openai";
import { COMMON_FAULTS, type ScriptedOptions, type ScriptedServer } from "@/lib/model/chat/testing/server";
import type { Prefix } from "@/lib/profile/roles";
import { run, system, user } from "@/lib/profile/rules/steps.fixture";
import { readAnswer } from "./behaviorJudge/model";
import { readVerdict } from "./equivalenceJudge/model";
import { makeBehaviorJudge, makeEquivalenceJudge, makeRubricJudge, makeRubricWriter } from "./registry";
import { writtenRubric } from "./rubricWriter/model";
import type { JudgedMode } from "./types";

let db: Db;
let server: ScriptedServer<OpenAiBody> | undefined;
beforeEach(() => {
  db = openMemoryDb();
});
afterEach(async () => {
  expect(server?.refused ?? []).toEqual([]);
  await server?.close();
  server = undefined;
  db.$client.close();
});

/** A context whose models are a real server that says these things. */
async function serving(options: ScriptedOptions<OpenAiBody>) {
  await server?.close();
  const started = await openAiServer(options);
  server = started;
  const models = openModels(db, { settings: settingsFor(started, { tries: 2 }), sleep: noSleep });
  return { db, models: () => models, cache: false };
}
const MODEL = { use: "model", options: {} };
const RULES = { use: "rules", options: {} };
const readings = () => db.$client.prepare("select reading from usage order by id").pluck().all();

const environment = { id: 1, name: "tiny-count-0", family: "count", seed: 0, instruction: "Count." };
const prefix: Prefix = { environment, steps: [system("s"), user("Count.")] };
const failed = run("make", "make: *** [all] Error 1", 2);
const mode: JudgedMode = {
  errorTypeId: 1,
  name: "Retries the same cause",
  definition: "Tries again what failed, with its cause unchanged.",
  excludes: ["waiting for a service"],
  examples: [{ command: "make", reason: "nothing changed" }],
  detectors: ["retry-same-cause"],
};
const window = (...steps: Prefix["steps"]) => ({
  environment,
  prefix: { environment, steps: [...prefix.steps, failed] },
  steps,
});

test("the answer tag: the last one, never one of two words or of another", () => {
  const read = (reply: string) => {
    const parsed = readAnswer(reply);
    return parsed.ok ? parsed.output : null;
  };
  expect(read("I think so.\n<answer>yes</answer>")).toBe("yes");
  expect(read("<think><answer>yes</answer></think><answer> No </answer>")).toBe("no");
  expect(read("<answer>no</answer> … <answer>no</answer>")).toBe("no");
  for (const reply of [
    "yes",
    "<answer>yes</answer> or <answer>no</answer>",
    "<answer>yes or no</answer>",
    "<answer>yes",
  ])
    expect(read(reply)).toBeNull();
});

test("the equivalence verdict: rightmost at the end, else the first; none is none", () => {
  const read = (reply: string) => {
    const parsed = readVerdict(reply);
    return parsed.ok ? parsed.output : null;
  };
  expect(read("same.\n[[A=B]]")).toBe(true);
  expect(read("[[A=B]] no, wait: [[A!=B]]")).toBe(false);
  expect(read(`[[A!=B]] is my verdict, not [[A=B]]. ${"because ".repeat(60)}`)).toBe(false);
  expect(read("A equals B")).toBeNull();
});

test("the rules judge what is in the window, not what came before, and fail where they know nothing", async () => {
  const judge = makeBehaviorJudge({ db }, RULES);
  await expect(judge.judge(window(run("ls", "a"), run("make", "Error", 2)), mode)).resolves.toMatchObject({
    answer: "yes",
    step: 1,
  });
  await expect(judge.judge(window(run("ls", "a")), mode)).resolves.toMatchObject({ answer: "no", step: null });
  await expect(judge.judge(window(), { ...mode, detectors: [] })).rejects.toMatchObject({ kind: "failed" });
});

test("a model judges the window by the definition; unreadable replies are asked once more and then no verdict", async () => {
  const said: string[] = [];
  const answers = ["Perhaps.", "So: <answer>yes</answer>", "<answer>yes</answer><answer>no</answer>", "hm"];
  const context = await serving({
    answer({ texts, number }) {
      said.push(texts.join("\n"));
      return answers[number] ?? "";
    },
  });
  const judge = makeBehaviorJudge(context, MODEL);
  const judged = window(run("make", "Error", 2));
  await expect(judge.judge(judged, mode)).resolves.toMatchObject({ answer: "yes", callId: 2 });
  await expect(judge.judge(judged, mode)).rejects.toMatchObject({ kind: "unparsed", callId: 4 });
  expect(readings()).toEqual(["unparsed", "parsed", "unparsed", "unparsed"]);
  expect(said[0]).toContain(mode.definition);
  expect(said[0]).toContain("it is not: waiting for a service");
  // What came before the window is not shown to a model.
  expect(said[0]).not.toContain("*** [all]");
});

const item = (weight: number, category: string, i: number) => ({
  title: `Item number ${i}`,
  description: `${category} Criteria: it is so.`,
  weight,
});
const RUBRIC = {
  tests_weight: 0.7,
  rubrics: [5, 5, 4, 3, 2, 1, -1].map((w, i) =>
    item(w, w === 5 ? "Essential" : w > 2 ? "Important" : w > 0 ? "Optional" : "Pitfall", i),
  ),
};

test("a written rubric is checked whole: range, number, category and weight", () => {
  const fits = (change: object) => writtenRubric.safeParse({ ...RUBRIC, ...change }).success;
  const [first, ...others] = RUBRIC.rubrics;
  expect(fits({})).toBe(true);
  expect(fits({ tests_weight: 0.4 })).toBe(false);
  expect(fits({ rubrics: others })).toBe(false);
  expect(fits({ rubrics: Array.from({ length: 21 }, (_, i) => item(5, "Essential", i)) })).toBe(false);
  expect(fits({ rubrics: [{ ...first, weight: 4 }, ...others] })).toBe(false);
  expect(fits({ rubrics: [{ ...first, description: "It is so." }, ...others] })).toBe(false);
  expect(fits({ rubrics: [{ ...first, title: "One" }, ...others] })).toBe(false);
  expect(fits({ note: "extra" })).toBe(false);
});

test("writer and rater of rubrics over a server: fences are mended, a rating out of range is none", async () => {
  const answers = [
    `Here it is:\n\`\`\`json\n${JSON.stringify(RUBRIC)}\n\`\`\``,
    '```json\n{"rating": 7}\n```\nAll is well but for one item.',
    '{"rating": 11}',
    '{"rating": 7.5}',
  ];
  const context = await serving({ answer: ({ number }) => answers[number] ?? "" });
  const written = await makeRubricWriter(context, MODEL).write({
    instruction: "Count.",
    solution: "grep -c",
    tests: null,
    environment,
  });
  expect(written.rubric).toMatchObject({ testsWeight: 0.7, items: { length: 7 } });
  const rate = () =>
    makeRubricJudge(context, MODEL).rate({
      instruction: "Count.",
      environment,
      rubric: written.rubric,
      steps: [failed],
    });
  await expect(rate()).resolves.toMatchObject({ rating: 7, callId: 2 });
  await expect(rate()).rejects.toMatchObject({ kind: "unparsed" });
});

test("the rules' rubric fits its own checks in every family, and tells the expert's rollout from an idle one", async () => {
  for (const { name } of FAMILIES) {
    const { instance } = generate(name, 0);
    const place = { ...environment, name: `tiny-${name}-0`, family: name };
    const input = { instruction: instance.instruction, solution: null, tests: null, environment: place };
    const { rubric } = await makeRubricWriter({ db }, RULES).write(input);
    const { items: rubrics, testsWeight: tests_weight } = rubric;
    expect(writtenRubric.safeParse({ tests_weight, rubrics }).error).toBeUndefined();
    const rate = async (...steps: Prefix["steps"]) =>
      (await makeRubricJudge({ db }, RULES).rate({ ...input, rubric, steps })).rating;
    const expert = [instance.look[0]?.command, ...instance.solution, instance.verify[0]?.command, SUBMIT].map(
      (command) => run(command ?? "", "ok"),
    );
    const [idle, right] = [await rate(run(SUBMIT, "")), await rate(system("s"), user("t"), ...expert)];
    expect(right, name).toBeGreaterThan(idle);
    expect(right).toBeLessThanOrEqual(10);
  }
  const foreign = { ...environment, family: null, seed: null };
  const asked = makeRubricWriter({ db }, RULES).write({
    instruction: "",
    solution: null,
    tests: null,
    environment: foreign,
  });
  await expect(asked).rejects.toMatchObject({ kind: "failed" });
});

test("equivalence: rules by the normalised command, a model by its verdict", async () => {
  const rules = makeEquivalenceJudge({ db }, RULES);
  const same = async (gold: string, candidate: string) => (await rules.compare({ prefix, gold, candidate })).equivalent;
  expect(await same("pytest -v tests", "pytest  'tests' 2>&1 | tail -5")).toBe(true);
  expect(await same("pytest tests/a.py", "pytest tests/b.py")).toBe(false);
  const context = await serving({ answer: () => "The scope differs.\n[[A!=B]]" });
  const model = makeEquivalenceJudge(context, MODEL);
  await expect(model.compare({ prefix, gold: "ls", candidate: "ls -R /" })).resolves.toMatchObject({
    equivalent: false,
  });
});

test.each(COMMON_FAULTS.map((fault) => [JSON.stringify(fault), fault] as const))(
  "no judge makes a verdict of %s: it answers after the retry, or says that the call failed",
  async (_, fault) => {
    const answer = () => '<answer>no</answer> [[A=B]] {"rating": 3}';
    const judged = window(run("ls", "a"));
    const once = await serving({ answer, script: [fault] });
    await expect(makeBehaviorJudge(once, MODEL).judge(judged, mode)).resolves.toMatchObject({ answer: "no" });
    const always = await serving({ answer, script: Array(20).fill(fault) });
    const asked = [
      makeBehaviorJudge(always, MODEL).judge(judged, mode),
      makeEquivalenceJudge(always, MODEL).compare({ prefix, gold: "a", candidate: "b" }),
      makeRubricJudge(always, MODEL).rate({
        instruction: "",
        environment,
        rubric: { testsWeight: 0.7, items: RUBRIC.rubrics },
        steps: [],
      }),
      makeRubricWriter(always, MODEL).write({ instruction: "", solution: null, tests: null, environment }),
    ];
    for (const one of await Promise.allSettled(asked))
      expect(one).toMatchObject({ status: "rejected", reason: { kind: "failed" } });
    const failed = db.$client.prepare("select count(*) from usage where status = 'failed' and reading is null").pluck();
    expect(failed.get()).toBe(4);
  },
);
