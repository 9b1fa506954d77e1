import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Db } from "@/db/client";
import { cookieOf, sessionCookie } from "@/lib/people/accounts/cookie";
import { cookiesOf, join, openWithAccounts, PASSWORD, post, temporaryHome } from "@/lib/people/accounts/testing";
import { ROLES, type Role } from "@/lib/people/actor";

/*
 * The least role of every action and API route. Both are read from the file tree: what is not in here, or is in here and
 * not there, fails. `open`: for those who are not signed in.
 */
const ACTIONS: Record<string, Role> = {
  "app/account/actions.ts makeTokenAction": "viewer",
  "app/account/actions.ts revokeTokenAction": "viewer",
  "app/compare/actions.ts dryMeasureAction": "admin",
  "app/compare/actions.ts judgeAction": "admin",
  "app/compare/actions.ts measureAction": "admin",
  "app/compare/actions.ts teachJudgeAction": "admin",
  "app/environments/actions.ts checkEnvironmentsAction": "admin",
  "app/environments/actions.ts importEnvironmentsAction": "admin",
  "app/evaluate/selection/actions.ts evaluateCandidatesAction": "admin",
  "app/import/actions.ts previewImportAction": "admin",
  "app/import/actions.ts startImportAction": "admin",
  "app/jobs/actions.ts cancelJobAction": "admin",
  "app/jobs/actions.ts pauseJobAction": "admin",
  "app/jobs/actions.ts resumeJobAction": "admin",
  "app/jobs/actions.ts retryJobAction": "admin",
  "app/localizers/actions.ts startLocalizeAction": "admin",
  "app/misbehaviors/actions.ts buildTaxonomyAction": "admin",
  "app/misbehaviors/actions.ts editTaxonomyAction": "admin",
  "app/misbehaviors/actions.ts importTaxonomyAction": "admin",
  "app/misbehaviors/actions.ts putInForceAction": "admin",
  "app/misbehaviors/actions.ts relabelAction": "admin",
  "app/people/actions.ts endSessionAction": "viewer",
  "app/people/actions.ts introduceAction": "viewer",
  "app/people/actions.ts pickPersonAction": "viewer",
  "app/prefixes/[id]/fork/actions.ts openForkAction": "admin",
  "app/prefixes/actions.ts rerunPrefixesAction": "admin",
  "app/prefixes/actions.ts rerunToHereAction": "admin",
  "app/prefixes/actions.ts samplePrefixesAction": "admin",
  "app/profiles/actions.ts startProfileAction": "admin",
  "app/review/[id]/norming/actions.ts advanceAction": "admin",
  "app/review/[id]/norming/actions.ts noteAction": "annotator",
  "app/review/[id]/settle/actions.ts adoptUnanimousAction": "admin",
  "app/review/[id]/settle/actions.ts decideAction": "admin",
  "app/review/[id]/settle/actions.ts reopenAction": "admin",
  "app/review/actions.ts createQueueAction": "admin",
  "app/review/actions.ts extendQueueAction": "admin",
  "app/review/actions.ts markGoldAction": "admin",
  "app/review/actions.ts planQueueAction": "admin",
  "app/review/actions.ts setOpenAction": "admin",
  "app/review/actions.ts writeGuidelineAction": "admin",
  "app/settings/actions.ts backupAction": "admin",
  "app/settings/actions.ts rescanAction": "admin",
  "app/settings/clusters/actions.ts saveSlurmAction": "admin",
  "app/settings/clusters/actions.ts testSlurmAction": "admin",
  "app/settings/models/actions.ts addPriceAction": "admin",
  "app/settings/models/actions.ts removeEndpointAction": "admin",
  "app/settings/models/actions.ts removeModelAction": "admin",
  "app/settings/models/actions.ts saveBudgetsAction": "admin",
  "app/settings/models/actions.ts saveEndpointAction": "admin",
  "app/settings/models/actions.ts saveModelAction": "admin",
  "app/settings/models/actions.ts saveRoleAction": "admin",
  "app/settings/models/actions.ts testModelAction": "admin",
  "app/settings/people/actions.ts addPersonAction": "admin",
  "app/settings/people/actions.ts changeRoleAction": "admin",
  "app/settings/people/actions.ts inviteAction": "admin",
  "app/settings/people/actions.ts revokeInvitationAction": "admin",
  "app/settings/people/actions.ts setDisabledAction": "admin",
  "app/settings/people/actions.ts switchAccountsOnAction": "admin",
  "app/train/actions.ts dryRunAction": "admin",
  "app/train/actions.ts startTrainingAction": "admin",
  "app/train/drift-actions.ts driftAction": "admin",
  "app/train/elsewhere-actions.ts bundleAction": "admin",
  "app/train/elsewhere-actions.ts readBackAction": "admin",
  "app/train/recipe-actions.ts archiveRecipeAction": "admin",
  "app/train/recipe-actions.ts saveRecipeAction": "admin",
};

