import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { SPAN } from "@/db/ids";
import { flagsOf } from "@/db/queries/reader-flags";
import { enqueueLocalize, NothingToLocalize } from "@/lib/jobs/localizeJob";
import { claimJob, getJob, resumeJob, retryJob } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { openModels } from "@/lib/model/chat/open";
import { noSleep, type OpenAiBody, openAiServer, settingsFor } from "@/lib/model/chat/testing/openai";
import type { ScriptedOptions, ScriptedServer } from "@/lib/model/chat/testing/server";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { storeOwnTrajectory } from "@/lib/profile/record";
import { UnknownRole } from "@/lib/profile/roles/unknown";
import { run, system, user } from "@/lib/profile/rules/steps.fixture";
import { emptyTrajectory } from "@/lib/trajectory/build";
import type { Step } from "@/lib/trajectory/types";
import { makeLocalizeExecutor } from "./localize";

let db: Db;
let server: ScriptedServer<OpenAiBody>;
const never = new AbortController().signal;

beforeEach(() => {
  db = openMemoryDb();
  seedBuiltinTypes(db);
});
afterEach(async () => {
  expect(server.refused).toEqual([]);
  await server.close();
  db.$client.close();
});

const MODEL = { use: "model", options: { model: "test", temperature: 0.7, thinking: "default" } };
const localize = (over: object = {}) => {
  const localizer = { ...MODEL };
  return enqueueLocalizeWith({ scope: { all: true }, localizer, requestedBy: "test", ...over });
};
/** As enqueueLocalize, with the settings that the scripted server stands in. */
function enqueueLocalizeWith(given: Parameters<typeof enqueueLocalize>[1]) {
  return enqueueLocalize(db, given, () => settingsFor(server));
}
async function work(jobId: number, stop = never, budget?: object) {
  const job = claimJob(db, "w", jobId);
  if (!job) throw new Error("nothing to claim");
  const executor = makeLocalizeExecutor(
    (on, about) => () =>
      openModels(on, { settings: settingsFor(server, { tries: 3 }), sleep: noSleep, budget, ...about }),
  );
  await runJob(db, job, executor, "w", stop);
  return getJob(db, jobId);
}

/** A trajectory whose commands say what the scripted model is to think of them. */
function trajectory(words: string[], model = "policy-a", task = "Do it."): number {
  const steps: Step[] = [system("One command."), user(task), ...words.map((w, i) => run(`echo ${w} ${i}`, `${w}!`))];
  const whole = emptyTrajectory("mini-swe-agent-2");
  whole.model = model;
  whole.name = "t";
  whole.steps = steps.map((step, i) => ({ ...step, turn: step.kind === "agent" ? i : null }));
  return storeOwnTrajectory(db, whole);
}
/** The step that is asked about: the command after the last heading. */
const asked = (texts: string[]) => /# The step to judge[\s\S]*?echo (\w+) (\d+)/.exec(texts[1] ?? "");
const verdict = (word: string) =>
  JSON.stringify({ command_seen: `says ${word}`, reason: `because ${word}`, verdict: word });
const honest: ScriptedOptions<OpenAiBody>["answer"] = ({ texts }) => verdict(asked(texts)?.[1] ?? "?");
const said = (id: number, current = 1) =>
  db.$client
    .prepare(
      `select l.step_id - ? as entry, l.verdict from localization l join localizer z on z.id = l.localizer_id
       where z.kind = 'model' and l.current = ? and l.step_id between ? and ? order by l.step_id, l.id`,
    )
    .all(id * SPAN, current, id * SPAN, id * SPAN + SPAN - 1) as { entry: number; verdict: string }[];

test("every step is judged from what its agent had seen, and error steps appear as those of the rules do", async () => {
  server = await openAiServer({ answer: honest });
  const id = trajectory(["good", "bad", "good"]);
  expect(localize()).toMatchObject({ trajectories: 1, steps: 3 });
  const job = await work(1);
  expect(job).toMatchObject({ status: "done", items_done: 1 });
  expect(JSON.parse(job?.counts ?? "")).toEqual({ steps: 3, good: 2, bad: 1 });
  expect(said(id)).toEqual([
    { entry: 2, verdict: "good" },
    { entry: 3, verdict: "bad" },
    { entry: 4, verdict: "good" },
  ]);
  // No hindsight: the second step's request knows the first output and not its own.
  const second = server.requests.map((r) => r.texts[1] ?? "").find((text) => asked([text, text])?.[2] === "1") ?? "";
  expect(second).toContain("good!");
  expect(second).not.toContain("bad!");
  expect(flagsOf(db, id)).toMatchObject([
    { entry: 3, active: true, reasons: [{ reason: "because bad", source: "model", by: "test v1 test-model" }] },
  ]);
  expect(db.$client.prepare("select error_steps from trajectory where id = ?").pluck().get(id)).toBe(1);
  expect(
    db.$client
      .prepare(
        "select u.subject, u.reading, u.prompt_version from localization l join usage u on u.id = l.usage_id order by l.step_id",
      )
      .all()[1],
  ).toEqual({ subject: `trajectory ${id} step 2`, reading: "parsed", prompt_version: "1" });
});

