import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { temporaryHome } from "@/lib/people/accounts/testing";
import { nameSchema } from "@/lib/people/name";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { samplePrefixesAction } from "./prefixes/actions";
import { startProfileAction } from "./profiles/actions";

const held = vi.hoisted(() => ({ db: null as unknown }));
vi.mock("next/cache", () => ({ revalidatePath: () => undefined }));
vi.mock("next/headers", () => ({ cookies: async () => ({ get: () => undefined }) }));
vi.mock("@/db/client", async (real) => ({ ...(await real<object>()), getDb: () => held.db }));

/*
 * What no form sends: values that fit one by one and not together, or that name what is not there. A refusal in words, never
 * an error page.
 */
let db: Db;
let home: ReturnType<typeof temporaryHome>;
beforeAll(() => {
  home = temporaryHome();
  db = openMemoryDb();
  seedBuiltinTypes(db);
  held.db = db;
});
afterAll(() => {
  db.$client.close();
  home.remove();
});

test("a draw is of the study that there is, whatever is sent", async () => {
  const forged = { per: 1, seed: 1, heldOut: 0.5, taxonomyId: 1, misbehaviors: [], studyId: 999 };
  expect(await samplePrefixesAction(forged)).toMatchObject({ ok: true });
  expect(db.$client.prepare("select study_id from prefix_draw").pluck().all()).toEqual([1]);
});

test("a profile with a localizer twice, or with one that there is none of, is refused", async () => {
  const wanted = { policy: "expert", mode: "profile", environments: 1, rollouts: 1, seed: 1 } as const;
  expect(await startProfileAction({ ...wanted, alongside: ["rules", "rules"] })).toEqual({
    ok: false,
    error: expect.stringContaining("twice"),
  });
  expect(await startProfileAction({ ...wanted, localizer: "nobody" })).toEqual({
    ok: false,
    error: expect.stringContaining('no localizer "nobody"'),
  });
  expect(db.$client.prepare("select count(*) from job").pluck().get()).toBe(0);
});

test("half a character is no name: it would be kept as another one, the same for all of them", () => {
  expect(nameSchema.safeParse("\ud800").success).toBe(false);
  expect(nameSchema.safeParse("Ada \u{1f600}").success).toBe(true);
});