const ROUTES: Record<string, Role | "open"> = {
  "GET app/api/bundles/[name]/route.ts": "annotator",
  "GET app/api/forks/[id]/stream/route.ts": "viewer",
  "GET app/api/health/route.ts": "open",
  "GET app/api/jobs/[id]/route.ts": "viewer",
  "GET app/api/jobs/route.ts": "viewer",
  "GET app/api/measurements/[id]/bundle/route.ts": "annotator",
  "GET app/api/models/[id]/weights/route.ts": "annotator",
  "GET app/api/review/[queue]/history/route.ts": "annotator",
  "GET app/api/review/[queue]/items/[item]/entries/route.ts": "annotator",
  "GET app/api/review/[queue]/items/[item]/route.ts": "annotator",
  "GET app/api/study/report.html/route.ts": "annotator",
  "GET app/api/study/report.md/route.ts": "annotator",
  "GET app/api/taxonomies/[id]/export/route.ts": "annotator",
  "GET app/api/trainings/[id]/export/route.ts": "annotator",
  "GET app/api/trajectories/[id]/artifact/route.ts": "viewer",
  "GET app/api/trajectories/[id]/export/route.ts": "annotator",
  "GET app/api/trajectories/[id]/find/route.ts": "viewer",
  "GET app/api/trajectories/[id]/raw/route.ts": "viewer",
  "GET app/api/trajectories/[id]/steps/route.ts": "viewer",
  // Its operations state roles of their own: app/api/v1/access.test.ts.
  "GET app/api/v1/[...path]/route.ts": "viewer",
  "GET app/settings/clusters/guide/route.ts": "viewer",
  "POST app/api/auth/[...endpoint]/route.ts": "open",
  "POST app/api/forks/[id]/route.ts": "admin",
  "POST app/api/review/[queue]/answer/route.ts": "annotator",
  "POST app/api/review/[queue]/letgo/route.ts": "annotator",
  "POST app/api/review/[queue]/next/route.ts": "annotator",
  "POST app/api/review/[queue]/renew/route.ts": "annotator",
  "POST app/api/review/[queue]/undo/route.ts": "annotator",
  "POST app/api/upload/route.ts": "admin",
  "POST app/api/v1/[...path]/route.ts": "viewer",
  "DELETE app/api/v1/[...path]/route.ts": "viewer",
  "PATCH app/api/v1/[...path]/route.ts": "viewer",
  "PUT app/api/v1/[...path]/route.ts": "viewer",
};

const held = vi.hoisted(() => ({ db: null as unknown, cookies: {} as Record<string, string> }));
vi.mock("next/cache", () => ({ revalidatePath: () => undefined }));
vi.mock("next/headers", () => ({
  cookies: async () => ({
    get: (name: string) => (name in held.cookies ? { value: held.cookies[name] } : undefined),
    set: () => undefined,
    delete: () => undefined,
  }),
}));
vi.mock("@/db/client", async (real) => ({ ...(await real<object>()), getDb: () => held.db }));