test("what got no verdict is marked, and a retry asks about those steps alone", async () => {
  let well = false;
  server = await openAiServer({
    answer: ({ texts }) => {
      const word = asked(texts)?.[1] ?? "?";
      return word === "bad" && !well ? "I cannot say." : verdict(word);
    },
  });
  const id = trajectory(["good", "bad", "good", "bad"]);
  localize();
  const first = await work(1);
  expect(first).toMatchObject({ status: "partial", items_failed: 1 });
  expect(JSON.parse(first?.counts ?? "")).toEqual({ steps: 4, good: 2, unparsed: 2 });
  expect(said(id).map((s) => s.verdict)).toEqual(["good", "unparsed", "good", "unparsed"]);
  expect(flagsOf(db, id)).toEqual([]);
  well = true;
  const before = server.requests.length;
  expect(retryJob(db, 1, "test")).toMatchObject({ ok: true });
  const second = await work(1);
  expect(second).toMatchObject({ status: "done" });
  expect(JSON.parse(second?.counts ?? "")).toEqual({ steps: 4, good: 2, bad: 2, unparsed: 0 });
  expect(server.requests.length - before).toBe(2);
  expect(said(id).map((s) => s.verdict)).toEqual(["good", "bad", "good", "bad"]);
  // Nothing is overwritten.
  expect(said(id, 0).map((s) => s.verdict)).toEqual(["unparsed", "unparsed"]);
});

test("a thousand steps with a fifth of the requests let down end judged or marked, none wrongly, and the ledger adds up", async () => {
  const words = Array.from({ length: 1000 }, (_, i) => (i % 7 === 3 ? "bad" : "good"));
  server = await openAiServer({
    faults: { seed: 11, share: 0.2 },
    // Some replies are odd, too: prose, a fence, cut JSON, no verdict, both keys in another order.
    answer: ({ texts, number }) => {
      const right = verdict(asked(texts)?.[1] ?? "?");
      if (number % 23 === 0) return `Well: ${right}`;
      if (number % 29 === 0) return `\`\`\`json\n${right}\n\`\`\``;
      if (number % 31 === 0) return right.slice(0, -9);
      if (number % 37 === 0) return "This is good.";
      return right;
    },
  });
  db.$client
    .prepare(
      "insert into price (model, currency, input, cached, output, valid_from) values ('test', 'USD', 3, 0.3, 15, 0)",
    )
    .run();
  const ids = Array.from({ length: 20 }, (_, t) =>
    trajectory(words.slice(t * 50, t * 50 + 50), "policy-a", `Do task ${t}.`),
  );
  expect(localize()).toMatchObject({ trajectories: 20, steps: 1000 });
  const job = await work(1);
  const counts = JSON.parse(job?.counts ?? "") as Record<string, number>;
  expect(counts.steps).toBe(1000);
  const rows = ids.flatMap((id, t) => said(id).map((s) => ({ ...s, truth: words[t * 50 + s.entry - 2] })));
  expect(rows).toHaveLength(1000);
  const judged = rows.filter(({ verdict: v }) => v === "good" || v === "bad");
  expect(judged.length).toBeGreaterThan(950);
  expect(judged.filter((r) => r.verdict !== r.truth)).toEqual([]);
  expect((counts.good ?? 0) + (counts.bad ?? 0) + (counts.failed ?? 0) + (counts.unparsed ?? 0)).toBe(1000);
  expect((counts.failed ?? 0) + (counts.unparsed ?? 0)).toBe(1000 - judged.length);
  // The ledger is the server's own count, token by token, and its price to the billionth.
  const ledger = db.$client
    .prepare(
      `select count(*) as rows, sum(status = 'done') as done, sum(input_tokens) as input, sum(cached_tokens) as cached,
         sum(output_tokens) as output, sum(cost_nano) as cost, sum(status = 'done' and reading is null) as unread from usage where job_id = 1`,
    )
    .get() as Record<string, number>;
  const { tally } = server;
  expect(ledger).toMatchObject({
    done: tally.answers,
    input: tally.input,
    cached: tally.cached,
    output: tally.output,
    unread: 0,
  });
  expect(ledger.cost).toBe((tally.input - tally.cached) * 3000 + tally.cached * 300 + tally.output * 15_000);
  expect(ledger.rows).toBeGreaterThan(1000);
  const strangers = db.$client.prepare(
    "select count(*) from localization l left join usage u on u.id = l.usage_id where l.usage_id is not null and u.id is null",
  );
  expect(strangers.pluck().get()).toBe(0);
}, 120_000);

