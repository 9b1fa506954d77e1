import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { confusion } from "@/db/queries/confusion";
import { correctionsOf, pairOf, rejectedEntries } from "@/db/queries/corrections";
import { listProfiles, profileRollouts, profileSummary } from "@/db/queries/profiles";
import { connectGround, type Ground } from "@/lib/environment/ground";
import { enqueueProfile } from "@/lib/jobs/profileJob";
import { claimJob, getJob, retryJob } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { profileDigest } from "@/lib/profile/digest";
import { UnknownRole } from "@/lib/profile/roles/registry";
import { scanTrajectory } from "@/lib/profile/scan";
import type { GivenSettings } from "@/lib/profile/settings";
import { aboutBubblewrap } from "@/lib/sandbox/testing";
import { SandboxFailure } from "@/lib/sandbox/types";
import { makeProfileExecutor } from "./profile";

let home: string;
let db: Db;
const never = new AbortController().signal;

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-profile-"));
  process.env.MISSTEP_HOME = home;
  db = openMemoryDb();
  seedBuiltinTypes(db);
});
afterEach(() => {
  db.$client.close();
  fs.rmSync(home, { recursive: true, force: true });
});

const settings = (over: Partial<GivenSettings> = {}): GivenSettings => ({
  environments: { suite: "tiny", count: 3 },
  policy: "demonstrator",
  rollouts: 1,
  parallel: 3,
  ...over,
});
const start = (over: Partial<GivenSettings> = {}) =>
  enqueueProfile(db, { settings: settings(over), requestedBy: "test" });
async function run(jobId: number, connect: (db: Db) => Promise<Ground> = connectGround, stop = never) {
  const job = claimJob(db, "w", jobId);
  if (!job) throw new Error("nothing to claim");
  await runJob(db, job, makeProfileExecutor(connect), "w", stop);
}
const need = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error("nothing there");
  return value;
};

test("settings that cannot be run are refused before anything is queued", () => {
  expect(() => start({ policy: "nobody" })).toThrow(UnknownRole);
  expect(() => start({ localizer: "nobody" })).toThrow(/no localizer "nobody"/);
  expect(() => start({ alongside: ["nobody"] })).toThrow(/no localizer "nobody"/);
  expect(() => start({ mode: "profile", teacher: "nobody" })).toThrow(/no teacher "nobody"/);
  expect(() => start({ mode: "profile", teacher: null })).toThrow(/needs a teacher/);
  expect(db.$client.prepare("select count(*) from job").pluck().get()).toBe(0);
});

test("a sandbox that cannot start is void with its reason: counted, never scored", async () => {
  const { profileId, jobId } = start({ environments: { suite: "tiny", count: 2 } });
  const connect = async (): Promise<Ground> => ({
    open: () => Promise.reject(new SandboxFailure("cannot-start", "no space for a root")),
    close: async () => undefined,
  });
  await run(jobId, connect);
  expect(getJob(db, jobId)).toMatchObject({ status: "done", items_done: 2 });
  expect(profileSummary(db, profileId)).toMatchObject({
    void: 2,
    scored: 0,
    passed: 0,
    voids: [{ reason: "no sandbox: no space for a root", rollouts: 2 }],
  });
  expect(profileRollouts(db, profileId, { limit: 9 })[0]).toMatchObject({ trajectoryId: null, outcomeReward: null });
});

test("without a sandbox host nothing is stored, and a retry goes on with what is open", async () => {
  const { profileId, jobId } = start({ environments: { suite: "tiny", count: 2 } });
  const gone = () => Promise.reject(new SandboxFailure("host-gone", "the host ended"));
  await run(jobId, async () => ({ open: gone, close: async () => undefined }));
  expect(profileRollouts(db, profileId, { limit: 9 })).toEqual([]);
  expect(getJob(db, jobId)).toMatchObject({ status: "partial", items_failed: 2 });
  expect(retryJob(db, jobId, "test")).toMatchObject({ ok: true });
});

