import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { openMemoryDb } from "@/db/client";
import { cookiesOf, join, openWithAccounts, PASSWORD, post, temporaryHome } from "@/lib/people/accounts/testing";
import { addPerson } from "@/lib/people/add";
import { setDisabled } from "@/lib/people/disable";
import { createToken } from "@/lib/people/tokens/create";
import { revokeToken } from "@/lib/people/tokens/revoke";
import { decide } from "./gate";

let db: Db;
let cookie: string;
let bo: number;
let home: ReturnType<typeof temporaryHome>;
const CLI = { personId: null, name: "cli", role: "admin" as const };
beforeAll(async () => {
  home = temporaryHome();
  db = openWithAccounts();
  await join(db, "Ada", "admin");
  bo = (await join(db, "Bo", "viewer")).personId;
  cookie = cookiesOf(await post(db, "sign-in/username", { username: "Bo", password: PASSWORD }));
});
afterAll(() => {
  db.$client.close();
  home.remove();
});

const at = (method: string, url: string, headers: Record<string, string> = {}, loopback = true) =>
  decide(db, { method, url, headers }, { loopback });

test.each([
  ["GET", "/", { kind: "sign in", location: "/sign-in" }],
  ["GET", "/trajectories?q=a%20b&_rsc=1", { kind: "sign in", location: "/sign-in?next=%2Ftrajectories%3Fq%3Da%2Bb" }],
  ["GET", "/settings/clusters/guide", { kind: "sign in" }],
  ["GET", "/api/jobs", { kind: "refuse", status: 401 }],
  ["GET", "/api/bundles/x", { kind: "refuse", status: 401 }],
  ["POST", "/api/upload?batch=1&path=x", { kind: "refuse", status: 401 }],
  ["POST", "/import", { kind: "refuse", status: 401 }],
  // Actions answer at any page's address, also at those that are open to read.
  ["POST", "/sign-in", { kind: "refuse", status: 401 }],
  ["POST", "/invite/abc", { kind: "refuse", status: 401 }],
  // Paths that begin like an open one and are read as another.
  ["GET", "/_next/static/../../trajectories", { kind: "sign in" }],
  ["GET", "/_next/static/%2e%2e/%2e%2e/trajectories", { kind: "sign in" }],
  ["GET", "/_next/static/..%2f..%2ftrajectories", { kind: "sign in" }],
  ["GET", "/sign-in/../trajectories", { kind: "sign in" }],
  ["GET", "/sign-in\\..\\trajectories", { kind: "sign in" }],
  ["GET", "/invite/abc/../../trajectories", { kind: "sign in" }],
  ["GET", "/api/health/../jobs", { kind: "refuse", status: 401 }],
  ["GET", "/sign-in", { kind: "pass" }],
  ["GET", "/sign-in?next=%2F", { kind: "pass" }],
  ["GET", "/invite/a-b_C9", { kind: "pass" }],
  ["GET", "/api/health", { kind: "pass" }],
  ["GET", "/icon.svg?x", { kind: "pass" }],
  ["GET", "/_next/static/chunks/app/%5Bid%5D/page-1a.js", { kind: "pass" }],
])("without a session %s %s", (method, url, decision) => {
  expect(at(method, url)).toMatchObject(decision);
});

test("data for a page that is open already is refused, so that the browser loads the address anew", () => {
  expect(at("GET", "/jobs?_rsc=1", { rsc: "1" })).toMatchObject({ kind: "refuse", status: 401 });
});

test("the endpoints by which one comes in take short bodies of a stated length", () => {
  expect(at("POST", "/api/auth/sign-in/username", { "content-length": "60" })).toEqual({ kind: "pass" });
  expect(at("POST", "/api/auth/sign-in/username")).toMatchObject({ status: 411 });
  expect(at("POST", "/api/auth/invitation", { "content-length": "99999999" })).toMatchObject({ status: 413 });
  expect(at("POST", "/api/auth/update-user", { "content-length": "60" })).toMatchObject({ status: 401 });
});

test("a session lets in until its person is disabled, with their next request", () => {
  for (const [method, url] of [
    ["GET", "/trajectories"],
    ["GET", "/api/jobs"],
    ["POST", "/jobs"],
  ] as const)
    expect(at(method, url, { cookie: `theme=dark; ${cookie}` })).toEqual({ kind: "pass" });
  setDisabled(db, CLI, { personId: bo, disabled: true });
  expect(at("GET", "/trajectories", { cookie })).toMatchObject({ kind: "sign in" });
  expect(at("GET", "/api/jobs", { cookie })).toMatchObject({ status: 401 });
});

test("without accounts everybody on this machine is let in, and nobody where others can knock", () => {
  const open = openMemoryDb();
  const request = { method: "GET", url: "/trajectories", headers: {} };
  expect(decide(open, request, { loopback: true })).toEqual({ kind: "pass" });
  expect(decide(open, request, { loopback: false })).toMatchObject({ kind: "refuse", status: 503 });
});

test("a token lets in where programs call and nowhere else, until it is revoked", () => {
  const { id, token } = createToken(db, CLI, {
    personId: addPerson(db, CLI, { name: "Cy", role: "viewer" }),
    name: "script",
    role: "viewer",
    days: null,
  });
  const headers = { authorization: `Bearer ${token}` };
  expect(at("GET", "/api/v1/jobs", headers)).toEqual({ kind: "pass" });
  expect(at("POST", "/api/v1/imports", headers)).toEqual({ kind: "pass" });
  for (const elsewhere of ["/api/jobs", "/api/v1/../jobs", "/api/v1%2fjobs", "/jobs", "/api/upload"])
    expect([elsewhere, at("GET", elsewhere, headers).kind]).not.toContain("pass");
  expect(at("GET", "/api/v1/jobs", { authorization: `Bearer ${token}x` })).toMatchObject({
    kind: "refuse",
    status: 401,
  });
  expect(at("GET", "/api/v1/jobs")).toMatchObject({ kind: "refuse", status: 401 });
  revokeToken(db, CLI, id);
  expect(at("GET", "/api/v1/jobs", headers)).toMatchObject({ kind: "refuse", status: 401 });
});
