import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { profileRollouts, profileSummary } from "@/db/queries/profiles";
import { connectGround } from "@/lib/environment/ground";
import { SUBMIT } from "@/lib/environment/suite/family";
import { enqueueProfile } from "@/lib/jobs/profileJob";
import { claimJob, getJob, resumeJob } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { type OpenAiBody, openAiServer, settingsFor } from "@/lib/model/chat/testing/openai";
import type { ScriptedOptions, ScriptedServer } from "@/lib/model/chat/testing/server";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { UnknownRole } from "@/lib/profile/roles/unknown";
import type { GivenSettings } from "@/lib/profile/settings";
import { aboutBubblewrap } from "@/lib/sandbox/testing";
import { makeProfileExecutor } from "./profile";

let home: string;
let db: Db;
let server: ScriptedServer<OpenAiBody>;

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-profile-models-"));
  process.env.MISSTEP_HOME = home;
  db = openMemoryDb();
  seedBuiltinTypes(db);
});
afterEach(async () => {
  expect(server.refused).toEqual([]);
  await server.close();
  db.$client.close();
  fs.rmSync(home, { recursive: true, force: true });
});

/** A server, and the settings file that names it. */
async function serving(options: ScriptedOptions<OpenAiBody>, budgets: object = {}) {
  server = await openAiServer(options);
  fs.writeFileSync(path.join(home, "models.json"), JSON.stringify({ ...settingsFor(server), budgets }));
}
const start = (over: Partial<GivenSettings>) =>
  enqueueProfile(db, {
    settings: {
      environments: { suite: "tiny", count: 2 },
      rollouts: 1,
      parallel: 2,
      policy: { use: "chat", options: { model: "test" } },
      ...over,
    },
    requestedBy: "test",
  });
async function work(jobId: number) {
  const job = claimJob(db, "w", jobId);
  if (!job) throw new Error("nothing to claim");
  await runJob(db, job, makeProfileExecutor(connectGround), "w", new AbortController().signal);
  return getJob(db, jobId);
}
const call = (command: string) => ({ id: "c", name: "bash", arguments: JSON.stringify({ command }) });
/** A policy that looks, then submits. */
const policy = (body: OpenAiBody) => ({
  text: "On it.",
  calls: [call(body.messages.some((m) => m.role === "assistant") ? SUBMIT : "ls -la")],
});
const isPolicy = (body: OpenAiBody): boolean => body.tools !== undefined;

test("models that the settings do not have are refused before anything is queued; what is stored says how it was made", async () => {
  await serving({});
  expect(() => start({ policy: { use: "chat", options: { model: "gpt" } } })).toThrow(UnknownRole);
  expect(() => start({ localizer: { use: "model", options: { model: "gpt" } } })).toThrow(/there are: test/);
  expect(db.$client.prepare("select count(*) from job").pluck().get()).toBe(0);
  const { profileId } = start({ localizer: "model", preset: "evaluation" });
  const stored = db.$client.prepare("select settings from profile where id = ?").pluck().get(profileId);
  expect(JSON.parse(String(stored))).toMatchObject({
    preset: "evaluation",
    temperature: 0.7,
    policy: { use: "chat", options: { model: "test", thinking: "default", contextTokens: 65536 } },
    localizer: { use: "model", options: { model: "test", temperature: 0.7, thinking: "default" } },
  });
  const row = db.$client.prepare("select name, kind, card from checkpoint").get() as { card: string };
  expect(row).toMatchObject({ name: "test", kind: "endpoint" });
  expect(JSON.parse(row.card)).toEqual({
    model: "test",
    dialect: "tools",
    modelId: "test-model",
    endpointKind: "openai",
  });
});

