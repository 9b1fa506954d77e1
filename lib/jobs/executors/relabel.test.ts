import { afterEach, beforeEach, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { labelSources } from "@/db/queries/generality";
import { misbehaviorOverview } from "@/db/queries/misbehaviors";
import { listTaxonomies, lookedAt, taxonomyInForce, typesOf } from "@/db/queries/taxonomies";
import { staleSteps } from "@/db/queries/taxonomy-flow";
import { doctor } from "@/lib/jobs/doctor";
import { claimJob, getJob } from "@/lib/jobs/queue";
import { enqueueRelabel } from "@/lib/jobs/relabelJob";
import { runJob } from "@/lib/jobs/run";
import { noSleep, openAiServer, settingsFor } from "@/lib/model/chat/testing/openai";
import { openAnnotator } from "@/lib/taxonomy/annotator/open";
import { applyEdits } from "@/lib/taxonomy/edit/apply";
import type { GivenOperation } from "@/lib/taxonomy/edit/operations";
import { exportTaxonomy, importTaxonomy, NoTaxonomyFile, readTaxonomyFile } from "@/lib/taxonomy/exchange";
import { CannotBeInForce, setInForce } from "@/lib/taxonomy/inForce";
import { RelabelRefused } from "@/lib/taxonomy/relabel";
import { madeIndex, makeTrajectory } from "@/lib/taxonomy/testing";
import { makeRelabelExecutor } from "./relabel";

let db: Db;
beforeEach(() => {
  db = madeIndex();
  for (let i = 0; i < 4; i++) makeTrajectory(db, [["make", "retry-same-cause"], ["ls"]]);
  makeTrajectory(db, [
    ["make -j", "retry-same-cause"],
    ["cat x", "binary-as-text"],
  ]);
});
afterEach(() => db.$client.close());

const edit = (...operations: GivenOperation[]) =>
  applyEdits(db, { taxonomyId: taxonomyInForce(db), operations, actor: "ann" });
const run = async (jobId: number, executor = makeRelabelExecutor(openAnnotator)) => {
  const job = claimJob(db, "t", jobId);
  if (!job) throw new Error("not queued");
  await runJob(db, job, executor, "t", new AbortController().signal);
  return getJob(db, jobId);
};
const steps = (taxonomyId: number) =>
  Object.fromEntries(
    typesOf(db, taxonomyId)
      .filter((t) => t.errorSteps > 0)
      .map((t) => [t.slug, t.errorSteps]),
  );
const SPLIT: GivenOperation = {
  kind: "split",
  type: "retry-same-cause",
  into: [
    { name: "Plain repeat", definition: "the same command again" },
    { name: "Varied repeat", definition: "with other options" },
  ],
};

test("a model relabels the stale steps only; versions before keep their numbers, people's labels stay", async () => {
  const before = misbehaviorOverview(db, 1);
  const { taxonomyId } = edit(SPLIT);
  expect(steps(taxonomyId)).toEqual({ "plain-repeat": 5, "varied-repeat": 5, "binary-as-text": 1 });
  db.$client.exec("insert into person (id, name) values (1, 'ann')");
  const plain = typesOf(db, taxonomyId).find((t) => t.slug === "plain-repeat")?.id;
  const last = staleSteps(db, taxonomyId).at(-1)?.stepId;
  db.$client
    .prepare("insert into label (step_id, error_type_id, source, person_id) values (?, ?, 'person', 1)")
    .run(last, plain);
  const asked: string[] = [];
  const server = await openAiServer({
    answer: ({ texts }) => {
      const rows = [...(texts[1] ?? "").matchAll(/^\{"id":.*$/gm)].map(
        (m) => JSON.parse(m[0]) as { id: number; command: string },
      );
      asked.push(...rows.map((r) => r.command));
      return JSON.stringify({
        assignments: rows.map((r) => ({
          id: r.id,
          types: [r.command.includes("-j") ? "Varied repeat" : "Plain repeat"],
        })),
        unassigned: [],
      });
    },
  });
  try {
    const settings = settingsFor(server);
    const executor = makeRelabelExecutor((on, spec, options) =>
      openAnnotator(on, spec, { ...options, settings, env: {}, sleep: noSleep }),
    );
    const { jobId, steps: many } = enqueueRelabel(db, { taxonomyId, annotator: "model" as never, batchSize: 2 }, "t");
    expect(many).toBe(5);
    expect(await run(jobId, executor)).toMatchObject({
      status: "done",
      counts: expect.stringContaining('"labelled":5'),
    });
  } finally {
    await server.close();
  }
  expect(asked.toSorted()).toEqual(["make", "make", "make", "make", "make -j"]);
  // Four and the person's; the model says varied for the fifth.
  expect(steps(taxonomyId)).toEqual({ "plain-repeat": 5, "varied-repeat": 1, "binary-as-text": 1 });
  expect(labelSources(db, plain ?? 0).map((s) => [s.source, s.steps, s.carried])).toEqual([
    ["model", 4, 0],
    ["person", 1, 0],
  ]);
  expect(staleSteps(db, taxonomyId)).toEqual([]);
  expect(misbehaviorOverview(db, 1)).toEqual(before);
  expect(doctor(db).find((c) => c.name === "Counters")).toMatchObject({ level: "ok" });
  expect(() => enqueueRelabel(db, { taxonomyId }, "t")).toThrow(/no label waits/);
});

test("rules leave what they cannot see, and it still waits", async () => {
  const { taxonomyId } = edit(SPLIT, {
    kind: "merge",
    types: ["binary-as-text", "unverified-kill"],
    name: "Blunt tools",
  });
  const { jobId } = enqueueRelabel(db, { taxonomyId }, "t");
  expect(await run(jobId)).toMatchObject({ status: "done", counts: expect.stringContaining('"stillStale":5') });
  expect(steps(taxonomyId)).toEqual({ "plain-repeat": 5, "varied-repeat": 5, "blunt-tools": 1 });
  expect(lookedAt(db, taxonomyId).stale).toBe(5);
});

test("versions that are not the newest, and the built-in one, are not relabelled", () => {
  expect(() => enqueueRelabel(db, { taxonomyId: 1 }, "t")).toThrow(RelabelRefused);
  const { taxonomyId } = edit(SPLIT);
  edit({ kind: "retire", type: "varied-repeat" });
  expect(() => enqueueRelabel(db, { taxonomyId }, "t")).toThrow(/older ones stay as they are/);
});

test("a taxonomy goes out as JSON and comes back; its steps are labelled when a job is asked to", async () => {
  edit(
    { kind: "merge", types: ["binary-as-text", "unverified-kill"], name: "Blunt tools" },
    { kind: "retire", type: "guess-as-fact" },
  );
  const file = exportTaxonomy(db, 2);
  if (!file) throw new Error("nothing exported");
  const read = readTaxonomyFile(JSON.stringify(file));
  expect(read.types.map((t) => [t.slug, t.status, t.errorSteps])).toContainEqual(["blunt-tools", "kept", 1]);
  expect(read.operations.map((o) => o.kind)).toEqual(["merge", "retire"]);
  expect(() => importTaxonomy(db, read, { actor: "t" })).toThrow(/built-in taxonomy/);
  const { taxonomyId, version } = importTaxonomy(db, read, { name: "ours", actor: "t" });
  expect(version).toBe(1);
  expect(misbehaviorOverview(db, taxonomyId)).toMatchObject({
    unseen: 6,
    named: { errorSteps: 0 },
    unlabelled: { errorSteps: 0 },
  });
  const { jobId } = enqueueRelabel(db, { taxonomyId, scope: "open" }, "t");
  await run(jobId);
  expect(steps(taxonomyId)).toEqual(steps(2));
  const again = exportTaxonomy(db, taxonomyId);
  expect(again?.types).toEqual(file.types);
  expect(importTaxonomy(db, read, { name: "ours", actor: "t" }).version).toBe(2);
});

test("a file that is no taxonomy is refused with its fault, and writes nothing", () => {
  const good = exportTaxonomy(db, 1);
  const rows = () =>
    db.$client.prepare("select (select count(*) from taxonomy) + (select count(*) from error_type)").pluck().get();
  const before = rows();
  const bad: [unknown, RegExp][] = [
    ["{", /not JSON/],
    [{}, /misstep/],
    [{ ...good, types: [] }, /says nothing/],
    [{ ...good, types: [{ slug: "a", name: "A", definition: "" }] }, /types\.0\.definition/],
    [{ ...good, types: [1, 2].map((i) => ({ slug: `s${i}`, name: "Same", definition: "d" })) }, /comes twice/],
    [{ ...good, types: [{ slug: "a", name: "A", definition: "d", detectors: ["nothing-of-ours"] }] }, /detectors/],
  ];
  for (const [given, fault] of bad) {
    const read = () => readTaxonomyFile(typeof given === "string" ? given : JSON.stringify(given));
    expect(read).toThrow(NoTaxonomyFile);
    expect(read).toThrow(fault);
  }
  expect(rows()).toBe(before);
});

test("the version in force is a choice that is kept, and the default follows the newest built-in one", () => {
  expect(taxonomyInForce(db)).toBe(1);
  edit({ kind: "retire", type: "guess-as-fact" });
  expect(taxonomyInForce(db)).toBe(2);
  setInForce(db, 1, "t");
  expect(taxonomyInForce(db)).toBe(1);
  expect(misbehaviorOverview(db).rows).toHaveLength(8);
  setInForce(db, null, "t");
  expect(misbehaviorOverview(db).rows).toHaveLength(7);
  expect(() => setInForce(db, 99, "t")).toThrow(CannotBeInForce);
  expect(listTaxonomies(db).map((t) => [t.version, t.newest])).toEqual([
    [2, 1],
    [1, 0],
  ]);
});