const root = path.resolve(import.meta.dirname, "..");
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Files of app, components and lib with these words, as paths of the project. */
function filesWith(accept: (name: string, text: string) => boolean): string[] {
  return ["app", "components", "lib"].flatMap((top) =>
    fs
      .readdirSync(path.join(root, top), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => `${top}/${name}`)
      .filter((name) => accept(name, fs.readFileSync(path.join(root, name), "utf8"))),
  );
}

type Exports = Record<string, (...args: unknown[]) => unknown>;
const load = async (file: string): Promise<Exports> => (await import(path.join(root, file))) as Exports;
const actions = new Map<string, (...args: unknown[]) => unknown>();
const routes = new Map<string, (...args: unknown[]) => unknown>();

let db: Db;
let home: ReturnType<typeof temporaryHome>;
const cookieFor: Partial<Record<Role, string>> = {};

beforeAll(async () => {
  home = temporaryHome();
  db = openWithAccounts();
  held.db = db;
  for (const role of ROLES) {
    await join(db, `the ${role}`, role);
    const answer = await post(db, "sign-in/username", { username: `the ${role}`, password: PASSWORD });
    cookieFor[role] = cookieOf(cookiesOf(answer), sessionCookie(false)) ?? "";
  }
  for (const file of filesWith((_, text) => /^\s*["']use server["'];?\s*$/m.test(text)))
    for (const [name, value] of Object.entries(await load(file))) actions.set(`${file} ${name}`, value);
  for (const file of filesWith((name) => /(^|\/)route\.tsx?$/.test(name)))
    for (const [name, value] of Object.entries(await load(file)))
      if (METHODS.includes(name)) routes.set(`${name} ${file}`, value);
}, 120_000);
afterAll(() => {
  db.$client.close();
  home.remove();
});
beforeEach(() => as(null));

function as(role: Role | null): void {
  held.cookies = role === null ? {} : { [sessionCookie(false)]: cookieFor[role] ?? "" };
}
/** Those who must be refused: nobody, and every role below. */
const below = (role: Role): (Role | null)[] => [null, ...ROLES.slice(0, ROLES.indexOf(role))];

test("every action and every route states its least role here", () => {
  expect([...actions.keys()].sort()).toEqual(Object.keys(ACTIONS).sort());
  expect([...routes.keys()].sort()).toEqual(Object.keys(ROUTES).sort());
});

test.each(Object.entries(ACTIONS))("%s is refused below %s", async (name, role) => {
  const action = actions.get(name);
  for (const who of below(role)) {
    as(who);
    expect(await action?.({}), `as ${who}`).toEqual({
      ok: false,
      error: expect.stringMatching(who === null ? /signed out/ : /needs the role/),
    });
  }
  // Who has the role comes as far as the input, which is none of its kind.
  if (action?.length === 0) return;
  as(role);
  expect(await action?.("nonsense")).toMatchObject({
    ok: false,
    error: expect.not.stringMatching(/signed out|the role/),
  });
});

const open = Object.entries(ROUTES).filter(([, role]) => role === "open");
const closed = Object.entries(ROUTES).filter((row): row is [string, Role] => row[1] !== "open");

const call = async (name: string): Promise<Response> => {
  const [method] = name.split(" ");
  const request = new Request("http://127.0.0.1/x", {
    method,
    ...(method !== "GET" ? { body: "{}", headers: { origin: "http://127.0.0.1" } } : {}),
  });
  const params = Promise.resolve({
    id: "999999",
    name: "x",
    queue: "999999",
    item: "1",
    endpoint: ["nothing"],
    path: ["nothing"],
  });
  return (await routes.get(name)?.(request, { params })) as Response;
};

test.each(closed)("%s is refused below %s", async (name, role) => {
  for (const who of below(role)) {
    as(who);
    const answer = await call(name);
    expect([who, answer.status]).toEqual([who, who === null ? 401 : 403]);
    expect(await answer.json()).toEqual({
      error: name.includes("/v1/") ? { code: expect.any(String), message: expect.any(String) } : expect.any(String),
    });
  }
  as(role);
  expect([401, 403]).not.toContain((await call(name)).status);
});

test.each(open)("%s answers who is not signed in", async (name) => {
  expect([401, 403]).not.toContain((await call(name)).status);
});
