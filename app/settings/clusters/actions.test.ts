import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openMemoryDb } from "@/db/client";
import { saveSlurmAction, testSlurmAction } from "./actions";

const held = vi.hoisted(() => ({ db: null as unknown }));
vi.mock("next/headers", () => ({ cookies: async () => ({ get: () => undefined }) }));
vi.mock("next/cache", () => ({ revalidatePath: () => undefined }));
vi.mock("@/db/client", async (real) => ({ ...(await real<object>()), getDb: () => held.db }));

let home: string;
let db: ReturnType<typeof openMemoryDb>;
const file = () => path.join(home, "clusters.json");
const audits = () => db.$client.prepare("select verb, subject from audit order by id").all();
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-clusters-"));
  vi.stubEnv("MISSTEP_HOME", home);
  db = openMemoryDb();
  held.db = db;
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(home, { recursive: true, force: true });
});

test("settings are kept, changed and removed, each with its audit row", async () => {
  expect(await saveSlurmAction({ slurm: { partition: "cpu", extra: ["#SBATCH --nice"] } })).toEqual({
    ok: true,
    value: null,
  });
  const kept = JSON.parse(fs.readFileSync(file(), "utf8"));
  expect(kept.slurm).toMatchObject({ partition: "cpu", itemsPerTask: 8, extra: ["#SBATCH --nice"] });
  await saveSlurmAction({ slurm: { partition: "gpu" } });
  await saveSlurmAction({ slurm: null });
  expect(JSON.parse(fs.readFileSync(file(), "utf8"))).toEqual({ slurm: null });
  expect(audits()).toEqual(["add", "change", "remove"].map((verb) => ({ verb, subject: "cluster:slurm" })));
});

test("what sbatch must not get is refused at its field, and nothing is written", async () => {
  const said = await saveSlurmAction({ slurm: { partition: "cpu --wrap=x" } });
  expect(said).toMatchObject({ ok: false, field: "slurm.partition" });
  expect(await saveSlurmAction({ slurm: { extra: ["rm -rf /"] } })).toMatchObject({ field: "slurm.extra.0" });
  expect(fs.existsSync(file())).toBe(false);
  expect(audits()).toEqual([]);
});

test("a file that cannot be read is not written over, and leaves no audit row", async () => {
  fs.writeFileSync(file(), "{ slurm");
  expect(await saveSlurmAction({ slurm: {} })).toMatchObject({
    ok: false,
    error: expect.stringContaining("clusters.json"),
  });
  expect(fs.readFileSync(file(), "utf8")).toBe("{ slurm");
  expect(audits()).toEqual([]);
});

test("what sinfo fails with is said in words, with what to do, and its own last", async () => {
  const bin = path.join(home, "bin");
  fs.mkdirSync(bin);
  vi.stubEnv("PATH", bin);
  const failing = async (said: string) => {
    fs.writeFileSync(path.join(bin, "sinfo"), `#!/bin/sh\necho '${said}' >&2\nexit 1\n`, { mode: 0o755 });
    const answer = await testSlurmAction();
    return answer.ok ? "" : answer.error;
  };
  expect(await failing("slurm_load_partitions: Unable to contact slurm controller (connect failure)")).toMatch(
    /^The controller of the cluster cannot be reached from here: .*slurmctld.* sinfo said: slurm_load_partitions/,
  );
  expect(await failing("error: Munge encode failed: Failed to access socket")).toMatch(
    /^This machine is not let in: .*munged/,
  );
  expect(await failing("no such option")).toMatch(/^The partitions cannot be listed: run sinfo in a shell/);
});

test("the test button says what is missing, or what sinfo lists", async () => {
  const bin = path.join(home, "bin");
  fs.mkdirSync(bin);
  vi.stubEnv("PATH", bin);
  expect(await testSlurmAction()).toMatchObject({ ok: false, error: expect.stringContaining("not installed") });
  fs.writeFileSync(path.join(bin, "sinfo"), "#!/bin/sh\necho 'debug*|2|idle|1:00:00'\n", { mode: 0o755 });
  expect(await testSlurmAction()).toEqual({
    ok: true,
    value: [{ partition: "debug*", nodes: 2, state: "idle", limit: "1:00:00" }],
  });
});
