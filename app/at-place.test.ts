import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openMemoryDb } from "@/db/client";
import { writeSlurm } from "@/lib/jobs/place/settings";
import { RECIPES } from "@/lib/train/recipes";
import { rerunPrefixesAction } from "./prefixes/actions";
import { startProfileAction } from "./profiles/actions";
import { startTrainingAction } from "./train/actions";

const held = vi.hoisted(() => ({ db: null as unknown }));
vi.mock("next/headers", () => ({ cookies: async () => ({ get: () => undefined }) }));
vi.mock("@/db/client", async (real) => ({ ...(await real<object>()), getDb: () => held.db }));

let home: string;
let db: ReturnType<typeof openMemoryDb>;
const jobs = () => db.$client.prepare("select kind, place from job").all();
const wanted = {
  policy: "demonstrator",
  mode: "plain",
  environments: 1,
  rollouts: 1,
  seed: 1,
  place: "slurm",
} as const;
const SETTINGS = { ...RECIPES[0]?.settings, recipe: RECIPES[0]?.name };
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-place-"));
  vi.stubEnv("MISSTEP_HOME", home);
  db = openMemoryDb();
  held.db = db;
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(home, { recursive: true, force: true });
});

test("a job goes to Slurm once it is set up; before, it is refused at the field and nothing is queued", async () => {
  const refused = { ok: false, field: "place", error: expect.stringContaining("no Slurm is set up here") };
  expect(await startProfileAction(wanted)).toMatchObject(refused);
  expect(await rerunPrefixesAction({ ids: [1], place: "slurm" })).toMatchObject(refused);
  expect(await startTrainingAction({ name: "", settings: SETTINGS, place: "slurm" })).toMatchObject(refused);
  expect(jobs()).toEqual([]);
  writeSlurm({});
  expect(await startProfileAction(wanted)).toMatchObject({ ok: true });
  expect(jobs()).toEqual([{ kind: "profile", place: "slurm" }]);
});

test("roles that models play are refused on Slurm before anything is queued", async () => {
  writeSlurm({});
  fs.writeFileSync(
    path.join(home, "models.json"),
    JSON.stringify({
      endpoints: [{ name: "e", kind: "openai", baseUrl: "http://127.0.0.1:9/v1" }],
      models: [{ name: "m", endpoint: "e", id: "m" }],
    }),
  );
  expect(await startProfileAction({ ...wanted, localizer: "model:m" })).toMatchObject({
    ok: false,
    field: "place",
    error: expect.stringContaining("a model plays the localizer"),
  });
  expect(jobs()).toEqual([]);
});
