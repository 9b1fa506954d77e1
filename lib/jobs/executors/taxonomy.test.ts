import { afterEach, beforeEach, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { misbehaviorOverview } from "@/db/queries/misbehaviors";
import { listTaxonomies, lookedAt, typesOf } from "@/db/queries/taxonomies";
import { doctor } from "@/lib/jobs/doctor";
import { cancelJob, claimJob, getJob, resumeJob, retryJob } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { enqueueTaxonomy } from "@/lib/jobs/taxonomyJob";
import { noSleep, openAiServer, settingsFor } from "@/lib/model/chat/testing/openai";
import { RoleFailure } from "@/lib/model/role/types";
import { openAnnotator } from "@/lib/taxonomy/annotator/open";
import { storedBatches } from "@/lib/taxonomy/batches";
import { applyEdits } from "@/lib/taxonomy/edit/apply";
import type { GivenTaxonomySettings } from "@/lib/taxonomy/settings";
import { madeIndex, makeTrajectory } from "@/lib/taxonomy/testing";
import { makeTaxonomyExecutor } from "./taxonomy";

let db: Db;
beforeEach(() => {
  db = madeIndex();
  // 24 error steps: 12 retries, 8 binary files (4 of them kills as well), 4 guesses.
  for (let i = 0; i < 12; i++) makeTrajectory(db, [["make", "retry-same-cause"], ["ls"]], { task: `task-${i % 3}` });
  for (let i = 0; i < 4; i++)
    makeTrajectory(db, [
      ["cat x", "binary-as-text"],
      ["pkill y", "binary-as-text", "unverified-kill"],
    ]);
  for (let i = 0; i < 4; i++) makeTrajectory(db, [["echo 7", "guess-as-fact"]]);
});
afterEach(() => db.$client.close());

const SMALL: GivenTaxonomySettings = {
  batchSize: 4,
  proposeBatches: 3,
  maxRefine: 3,
  labelBatchSize: 5,
  parallel: 2,
  keepShare: 0.2,
};
const start = (settings: GivenTaxonomySettings = {}) =>
  enqueueTaxonomy(db, { name: "mine", settings: { ...SMALL, ...settings }, requestedBy: "test" });
const run = async (jobId: number, executor = makeTaxonomyExecutor(openAnnotator), stop = new AbortController()) => {
  const job = claimJob(db, "t", jobId);
  if (!job) throw new Error("not queued");
  await runJob(db, job, executor, "t", stop.signal);
  return getJob(db, jobId)?.status;
};
/** Everything a build comes to, without ids that depend on the order of insertion. */
const contents = (taxonomyId: number) => ({
  types: typesOf(db, taxonomyId).map(({ slug, name, status, rank, errorSteps, examples }) => ({
    slug,
    name,
    status,
    rank,
    errorSteps,
    examples,
  })),
  labels: db.$client
    .prepare(
      "select l.step_id, e.slug from label l join error_type e on e.id = l.error_type_id where e.taxonomy_id = ? and l.current = 1 order by 1, 2",
    )
    .raw()
    .all(taxonomyId),
  batches: db.$client
    .prepare(
      "select phase, number, status, step_ids, answer from taxonomy_batch where taxonomy_id = ? order by phase, number",
    )
    .raw()
    .all(taxonomyId),
});

test("rules build a version: labelled, counted, small types in the tail, the built-in numbers as before", async () => {
  const before = misbehaviorOverview(db);
  const { taxonomyId, jobId } = start();
  expect(await run(jobId)).toBe("done");
  expect(listTaxonomies(db)[0]).toMatchObject({
    name: "mine",
    version: 1,
    status: "done",
    origin: "annotator",
    coverage: "assigned",
  });
  expect(typesOf(db, taxonomyId).map((t) => [t.detectors[0], t.status, t.named, t.errorSteps])).toEqual([
    ["retry-same-cause", "kept", 1, 12],
    ["binary-as-text", "kept", 1, 8],
    // 4 of 24 are fewer than a fifth; order of equals is by how often they were seen.
    [expect.stringMatching(/kill|guess/), "tail", 0, 4],
    [expect.stringMatching(/kill|guess/), "tail", 0, 4],
  ]);
  const overview = misbehaviorOverview(db, taxonomyId);
  expect(overview).toMatchObject({
    all: { errorSteps: 24 },
    named: { errorSteps: 20 },
    unlabelled: { errorSteps: 4 },
    unseen: 0,
  });
  expect(overview.rows.map((r) => r.environments)).toEqual([3, 1]);
  expect(lookedAt(db, taxonomyId)).toEqual({ labelled: 24, none: 0, failed: 0, unparsed: 0, stale: 0 });
  expect(misbehaviorOverview(db)).toEqual(before);
  expect(doctor(db).find((c) => c.name === "Counters")).toMatchObject({ level: "ok" });
});

test("new findings label the newest version too, and are counted under it", async () => {
  const { taxonomyId, jobId } = start();
  await run(jobId);
  makeTrajectory(db, [["make", "retry-same-cause"], ["rm"]]);
  expect(misbehaviorOverview(db, taxonomyId).rows[0]).toMatchObject({ errorSteps: 13 });
  expect(misbehaviorOverview(db).all.errorSteps).toBe(25);
  expect(misbehaviorOverview(db, taxonomyId).unseen).toBe(0);
});

test("stopped anywhere and taken up again, a build comes to the same", async () => {
  const first = start();
  await run(first.jobId);
  const whole = contents(first.taxonomyId);
  const second = start();
  for (let stops = 0; getJob(db, second.jobId)?.status !== "done"; stops++) {
    if (stops > 60) throw new Error("does not come to an end");
    const stop = new AbortController();
    const inner = makeTaxonomyExecutor((...given) => {
      const annotator = openAnnotator(...given);
      const cut =
        <A extends unknown[], T>(f: (...args: A) => Promise<T>) =>
        (...args: A) => {
          stop.abort();
          return f(...args);
        };
      return {
        ...annotator,
        propose: cut(annotator.propose),
        refine: cut(annotator.refine),
        label: cut(annotator.label),
      };
    });
    await run(second.jobId, inner, stop);
  }
  expect(contents(second.taxonomyId)).toEqual(whole);
  expect(listTaxonomies(db)[0]).toMatchObject({ version: 2 });
});

test("nothing to look at, and nothing found, fail with a reason", async () => {
  const none = start({ steps: { profile: 99 } });
  expect(await run(none.jobId)).toBe("failed");
  expect(getJob(db, none.jobId)?.error).toContain("no error step");
  expect(listTaxonomies(db)[0]).toMatchObject({ status: "failed" });
  const rare = start({ recurrence: 50, proposeBatches: 6, maxRefine: 0 });
  // Six batches answered, none has a type in six of them.
  expect(await run(rare.jobId)).toBe("failed");
  expect(listTaxonomies(db)[0]).toMatchObject({ status: "failed" });
});

test("a build that was cancelled or failed is no version being built: the one before can be edited, and it can be tried again", async () => {
  const done = start();
  await run(done.jobId);
  const cancelled = start();
  const rename = (name: string, id = done.taxonomyId) =>
    applyEdits(db, {
      taxonomyId: id,
      operations: [{ kind: "rename", type: typesOf(db, id)[0]?.slug ?? "", name }],
      actor: "test",
    });
  expect(() => rename("Early")).toThrow(/version 2 of mine is being built/);
  cancelJob(db, cancelled.jobId, "test");
  expect(listTaxonomies(db)[0]).toMatchObject({ version: 2, status: "failed" });
  expect(rename("Late")).toMatchObject({ version: 3 });
  retryJob(db, cancelled.jobId, "test");
  expect(listTaxonomies(db).find((t) => t.id === cancelled.taxonomyId)?.status).toBe("building");
  expect(await run(cancelled.jobId)).toBe("done");
  expect(contents(cancelled.taxonomyId).labels.length).toBeGreaterThan(0);
});

test("a build that is tried again leaves a version alone that was edited while its annotator thought", async () => {
  const failing = (during: () => void) =>
    makeTaxonomyExecutor((...given) => ({
      ...openAnnotator(...given),
      label: async () => {
        during();
        throw new RoleFailure("failed", "no answer");
      },
    }));
  const { taxonomyId, jobId } = start({ parallel: 1 });
  expect(
    await run(
      jobId,
      failing(() => undefined),
    ),
  ).toBe("partial");
  retryJob(db, jobId, "test");
  let before: unknown;
  const edit = () => {
    if (before) return;
    const operations = [{ kind: "rename" as const, type: typesOf(db, taxonomyId)[0]?.slug ?? "", name: "Other" }];
    applyEdits(db, { taxonomyId, operations, actor: "test" });
    before = [contents(taxonomyId), lookedAt(db, taxonomyId), misbehaviorOverview(db, taxonomyId)];
  };
  const answering = makeTaxonomyExecutor((...given) => {
    const annotator = openAnnotator(...given);
    return {
      ...annotator,
      label: (...asked) => {
        edit();
        return annotator.label(...asked);
      },
    };
  });
  expect(await run(jobId, answering)).toBe("failed");
  expect(getJob(db, jobId)?.error).toMatch(/edited since/);
  expect([contents(taxonomyId), lookedAt(db, taxonomyId), misbehaviorOverview(db, taxonomyId)]).toEqual(before);
});

/** A model that sorts by words in the commands, over real HTTP. */
function answerOf(texts: string[]): string {
  const [system = "", user = ""] = texts;
  const rows = [...user.matchAll(/^\{"id":.*$/gm)].map((m) => JSON.parse(m[0]) as { id: number; command: string });
  const of = (word: string) => rows.filter((r) => r.command.includes(word)).map((r) => r.id);
  const retry = {
    name: "Repeats without change",
    definition: "Runs the same thing again.",
    is_not: ["after a change"],
    example_ids: of("make"),
  };
  const noise = { name: "Reads the unreadable", definition: "Prints bytes.", is_not: [], example_ids: of("cat") };
  const rest = rows.filter((r) => !/make|cat/.test(r.command)).map((r) => r.id);
  if (system.startsWith("You study"))
    return JSON.stringify({
      types: [retry, noise].filter((t) => t.example_ids.length > 0),
      unassigned: rest.map((id) => ({ id, reason: "one_off" })),
    });
  const assignments = [
    ...of("make").map((id) => ({ id, types: [retry.name] })),
    ...of("cat").map((id) => ({ id, types: [noise.name] })),
  ];
  if (system.startsWith("You keep"))
    return JSON.stringify({ assignments, unassigned: rest.map((id) => ({ id, reason: "one_off" })), new_types: [] });
  return JSON.stringify({ assignments, unassigned: rest });
}

test("a model builds a version over HTTP; faults of the server leave no wrong label, and a retry asks again for what failed", async () => {
  let broken = true;
  const server = await openAiServer({
    answer: ({ texts }) => {
      const reply = answerOf(texts);
      if (!broken || !texts[0]?.startsWith("You label")) return reply;
      // Batch with the kills: never readable. Batch with step 1 missing: read for the others.
      if (texts[1]?.includes("pkill")) return "I would rather not.";
      return reply;
    },
    faults: { seed: 5, share: 0.2 },
  });
  try {
    const settings = settingsFor(server);
    const executor = makeTaxonomyExecutor((on, spec, options) =>
      openAnnotator(on, spec, { ...options, settings, env: {}, sleep: noSleep }),
    );
    const { taxonomyId, jobId } = start({ annotator: { use: "model" }, keepShare: 0.01 });
    expect(await run(jobId, executor)).toBe("partial");
    const seen = lookedAt(db, taxonomyId);
    expect(seen.failed + seen.unparsed).toBeGreaterThan(0);
    expect(seen.labelled + seen.none + seen.failed + seen.unparsed).toBe(24);
    // Failed and unparsed steps are neither labelled nor unlabelled.
    const { named, unlabelled, unseen } = misbehaviorOverview(db, taxonomyId);
    expect([named.errorSteps, unlabelled.errorSteps, unseen]).toEqual([
      seen.labelled,
      seen.none,
      seen.failed + seen.unparsed,
    ]);
    broken = false;
    expect(retryJob(db, jobId, "test")).toEqual({ ok: true });
    expect(await run(jobId, executor)).toBe("done");
    expect(lookedAt(db, taxonomyId)).toEqual({ labelled: 16, none: 8, failed: 0, unparsed: 0, stale: 0 });
    expect(typesOf(db, taxonomyId).map((t) => [t.name, t.errorSteps])).toEqual([
      ["Repeats without change", 12],
      ["Reads the unreadable", 4],
    ]);
    // Each batch leads to the call it came from.
    const calls = db.$client
      .prepare("select count(*) from taxonomy_batch b join usage u on u.id = b.usage_id and u.job_id = ?")
      .pluck()
      .get(jobId);
    const stored = db.$client
      .prepare("select count(*) from taxonomy_batch where taxonomy_id = ?")
      .pluck()
      .get(taxonomyId);
    expect(calls).toBe(stored);
    expect(storedBatches(db, taxonomyId).every((b) => b.answer !== null)).toBe(true);
  } finally {
    await server.close();
  }
});

test("a build whose budget is reached again and again, wherever, comes to what it comes to without one", async () => {
  const server = await openAiServer({ answer: ({ texts }) => answerOf(texts) });
  try {
    const settings = settingsFor(server);
    let calls: number | undefined;
    const executor = makeTaxonomyExecutor((on, spec, options) =>
      openAnnotator(on, spec, { ...options, settings, budget: calls === undefined ? {} : { calls }, sleep: noSleep }),
    );
    const model: GivenTaxonomySettings = { annotator: { use: "model" } };
    const whole = start(model);
    expect(await run(whole.jobId, executor)).toBe("done");
    const made = server.requests.length;
    // So that nothing comes from the cache.
    db.$client.exec("update usage set reading = 'unparsed'");
    const paid = start(model);
    const phases = new Set<unknown>();
    for (calls = 1; (await run(paid.jobId, executor)) !== "done"; calls++) {
      expect(getJob(db, paid.jobId)).toMatchObject({ status: "paused", items_failed: 0 });
      const last = db.$client.prepare(
        "select phase from taxonomy_batch where taxonomy_id = ? order by id desc limit 1",
      );
      phases.add(last.pluck().get(paid.taxonomyId));
      expect(resumeJob(db, paid.jobId, "test")).toEqual({ ok: true });
    }
    expect([...phases]).toEqual(["propose", "refine", "label"]);
    expect(contents(paid.taxonomyId)).toEqual(contents(whole.taxonomyId));
    expect(JSON.parse(getJob(db, paid.jobId)?.counts ?? "")).toEqual(JSON.parse(getJob(db, whole.jobId)?.counts ?? ""));
    expect(server.requests.length).toBeLessThanOrEqual(2 * made);
  } finally {
    await server.close();
  }
});
