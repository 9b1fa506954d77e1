import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { tokens } from "@/db/queries/tokens";
import { CLI } from "@/lib/people/accounts/testing";
import { type Actor, NotAllowed, type Role } from "@/lib/people/actor";
import { addPerson } from "@/lib/people/add";
import { changeRole } from "@/lib/people/changeRole";
import { setDisabled } from "@/lib/people/disable";
import { bearerOf, tokenActor } from "./actor";
import { createToken } from "./create";
import { revokeToken } from "./revoke";

let db: Db;
let ada: Actor & { personId: number };
let bo: Actor & { personId: number };
const person = (name: string, role: Role) => ({ personId: addPerson(db, CLI, { name, role }), name, role });
beforeEach(() => {
  db = openMemoryDb();
  ada = person("Ada", "admin");
  bo = person("Bo", "annotator");
});
afterEach(() => db.$client.close());

const make = (actor: Actor, personId: number, role: Role, days: number | null = null, now = Date.now()) =>
  createToken(db, actor, { personId, name: "script", role, days }, now);

test("a token acts as its owner with the narrower of both roles, also when the owner's changes", () => {
  const { token } = make(ada, ada.personId, "annotator");
  expect(tokenActor(db, token)).toEqual({ personId: ada.personId, name: "Ada", role: "annotator" });
  const whole = make(CLI, bo.personId, "annotator").token;
  changeRole(db, CLI, { personId: bo.personId, role: "viewer" });
  expect(tokenActor(db, whole)).toMatchObject({ name: "Bo", role: "viewer" });
});

test("no token is wider than its owner, nor than whoever makes it, nor somebody else's without the role admin", () => {
  expect(() => make(CLI, bo.personId, "admin")).toThrow(/not do more than its owner/);
  expect(() => make(bo, bo.personId, "admin")).toThrow(NotAllowed);
  expect(() => make({ ...ada, role: "viewer" }, ada.personId, "admin")).toThrow(NotAllowed);
  expect(() => make(bo, ada.personId, "viewer")).toThrow(NotAllowed);
  expect(tokens(db, null)).toEqual([]);
});

test("a token ends with its time, when it is revoked, and while its owner is disabled", () => {
  const now = 1_800_000_000_000;
  const { token } = make(CLI, bo.personId, "viewer", 1, now);
  expect(tokenActor(db, token, now + 86_399_999)).not.toBeNull();
  expect(tokenActor(db, token, now + 86_400_000)).toBeNull();
  const other = make(CLI, bo.personId, "viewer");
  setDisabled(db, CLI, { personId: bo.personId, disabled: true });
  expect(tokenActor(db, other.token)).toBeNull();
  setDisabled(db, CLI, { personId: bo.personId, disabled: false });
  expect(tokenActor(db, other.token)).not.toBeNull();
  expect(() => revokeToken(db, { ...bo, personId: 999 }, other.id)).toThrow(NotAllowed);
  revokeToken(db, bo, other.id);
  expect(tokenActor(db, other.token)).toBeNull();
  expect(() => revokeToken(db, bo, other.id)).toThrow(NotAllowed);
  expect(() => revokeToken(db, CLI, other.id)).toThrow(/no token/);
});

test("only a hash is stored, and what is no token of ours lets nobody in", () => {
  const { token } = make(CLI, bo.personId, "viewer");
  expect(token).toMatch(/^mst_[\w-]{43}$/);
  const stored = JSON.stringify([
    db.$client.prepare("select * from api_token").all(),
    db.$client.prepare("select * from audit").all(),
  ]);
  expect(stored).not.toContain(token.slice(4));
  const hash = db.$client.prepare("select token_hash from api_token").pluck().get() as string;
  for (const wrong of ["", "mst_", hash, `mst_${hash}`, token.slice(4), `${token} `])
    expect(tokenActor(db, wrong)).toBeNull();
});

test("when it was last used is written once a minute at most", () => {
  const now = 1_800_000_000_000;
  const { token } = make(CLI, bo.personId, "viewer", null, now);
  const used = () => tokens(db, bo.personId)[0]?.lastUsedAt;
  expect(used()).toBeNull();
  tokenActor(db, token, now);
  tokenActor(db, token, now + 59_999);
  expect(used()).toBe(now);
  tokenActor(db, token, now + 60_000);
  expect(used()).toBe(now + 60_000);
});

test("making and revoking leave audit rows that name neither token nor hash", () => {
  const { id } = make(ada, bo.personId, "viewer");
  revokeToken(db, ada, id);
  const rows = db.$client.prepare("select actor, verb, subject from audit where subject = ?").all(`token:${id}`);
  expect(rows).toEqual(
    ["create token", "revoke token"].map((verb) => ({ actor: "Ada", verb, subject: `token:${id}` })),
  );
});

test("the header's scheme is read in any case, and other schemes are none of ours", () => {
  expect([bearerOf("Bearer mst_a"), bearerOf("bearer  mst_a ")]).toEqual(["mst_a", "mst_a"]);
  for (const other of [null, undefined, "", "Basic abc", "Bearer", "Bearer a b"]) expect(bearerOf(other)).toBeNull();
});
