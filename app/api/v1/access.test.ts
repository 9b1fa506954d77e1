import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { type Actor, NotSignedIn, ROLES, type Role } from "@/lib/people/actor";
import { dispatch } from "./dispatch";
import { OPERATIONS } from "./registry";
import { ADMIN, call } from "./testing";

vi.mock("next/headers", () => ({ cookies: async () => ({ get: () => undefined }) }));

let db: Db;
beforeAll(() => {
  db = openMemoryDb();
});
afterAll(() => db.$client.close());

/** What changes something, or gives out what people answered, is an admin's; the list of queues is for those who rate. */
const ADMINS = [
  "drawPrefixes",
  "prefixOfStep",
  "rerunPrefixes",
  "startProfile",
  "localize",
  "scan",
  "planMeasurement",
  "startMeasurement",
  "judgeMeasurement",
  "dryRunTraining",
  "startTraining",
  "planReviewQueue",
  "createReviewQueue",
  "exportReviewQueue",
  "cancelJob",
  "pauseJob",
  "resumeJob",
  "retryJob",
  "startImport",
  "upload",
];
const ANNOTATORS = ["listReviewQueues"];
const roleOf = (id: string): Role => (ADMINS.includes(id) ? "admin" : ANNOTATORS.includes(id) ? "annotator" : "viewer");

test("every operation states its least role as it is here, and what writes is an admin's", () => {
  expect(OPERATIONS.map((o) => [o.id, o.role])).toEqual(OPERATIONS.map((o) => [o.id, roleOf(o.id)]));
  expect(OPERATIONS.filter((o) => o.method === "POST" && o.role !== "admin")).toEqual([]);
  expect(new Set(OPERATIONS.map((o) => o.id)).size).toBe(OPERATIONS.length);
});

test("every operation is refused below its role, before its input is looked at", async () => {
  for (const o of OPERATIONS)
    for (const role of ROLES.slice(0, ROLES.indexOf(o.role))) {
      const actor: Actor = { personId: 1, name: "Bo", role };
      const answer = await call(db, o.method, `${o.path.replace(/\{\w+\}/g, "x")}?nonsense=1`, { actor });
      expect([o.id, role, answer.status]).toEqual([o.id, role, 403]);
      expect(await answer.json()).toEqual({
        error: { code: "not_allowed", message: expect.stringContaining("needs the role") },
      });
    }
});

test("who is not signed in learns nothing, not even what there is", async () => {
  for (const path of [["jobs"], ["nothing"]]) {
    const answer = await dispatch(db, path, new Request("http://127.0.0.1/x"), () => Promise.reject(new NotSignedIn()));
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { error: { code: "not_signed_in", message: expect.any(String) } },
    ]);
  }
});

const failure = async (method: string, target: string, options: Parameters<typeof call>[3] = {}) => {
  const answer = await call(db, method, target, { actor: ADMIN, ...options });
  return [answer.status, ((await answer.json()) as { error: { code: string; issues?: unknown } }).error];
};

test("errors say what is wrong with which part, unknown parameters and fields included", async () => {
  expect(await failure("GET", "/trajectories?limit=0&sort=colour&what=1")).toEqual([
    400,
    {
      code: "bad_request",
      message: expect.any(String),
      issues: expect.arrayContaining([
        expect.objectContaining({ path: "query.limit" }),
        expect.objectContaining({ path: "query.sort" }),
      ]),
    },
  ]);
  for (const [target, path] of [
    ["/trajectories?limit=", "query.limit"],
    ["/trajectories?limit=1001", "query.limit"],
    ["/trajectories?q=a&q=b", "query.q"],
    ["/trajectories?after=nonsense", "query.after"],
    ["/trajectories?misbehavior=no-such", "query.misbehavior"],
    ["/jobs/x", "path.id"],
    ["/stats?q=1", "query"],
  ])
    expect([target, await failure("GET", target ?? "")]).toEqual([
      target,
      [400, { code: "bad_request", message: expect.any(String), issues: [{ path, message: expect.any(String) }] }],
    ]);
});

test("what is not there, ways that are not taken and bodies that are no JSON have statuses of their own", async () => {
  expect(await failure("GET", "/nothing")).toMatchObject([404, { code: "not_found" }]);
  expect(await failure("GET", "/jobs/999")).toMatchObject([404, { code: "not_found" }]);
  expect(await failure("POST", "/stats")).toMatchObject([405, { code: "method_not_allowed" }]);
  expect(await failure("POST", "/scan", { body: {}, headers: { "content-type": "text/plain" } })).toMatchObject([
    415,
    { code: "unsupported_media_type" },
  ]);
  expect(await failure("POST", "/scan", { body: { scope: "all", more: 1 } })).toMatchObject([
    400,
    { code: "bad_request" },
  ]);
  expect(await failure("POST", "/imports", { body: { path: "/etc/passwd" } })).toMatchObject([
    400,
    { code: "bad_request" },
  ]);
  expect(await failure("POST", "/scan", { body: {}, headers: { "content-length": "99999999" } })).toMatchObject([
    413,
    { code: "too_large" },
  ]);
});
