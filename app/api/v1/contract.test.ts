import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { temporaryHome } from "@/lib/people/accounts/testing";
import { OPERATIONS } from "./registry";
import { call, seedSmall } from "./testing";

vi.mock("next/headers", () => ({ cookies: async () => ({ get: () => undefined }) }));

let db: Db;
let home: ReturnType<typeof temporaryHome>;
beforeAll(async () => {
  home = temporaryHome();
  db = openMemoryDb();
  await seedSmall(db);
});
afterAll(() => {
  db.$client.close();
  home.remove();
});

const measurement = { policies: ["expert"], fewest: 1, prefixes: 1, samples: 1 };
const queue = {
  source: { list: "trajectories" },
  queue: { name: "first", question: "wrong", raters: 1, draw: { strategy: "all", n: 5 } },
};
/** A kept held-out prefix, which only a rerun in a sandbox makes. */
const keep = () => db.$client.prepare("update prefix set status = 'kept', split = 'heldout'").run();

/**
 * One call of every operation, in an order in which each finds what it needs: what POST made is shown after it. `before`:
 * what other processes would have done.
 */
const CALLS: Record<string, { target: string; body?: unknown; before?: () => unknown }> = {
  openapi: { target: "/openapi.json" },
  whoAmI: { target: "/me" },
  stats: { target: "/stats" },
  study: { target: "/study" },
  listTrajectories: { target: "/trajectories?outcome=failed&outcome=passed&misbehavior=any&limit=1" },
  showTrajectory: { target: "/trajectories/1" },
  listSteps: { target: "/trajectories/1/steps?count=2" },
  search: { target: "/search?q=awk" },
  listErrorSteps: { target: "/error-steps?misbehavior=unlabelled" },
  listMisbehaviors: { target: "/misbehaviors" },
  listTaxonomies: { target: "/taxonomies" },
  showTaxonomy: { target: "/taxonomies/1" },
  drawPrefixes: { target: "/prefixes/draw", body: { per: 5, seed: 1, heldOut: 0.5 } },
  prefixOfStep: { target: "/prefixes", body: { trajectoryId: 1, entry: 2 } },
  rerunPrefixes: { target: "/prefixes/rerun", body: { ids: [1] } },
  listPrefixes: { target: "/prefixes?limit=1" },
  showPrefix: { target: "/prefixes/1" },
  listEnvironments: { target: "/environments" },
  showEnvironment: { target: "/environments/1" },
  startProfile: { target: "/profiles", body: { environments: { suite: "tiny", count: 2 }, policy: "expert" } },
  listProfiles: { target: "/profiles" },
  showProfile: { target: "/profiles/1" },
  listCheckpoints: { target: "/checkpoints?limit=1" },
  showCheckpoint: { target: "/checkpoints/1" },
  listModels: { target: "/models" },
  scan: { target: "/scan", body: {} },
  planMeasurement: { target: "/measurements/plan", body: measurement, before: keep },
  startMeasurement: { target: "/measurements", body: measurement },
  listMeasurements: { target: "/measurements" },
  showMeasurement: { target: "/measurements/1" },
  judgeMeasurement: {
    target: "/measurements/1/judge",
    body: { judge: "rules" },
    before: () => db.$client.prepare("update job set status = 'done' where kind = 'measure'").run(),
  },
  scores: { target: "/scores" },
  listRecipes: { target: "/recipes" },
  dryRunTraining: {
    target: "/trainings/dry-run",
    body: { settings: { steps: 1, batch: 1, group: 2 } },
    before: () => db.$client.prepare("update prefix set split = 'training'").run(),
  },
  startTraining: { target: "/trainings", body: { name: "short", settings: { steps: 1, batch: 1, group: 2 } } },
  listTrainings: { target: "/trainings" },
  showTraining: { target: "/trainings/1" },
  trainingCurve: { target: "/trainings/1/curve" },
  planReviewQueue: { target: "/review-queues/plan", body: queue },
  createReviewQueue: { target: "/review-queues", body: queue },
  listReviewQueues: { target: "/review-queues" },
  exportReviewQueue: { target: "/review-queues/1/export?blind=true" },
  listJobs: { target: "/jobs?limit=1" },
  showJob: { target: "/jobs/1" },
  jobLog: { target: "/jobs/1/log" },
  jobFailures: { target: "/jobs/1/failures" },
  importFiles: { target: "/jobs/1/files" },
  pauseJob: { target: "/jobs/1/pause" },
  resumeJob: { target: "/jobs/1/resume" },
  cancelJob: { target: "/jobs/1/cancel" },
  retryJob: { target: "/jobs/1/retry" },
  usage: { target: "/usage" },
  cost: { target: "/cost" },
  startImport: { target: "/imports" },
  upload: { target: "/uploads?batch=0123456789abcdef&path=a.json", body: { any: "bytes" } },
};
/** Needs a model of the settings, which asks a server: refused here with a reason. */
const REFUSED = { localize: { target: "/localize", body: { scope: { all: true }, localizer: "model:none" } } };

