import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Db } from "@/db/client";
import { openInvitations, people, sessions } from "@/db/queries/people";
import { type Actor, NotAllowed } from "@/lib/people/actor";
import { addPerson } from "@/lib/people/add";
import { changeRole } from "@/lib/people/changeRole";
import { setDisabled } from "@/lib/people/disable";
import { accept } from "./accept";
import { cookieOf, sessionCookie } from "./cookie";
import { endSession } from "./endSession";
import { invitationOf } from "./invitationOf";
import { invite, LASTS_MS } from "./invite";
import { revokeInvitation } from "./revokeInvitation";
import { SESSION_SECONDS, sessionLasts, signedIn } from "./session";
import { accountsOn } from "./state";
import { switchOff, switchOn } from "./switch";
import { CLI, cookiesOf, join, openWithAccounts, PASSWORD, post, temporaryHome, tokenOf } from "./testing";

let db: Db;
let home: ReturnType<typeof temporaryHome>;
beforeEach(() => {
  home = temporaryHome();
  db = openWithAccounts();
});
afterEach(() => {
  db.$client.close();
  home.remove();
});

const signIn = (name: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  post(db, "sign-in/username", { username: name, password }, headers);
const whoseIs = (cookies: string, now?: number) => signedIn(db, cookieOf(cookies, sessionCookie(false)), now);

/** Every text of the tables of accounts and of the audit, to look for what must not be there. */
const everything = () =>
  JSON.stringify(
    ["auth_user", "auth_account", "auth_session", "auth_invitation", "audit", "setting"].map((table) =>
      db.$client.prepare(`select * from ${table}`).all(),
    ),
  );

test("an invitation makes a person with the role the admin chose, who signs in by name in any case, and out", async () => {
  const ada = await join(db, "Ada Lovelace", "admin");
  const answer = await signIn("ada  LOVELACE");
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ ok: true });
  const [cookie] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/^misstep\.session_token=.*; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
  const cookies = cookiesOf(answer);
  expect(whoseIs(cookies)).toMatchObject({ ...ada, role: "admin" });
  expect((await post(db, "sign-out", {}, { cookie: cookies })).status).toBe(200);
  expect(whoseIs(cookies)).toBeNull();
});