test("a stopped job goes on where it was: no step is asked about twice that has a verdict", async () => {
  const stop = new AbortController();
  const seen = new Map<string, number>();
  server = await openAiServer({
    answer: ({ texts }) => {
      const key = asked(texts)?.[2] ?? "";
      seen.set(key, (seen.get(key) ?? 0) + 1);
      if (seen.size === 30) stop.abort();
      return verdict("good");
    },
  });
  const id = trajectory(Array.from({ length: 60 }, () => "good"));
  localize({ parallel: 4 });
  expect(await work(1, stop.signal)).toMatchObject({ status: "queued" });
  const kept = said(id).length;
  expect(kept).toBeGreaterThan(20);
  expect(kept).toBeLessThan(60);
  const before = server.requests.length;
  const job = await work(1);
  expect(job).toMatchObject({ status: "done" });
  expect(JSON.parse(job?.counts ?? "")).toEqual({ steps: 60, good: 60 });
  expect(server.requests.length - before).toBe(60 - kept);
  expect(said(id)).toHaveLength(60);
});

test("a budget that is used up pauses the job with every verdict kept; with more of it the rest is judged", async () => {
  server = await openAiServer({ answer: honest });
  const id = trajectory(Array.from({ length: 50 }, (_, i) => (i % 5 === 0 ? "bad" : "good")));
  localize();
  const paused = await work(1, never, { calls: 12 });
  expect(paused).toMatchObject({ status: "paused", items_failed: 0 });
  expect(paused?.error).toContain("budget of 12 calls");
  expect(said(id)).toHaveLength(12);
  expect(server.requests).toHaveLength(12);
  expect(resumeJob(db, 1, "test")).toMatchObject({ ok: true });
  expect(await work(1)).toMatchObject({ status: "done" });
  expect(server.requests).toHaveLength(50);
  expect(said(id).filter((s) => s.verdict === "bad")).toHaveLength(10);
});

test("a newer version of a localizer takes the place of the older; one that fails does not", async () => {
  server = await openAiServer({ answer: honest });
  const id = trajectory(["good", "bad"]);
  localize();
  await work(1);
  const older = db.$client.prepare("update localizer set version = '0 test-model' where kind = 'model'");
  older.run();
  await server.close();
  server = await openAiServer({ answer: ({ texts }) => (asked(texts)?.[2] === "0" ? verdict("bad") : "?") });
  localize();
  db.$client.prepare("delete from usage").run();
  await work(2);
  expect(said(id)).toEqual([
    { entry: 2, verdict: "bad" },
    { entry: 3, verdict: "bad" },
    { entry: 3, verdict: "unparsed" },
  ]);
  expect(said(id, 0)).toEqual([{ entry: 2, verdict: "good" }]);
  expect(db.$client.prepare("select error_steps from trajectory where id = ?").pluck().get(id)).toBe(2);
});

test("which trajectories: by id, by policy, a drawn sample; none is said before anything is queued", async () => {
  server = await openAiServer();
  const ids = Array.from({ length: 6 }, (_, i) => trajectory(["good"], i < 2 ? "policy-b" : "policy-a"));
  expect(localize({ scope: { ids: [ids[0] ?? 0] } }).trajectories).toBe(1);
  expect(localize({ scope: { model: "policy-a" } }).trajectories).toBe(4);
  const drawn = (seed: number) => {
    const { jobId } = localize({ sample: 3, seed });
    return getJob(db, jobId)?.params;
  };
  expect(JSON.parse(drawn(1) ?? "")).toMatchObject({ sample: 3, seed: 1 });
  const jobs = () => db.$client.prepare("select count(*) from job").pluck().get();
  const before = jobs();
  expect(() => localize({ scope: { model: "nobody" } })).toThrow(NothingToLocalize);
  expect(() => localize({ localizer: { use: "rules", options: {} } })).toThrow(UnknownRole);
  expect(() => localize({ localizer: { use: "model", options: { model: "gpt" } } })).toThrow(/there are: test/);
  expect(jobs()).toBe(before);
});

test("a trajectory that was replaced or taken away while its job waited is not asked about, and said", async () => {
  server = await openAiServer({ answer: honest });
  const [old, gone, kept] = [trajectory(["good"]), trajectory(["bad"]), trajectory(["bad"])];
  localize();
  // Listed, and stopped before anything was asked.
  expect(await work(1, never, { calls: 0 })).toMatchObject({ status: "paused", listed: 1 });
  db.$client.prepare("delete from trajectory_type where trajectory_id = ?").run(old);
  db.$client.prepare("update trajectory set superseded_by = ? where id = ?").run(kept, old);
  db.$client.prepare("delete from trajectory where id = ?").run(gone);
  const before = server.requests.length;
  resumeJob(db, 1, "test");
  expect(await work(1)).toMatchObject({ status: "partial", items_done: 1, items_failed: 2 });
  expect(server.requests.length - before).toBe(1);
  expect(said(kept)).toHaveLength(1);
  expect(db.$client.prepare("select error from job_item where error is not null order by id").pluck().all()).toEqual([
    `trajectory ${old} was replaced by trajectory ${kept} since; localize that one`,
    `trajectory ${gone} is gone`,
  ]);
});