test("every operation is called here", () => {
  expect([...Object.keys(CALLS), ...Object.keys(REFUSED)].sort()).toEqual(OPERATIONS.map((o) => o.id).sort());
});

test("every operation answers with the status it states and a body that its own description takes", async () => {
  for (const [id, { target, body, before }] of Object.entries(CALLS)) {
    before?.();
    const o = OPERATIONS.find((one) => one.id === id);
    if (!o) throw new Error(id);
    const sent = id === "startImport" ? { path: process.env.MISSTEP_HOME ? `${home.dir}/uploads` : "" } : body;
    const answer = await call(db, o.method, target, sent === undefined ? {} : { body: sent });
    const text = await answer.text();
    expect([id, answer.status, text.slice(0, 400)]).toEqual([id, o.status ?? 200, text.slice(0, 400)]);
    if (o.response) expect([id, o.response.safeParse(JSON.parse(text)).error?.issues ?? []]).toEqual([id, []]);
    else for (const line of text.trim().split("\n")) JSON.parse(line);
  }
});

test("what cannot be done is refused with a reason", async () => {
  const { target, body } = REFUSED.localize;
  const answer = await call(db, "POST", target, { body });
  expect([answer.status, await answer.json()]).toEqual([
    422,
    { error: { code: "refused", message: expect.any(String) } },
  ]);
});

/** Calls that are refused by what is in them, and by what they name. */
const WRONG: [method: string, target: string, body: unknown, status: number][] = [
  ["POST", "/review-queues/plan", { source: { list: "ids", ids: "none" }, queue: queue.queue }, 422],
  ["POST", "/measurements", { ...measurement, judges: ["nobody"] }, 422],
  ["POST", "/profiles", { environments: { suite: "tiny", count: 1 }, policy: "expert", localizer: "nobody" }, 422],
  ["POST", "/trainings/dry-run", { recipe: "nobody" }, 404],
  ["GET", "/usage?job=99", undefined, 404],
  ["GET", "/scores?dataset=none", undefined, 404],
  ["GET", "/misbehaviors?taxonomy=99", undefined, 404],
  ["GET", "/cost?nonsense=1", undefined, 400],
  ["GET", "/recipes?nonsense=1", undefined, 400],
];

test.each(WRONG)("%s %s is refused with a reason, under a status that the description states", async (...wrong) => {
  const [method, target, body, status] = wrong;
  const answer = await call(db, method, target, body === undefined ? {} : { body });
  const said = (await answer.json()) as { error: { message: string } };
  expect([answer.status, said.error?.message]).toEqual([status, expect.stringMatching(/\w/)]);
  const spec = (await (await call(db, "GET", "/openapi.json")).json()) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  };
  const of = spec.paths[target.replace(/\?.*/, "")]?.[method.toLowerCase()];
  expect(Object.keys(of?.responses ?? {})).toContain(String(status));
});

test("the description names every operation once, with its role and its schemas", async () => {
  const spec = (await (await call(db, "GET", "/openapi.json")).json()) as {
    paths: Record<string, Record<string, { operationId: string; "x-role": string; responses: object }>>;
  };
  const described = Object.entries(spec.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, o]) => `${method.toUpperCase()} ${path} ${o.operationId} ${o["x-role"]}`),
  );
  expect(described.sort()).toEqual(OPERATIONS.map((o) => `${o.method} ${o.path} ${o.id} ${o.role}`).sort());
});