test("a link works once, until it expires or is revoked, and only for who it is for", async () => {
  const link = invite(db, CLI, { role: "annotator" });
  const use = (name: string) => accept(db, { token: tokenOf(link), name, password: PASSWORD });
  const both = await Promise.allSettled([use("Bo"), use("Cy")]);
  expect(both.map((r) => r.status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(use("Di")).rejects.toThrow(/used already/);
  expect(people(db)).toHaveLength(1);

  const old = invite(db, CLI, { role: "viewer" }, Date.now() - LASTS_MS.invite);
  expect(() => invitationOf(db, tokenOf(old))).toThrow(/too old/);
  const gone = invite(db, CLI, { role: "viewer" });
  revokeInvitation(db, CLI, gone.id);
  expect(() => invitationOf(db, tokenOf(gone))).toThrow(/revoked/);
  expect(() => revokeInvitation(db, CLI, gone.id)).toThrow(/not open/);
  expect(() => invitationOf(db, "made-up")).toThrow(/none of ours/);

  const eve = addPerson(db, CLI, { name: "Eve", role: "viewer" });
  const hers = invite(db, CLI, { personId: eve });
  await accept(db, { token: tokenOf(hers), name: "Mallory", password: PASSWORD });
  expect(people(db).find((p) => p.id === eve)).toMatchObject({
    name: "Eve",
    role: "viewer",
    userId: expect.anything(),
  });
});

test("a name that is taken is refused, and the link still works for another", async () => {
  await join(db, "Ada", "admin");
  const link = invite(db, CLI, { role: "viewer" });
  const said = await post(db, "invitation", { token: tokenOf(link), name: "ADA", password: PASSWORD });
  expect([said.status, await said.json()]).toEqual([409, { error: expect.stringContaining("already") }]);
  const short = await post(db, "invitation", { token: tokenOf(link), name: "Bo", password: "short" });
  expect(short.status).toBe(400);
  expect((await post(db, "invitation", { token: tokenOf(link), name: "Bo", password: PASSWORD })).status).toBe(200);
});

test("the eleventh wrong try from an address is refused with Retry-After; right ones do not count, other addresses are free", async () => {
  await join(db, "Ada", "admin");
  const count = () => db.$client.prepare("select count from auth_rate_limit").pluck().all();
  expect((await signIn("Ada")).status).toBe(200);
  expect(count()).toEqual([0]);
  for (const name of ["Ada", "Nobody"]) expect((await signIn(name, "wrong password")).status).toBe(401);
  expect(count()).toEqual([2]);
  // Each try hashes on purpose slowly: the next seven are only counted.
  db.$client.prepare("update auth_rate_limit set count = count + 7").run();
  expect((await signIn("Ada", "wrong password")).status).toBe(401);
  const refused = await signIn("Ada");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.json()).toEqual({ error: expect.stringContaining("Too many tries") });
  expect(refused.headers.getSetCookie()).toEqual([]);
  expect((await signIn("Ada", PASSWORD, { "x-misstep-address": "10.0.0.8" })).status).toBe(200);
});

test("a wrong name and a wrong password are told apart by nothing", async () => {
  await join(db, "Ada", "admin");
  const answers = await Promise.all([signIn("Ada", "wrong password"), signIn("Nobody", "wrong password")]);
  const [a, b] = await Promise.all(answers.map(async (r) => [r.status, await r.text()]));
  expect(a).toEqual(b);
});

test("who is disabled is signed out at once and cannot sign in; enabled again they can", async () => {
  await join(db, "Ada", "admin");
  const bo = await join(db, "Bo", "annotator");
  const cookies = cookiesOf(await signIn("Bo"));
  const link = invite(db, CLI, { personId: bo.personId });
  const held = sessions(db, bo.personId)[0]?.id ?? "";
  expect(sessionLasts(db, held)).toBe(true);
  setDisabled(db, CLI, { personId: bo.personId, disabled: true });
  expect(whoseIs(cookies)).toBeNull();
  expect(sessionLasts(db, held)).toBe(false);
  expect(sessions(db, bo.personId)).toEqual([]);
  expect((await signIn("Bo")).status).toBe(401);
  expect(() => invitationOf(db, tokenOf(link))).toThrow(/revoked/);
  setDisabled(db, CLI, { personId: bo.personId, disabled: false });
  expect((await signIn("Bo")).status).toBe(200);
});

test("a session ends with its time, with its signature, and when an admin or its owner ends it", async () => {
  const ada = await join(db, "Ada", "admin");
  const bo = await join(db, "Bo", "annotator");
  const cookies = cookiesOf(await signIn("Bo"));
  expect(whoseIs(cookies, Date.now() + (SESSION_SECONDS + 1) * 1000)).toBeNull();
  const token = decodeURIComponent(cookies.split("=")[1] ?? "").split(".")[0];
  expect(everything()).toContain(token);
  expect(whoseIs(`misstep.session_token=${token}.${Buffer.alloc(32).toString("base64")}`)).toBeNull();
  expect(whoseIs(`misstep.session_token=${token}`)).toBeNull();
  const [adas, bos] = [await signIn("Ada"), cookies].map(() => sessions(db, null));
  const of = (person: Actor) => (bos ?? adas ?? []).find((s) => s.personId === person.personId)?.id ?? "";
  expect(() => endSession(db, bo, of(ada))).toThrow(NotAllowed);
  endSession(db, bo, of(bo));
  expect(whoseIs(cookies)).toBeNull();
  endSession(db, ada, of(ada));
  expect(sessions(db, null)).toEqual([]);
});

test("another password needs the present one, and signs the other browsers out", async () => {
  await join(db, "Ada", "admin");
  const [here, there] = [cookiesOf(await signIn("Ada")), cookiesOf(await signIn("Ada"))];
  const change = (currentPassword: string, newPassword: string) =>
    post(db, "change-password", { currentPassword, newPassword }, { cookie: here });
  expect((await change("wrong password", "another password")).status).toBe(401);
  expect((await change(PASSWORD, "short")).status).toBe(400);
  expect((await post(db, "change-password", { currentPassword: PASSWORD, newPassword: "x".repeat(12) })).status).toBe(
    401,
  );
  const changed = await change(PASSWORD, "another password");
  expect(changed.status).toBe(200);
  expect(whoseIs(there)).toBeNull();
  expect(whoseIs(cookiesOf(changed))).toMatchObject({ name: "Ada" });
  expect((await signIn("Ada")).status).toBe(401);
  expect((await signIn("Ada", "another password")).status).toBe(200);
});

test("a link for a new password ends the sessions and leaves role and name", async () => {
  const ada = await join(db, "Ada", "admin");
  const cookies = cookiesOf(await signIn("Ada"));
  const link = invite(db, CLI, { personId: ada.personId });
  expect(link.kind).toBe("reset");
  await accept(db, { token: tokenOf(link), password: "another password" });
  expect(whoseIs(cookies)).toBeNull();
  expect((await signIn("Ada")).status).toBe(401);
  expect(whoseIs(cookiesOf(await signIn("Ada", "another password")))).toMatchObject(ada);
});

test("the last admin who can sign in is neither disabled nor demoted", async () => {
  const ada = await join(db, "Ada", "admin");
  addPerson(db, CLI, { name: "Without account", role: "admin" });
  expect(() => setDisabled(db, ada, { personId: ada.personId, disabled: true })).toThrow(/last admin/);
  expect(() => changeRole(db, ada, { personId: ada.personId, role: "viewer" })).toThrow(/last admin/);
  const bo = await join(db, "Bo", "admin");
  changeRole(db, bo, { personId: ada.personId, role: "viewer" });
  expect(() => setDisabled(db, bo, { personId: bo.personId, disabled: true })).toThrow(/last admin/);
});

test("only admins change people, and every change leaves its audit row", async () => {
  const ada = await join(db, "Ada", "admin");
  const bo = await join(db, "Bo", "annotator");
  for (const attempt of [
    () => changeRole(db, bo, { personId: bo.personId, role: "admin" }),
    () => setDisabled(db, bo, { personId: ada.personId, disabled: true }),
    () => invite(db, bo, { role: "admin" }),
    () => revokeInvitation(db, bo, 1),
    () => switchOff(db, bo),
    () => addPerson(db, bo, { name: "Cy" }),
  ])
    expect(attempt).toThrow(NotAllowed);
  const before = db.$client.prepare("select max(id) from audit").pluck().get();
  changeRole(db, ada, { personId: bo.personId, role: "viewer" });
  setDisabled(db, ada, { personId: bo.personId, disabled: true });
  invite(db, ada, { role: "viewer" });
  expect(db.$client.prepare("select actor, verb, subject from audit where id > ?").all(before)).toEqual([
    { actor: "Ada", verb: "change role", subject: `person:${bo.personId}` },
    { actor: "Ada", verb: "disable", subject: `person:${bo.personId}` },
    { actor: "Ada", verb: "invite", subject: expect.stringMatching(/^invitation:/) },
  ]);
});

test("neither the key, nor a password, nor a link's token is in the database; the key's file is the owner's alone", async () => {
  const link = invite(db, CLI, { role: "admin" });
  await accept(db, { token: tokenOf(link), name: "Ada", password: PASSWORD });
  const file = path.join(home.dir, "auth-secret");
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  for (const secret of [fs.readFileSync(file, "utf8").trim(), PASSWORD, tokenOf(link)])
    expect(everything()).not.toContain(secret);
});

test("switched off everybody is signed out and no endpoint answers; on again old accounts work and no first admin is invited", async () => {
  await join(db, "Ada", "admin");
  const cookies = cookiesOf(await signIn("Ada"));
  switchOff(db, CLI);
  expect(accountsOn(db)).toBe(false);
  expect((await signIn("Ada")).status).toBe(404);
  expect(switchOn(db, CLI)).toBeNull();
  expect(whoseIs(cookies)).toBeNull();
  expect((await signIn("Ada")).status).toBe(200);
});

test("the first admin is invited by name, and only an admin's name will do", () => {
  expect(openInvitations(db)).toMatchObject([{ kind: "invite", role: "admin", person: null }]);
  addPerson(db, CLI, { name: "Ada", role: "viewer" });
  expect(() => switchOn(db, CLI, "ada")).toThrow(/is viewer/);
  switchOn(db, CLI, "Bo");
  expect(people(db).find((p) => p.name === "Bo")?.role).toBe("admin");
  expect(openInvitations(db)[0]).toMatchObject({ person: "Bo", role: "admin" });
});

test("behind https the cookie travels encrypted only, under a name no plain site can set", async () => {
  await join(db, "Ada", "admin");
  vi.stubEnv("MISSTEP_ORIGIN", "https://misstep.example.org");
  try {
    const answer = await signIn("Ada", PASSWORD, {
      host: "misstep.example.org",
      origin: "https://misstep.example.org",
    });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Secure-misstep\.session_token=.*; Secure; SameSite=Lax$/);
    expect(signedIn(db, cookieOf(cookiesOf(answer), sessionCookie(true)))).toMatchObject({ name: "Ada" });
    expect(whoseIs(cookiesOf(answer))).toBeNull();
  } finally {
    vi.unstubAllEnvs();
  }
});

test("what the library could do besides does not answer, and neither does a form", async () => {
  for (const endpoint of [
    "sign-up/email",
    "sign-in/email",
    "get-session",
    "update-user",
    "delete-user",
    "list-sessions",
  ])
    expect((await post(db, endpoint, { email: "a@b.c", password: PASSWORD, name: "x" })).status).toBe(404);
  await join(db, "Ada", "admin");
  expect((await signIn("Ada", PASSWORD, { "content-type": "text/plain" })).status).toBe(415);
});