describe.skipIf(aboutBubblewrap)("in real sandboxes", () => {
  test("policy, localizer and teacher are models: what is flagged is corrected, and every verdict has its call", async () => {
    const say = (verdict: string) => `{"command_seen":"lists","reason":"because","verdict":"${verdict}"}`;
    await serving({
      answer({ body, texts }) {
        if (isPolicy(body)) return policy(body);
        if (texts[0]?.includes("takes over one step")) return "<think>look</think>\n```bash\ncat /app/* | head -3\n```";
        return say(/# The step to judge[\s\S]*ls -la/.test(texts[1] ?? "") ? "bad" : "good");
      },
    });
    const model = { use: "model", options: { model: "test" } };
    const { profileId, jobId } = start({ localizer: model, teacher: model, alongside: ["rules"] });
    expect(await work(jobId)).toMatchObject({ status: "done" });
    const summary = profileSummary(db, profileId);
    expect(summary).toMatchObject({ finished: 2, submitted: 2, steps: 4, errorSteps: 2, corrections: 2, void: 0 });
    // What the rules beside it flag is kept, and is none of the profile's error steps.
    expect(summary).toMatchObject({ types: [], untyped: 2, unjudged: 0 });
    const said = db.$client
      .prepare(
        `select z.kind, l.verdict, count(*) as n, count(l.usage_id) as calls from localization l join localizer z on z.id = l.localizer_id
         where l.current = 1 group by 1, 2 order by 1, 2`,
      )
      .all();
    expect(said).toContainEqual({ kind: "model", verdict: "bad", n: 2, calls: 2 });
    expect(said).toContainEqual({ kind: "model", verdict: "good", n: 2, calls: 2 });
    // The rules beside it judged too, and have their say on unverified submits.
    expect(db.$client.prepare("select count(*) from trajectory where rules_version is not null").pluck().get()).toBe(2);
    expect(db.$client.prepare("select count(*) from correction where usage_id is not null").pluck().get()).toBe(2);
    // Four steps and two tries of the teacher are judged.
    const roles = db.$client.prepare("select role, count(*) as n from usage group by 1 order by 1").all();
    expect(roles).toEqual([
      { role: "localizer", n: 6 },
      { role: "policy", n: 4 },
      { role: "teacher", n: 2 },
    ]);
  }, 300_000);

  test("a budget that is used up leaves the rollout in flight unstored and the job paused; with more of it all are there", async () => {
    await serving({ answer: ({ body }) => policy(body) }, { calls: 3 });
    const { profileId, jobId } = start({ localizer: "rules", mode: "plain", parallel: 1 });
    const paused = await work(jobId);
    expect(paused).toMatchObject({ status: "paused", items_done: 1, items_failed: 0 });
    expect(paused?.error).toContain("budget of 3 calls");
    expect(profileRollouts(db, profileId, { limit: 9 })).toHaveLength(1);
    fs.writeFileSync(path.join(home, "models.json"), JSON.stringify(settingsFor(server)));
    expect(resumeJob(db, jobId, "test")).toMatchObject({ ok: true });
    expect(await work(jobId)).toMatchObject({ status: "done", items_done: 2 });
    expect(profileRollouts(db, profileId, { limit: 9 }).map((r) => r.status)).toEqual(["finished", "finished"]);
  }, 300_000);

  test("the presets differ in what a reply without a command does, and in what the limit is worth", async () => {
    await serving({ answer: () => "I would look around." });
    const ended = async (over: Partial<GivenSettings>) => {
      const { profileId, jobId } = start({
        mode: "plain",
        environments: { suite: "tiny", count: 1 },
        stepLimit: 4,
        ...over,
      });
      await work(jobId);
      const [row] = profileRollouts(db, profileId, { limit: 1 });
      return [row?.ended, row?.steps, row?.outcomeReward === null ? null : "scored"];
    };
    expect(await ended({ preset: "training" })).toEqual(["format", 1, "scored"]);
    expect(await ended({ preset: "evaluation" })).toEqual(["steps", 4, "scored"]);
    const logs = db.$client
      .prepare("select count(*) from trajectory where exit_status = 'format errors'")
      .pluck()
      .get();
    expect(logs).toBe(1);
  }, 300_000);

  test("an endpoint that is down makes rollouts void with the reason, never a score", async () => {
    await serving({ faults: { seed: 1, share: 1, kinds: [{ kind: "status", status: 401, message: "no such key" }] } });
    const { profileId, jobId } = start({ mode: "plain" });
    await work(jobId);
    expect(profileSummary(db, profileId)).toMatchObject({ void: 2, scored: 0, passed: 0 });
    expect(profileSummary(db, profileId)?.voids[0]?.reason).toContain("no such key");
  }, 300_000);
});