describe.skipIf(aboutBubblewrap)("in real sandboxes", () => {
  test("a sandbox host that dies once costs the rollouts in flight some time and nothing else", async () => {
    const { profileId, jobId } = start({ parallel: 2 });
    let opened = 0;
    let connected = 0;
    await run(jobId, async (on) => {
      connected++;
      const ground = await connectGround(on);
      const open: Ground["open"] = (id) =>
        ++opened === 2 ? Promise.reject(new SandboxFailure("host-gone", "the host ended")) : ground.open(id);
      return { ...ground, open };
    });
    expect(getJob(db, jobId)).toMatchObject({ status: "done", items_done: 3, items_failed: 0 });
    expect(connected).toBe(2);
    expect(profileRollouts(db, profileId, { limit: 9 }).map((r) => r.status)).not.toContain("void");
  }, 300_000);

  test("profile: error steps are kept with their corrections, a re-scan says the same, the reads agree", async () => {
    const { profileId, jobId } = start({ environments: { suite: "tiny", count: 8 } });
    await run(jobId);
    const s = need(profileSummary(db, profileId));
    expect(s).toMatchObject({ jobStatus: "done", planned: 8, void: 0, environments: 8, checkpoint: "demonstrator" });
    expect(s.finished + s.discarded).toBe(8);
    expect(s.errorSteps).toBeGreaterThan(3);
    const accepted = s.accepted.reduce((n, a) => n + a.corrections, 0);
    expect(accepted + s.uncorrected).toBe(s.errorSteps);
    expect(s.discarded).toBe(s.uncorrected);
    expect(listProfiles(db, { limit: 5 })[0]).toMatchObject({ id: profileId, errorSteps: s.errorSteps });
    // The counts of the run are those of the rows.
    expect(JSON.parse(getJob(db, jobId)?.counts ?? "{}")).toMatchObject({
      rollouts: 8,
      steps: s.steps,
      errorSteps: s.errorSteps,
      passed: s.passed,
    });
    const rollouts = profileRollouts(db, profileId, { limit: 99 });
    for (const { trajectoryId, errorSteps } of rollouts) {
      const id = trajectoryId ?? 0;
      const pairs = rejectedEntries(db, id);
      expect(pairs).toHaveLength(errorSteps);
      for (const { rejected, correction } of pairs) {
        const tries = correctionsOf(db, id * 1_048_576 + rejected);
        expect(tries.some((t) => t.accepted === 1)).toBe(correction !== null);
        expect(tries[0]?.judgement?.commandSeen).not.toBe("");
        if (correction !== null) expect(pairOf(db, id, correction)).toEqual({ rejected, correction });
      }
    }
    const said = () =>
      db.$client
        .prepare(
          "select step_id, reason, command_seen, evidence from localization where current = 1 order by step_id, reason",
        )
        .all();
    const before = said();
    for (const { trajectoryId } of rollouts) scanTrajectory(db, trajectoryId ?? 0);
    expect(said()).toEqual(before);
  }, 300_000);

  test("the same seed gives the same contents however it is run; another seed other ones", async () => {
    const one = start({ seed: 7 });
    await run(one.jobId);
    const two = start({ seed: 7, parallel: 1 });
    const stop = new AbortController();
    let opened = 0;
    const stopping = async (on: Db): Promise<Ground> => {
      const ground = await connectGround(on);
      return {
        ...ground,
        open: (id) => {
          if (++opened === 2) stop.abort();
          return ground.open(id);
        },
      };
    };
    await run(two.jobId, stopping, stop.signal);
    expect(getJob(db, two.jobId)).toMatchObject({ status: "queued", items_done: 1 });
    await run(two.jobId);
    expect(getJob(db, two.jobId)).toMatchObject({ status: "done", items_done: 3 });
    expect(profileDigest(db, two.profileId)).toBe(profileDigest(db, one.profileId));
    const other = start({ seed: 8 });
    await run(other.jobId);
    expect(profileDigest(db, other.profileId)).not.toBe(profileDigest(db, one.profileId));
  }, 300_000);

  test("catch trials: injected errors run, the truth of every step is kept and compared", async () => {
    const { profileId, jobId } = start({
      mode: "catch",
      policy: "expert-with-errors",
      environments: { suite: "tiny", count: 6 },
    });
    await run(jobId);
    const table = confusion(db, profileId);
    const right = need(table.rows.find((r) => r.slug === null));
    const injected = table.rows.filter((r) => r.slug !== null);
    expect(injected.length).toBeGreaterThan(1);
    const steps = need(profileSummary(db, profileId)).steps;
    expect(table.rows.reduce((n, r) => n + r.steps, 0)).toBe(steps);
    expect(right.any + right.notFlagged).toBe(right.steps);
    expect(rejectedEntries(db, profileRollouts(db, profileId, { limit: 1 })[0]?.trajectoryId ?? 0)).toEqual([]);
  }, 300_000);
});
