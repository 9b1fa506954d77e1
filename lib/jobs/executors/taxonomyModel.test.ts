import { afterEach, beforeEach, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { misbehaviorOverview } from "@/db/queries/misbehaviors";
import { lookedAt, typesOf } from "@/db/queries/taxonomies";
import { getJob, resumeJob, retryJob } from "@/lib/jobs/queue";
import { noSleep, openAiServer, settingsFor } from "@/lib/model/chat/testing/openai";
import { openAnnotator } from "@/lib/taxonomy/annotator/open";
import { storedBatches } from "@/lib/taxonomy/batches";
import type { GivenTaxonomySettings } from "@/lib/taxonomy/settings";
import { makeTaxonomyExecutor } from "./taxonomy";
import { buildsOf, indexToBuildOn } from "./taxonomy.fixture";

let db: Db;
let builds: ReturnType<typeof buildsOf>;
beforeEach(() => {
  db = indexToBuildOn();
  builds = buildsOf(db);
});
afterEach(() => db.$client.close());

/** A model that sorts by words in the commands, over real HTTP. */
function answerOf(texts: string[]): string {
  const [system = "", user = ""] = texts;
  const rows = [...user.matchAll(/^\{"id":.*$/gm)].map((m) => JSON.parse(m[0]) as { id: number; command: string });
  const of = (word: string) => rows.filter((r) => r.command.includes(word)).map((r) => r.id);
  const retry = {
    name: "Repeats without change",
    definition: "Runs the same thing again.",
    is_not: ["after a change"],
    example_ids: of("make"),
  };
  const noise = { name: "Reads the unreadable", definition: "Prints bytes.", is_not: [], example_ids: of("cat") };
  const rest = rows.filter((r) => !/make|cat/.test(r.command)).map((r) => r.id);
  if (system.startsWith("You study"))
    return JSON.stringify({
      types: [retry, noise].filter((t) => t.example_ids.length > 0),
      unassigned: rest.map((id) => ({ id, reason: "one_off" })),
    });
  const assignments = [
    ...of("make").map((id) => ({ id, types: [retry.name] })),
    ...of("cat").map((id) => ({ id, types: [noise.name] })),
  ];
  if (system.startsWith("You keep"))
    return JSON.stringify({ assignments, unassigned: rest.map((id) => ({ id, reason: "one_off" })), new_types: [] });
  return JSON.stringify({ assignments, unassigned: rest });
}

test("a model builds a version over HTTP; faults of the server leave no wrong label, and a retry asks again for what failed", async () => {
  let broken = true;
  const server = await openAiServer({
    answer: ({ texts }) => {
      const reply = answerOf(texts);
      if (!broken || !texts[0]?.startsWith("You label")) return reply;
      // Batch with the kills: never readable. Batch with step 1 missing: read for the others.
      if (texts[1]?.includes("pkill")) return "I would rather not.";
      return reply;
    },
    faults: { seed: 5, share: 0.2 },
  });
  try {
    const settings = settingsFor(server);
    const executor = makeTaxonomyExecutor((on, spec, options) =>
      openAnnotator(on, spec, { ...options, settings, env: {}, sleep: noSleep }),
    );
    const { taxonomyId, jobId } = builds.start({ annotator: { use: "model" }, keepShare: 0.01 });
    expect(await builds.run(jobId, executor)).toBe("partial");
    const seen = lookedAt(db, taxonomyId);
    expect(seen.failed + seen.unparsed).toBeGreaterThan(0);
    expect(seen.labelled + seen.none + seen.failed + seen.unparsed).toBe(24);
    // Failed and unparsed steps are neither labelled nor unlabelled.
    const { named, unlabelled, unseen } = misbehaviorOverview(db, taxonomyId);
    expect([named.errorSteps, unlabelled.errorSteps, unseen]).toEqual([
      seen.labelled,
      seen.none,
      seen.failed + seen.unparsed,
    ]);
    broken = false;
    expect(retryJob(db, jobId, "test")).toEqual({ ok: true });
    expect(await builds.run(jobId, executor)).toBe("done");
    expect(lookedAt(db, taxonomyId)).toEqual({ labelled: 16, none: 8, failed: 0, unparsed: 0, stale: 0 });
    expect(typesOf(db, taxonomyId).map((t) => [t.name, t.errorSteps])).toEqual([
      ["Repeats without change", 12],
      ["Reads the unreadable", 4],
    ]);
    // Each batch leads to the call it came from.
    const calls = db.$client
      .prepare("select count(*) from taxonomy_batch b join usage u on u.id = b.usage_id and u.job_id = ?")
      .pluck()
      .get(jobId);
    const stored = db.$client
      .prepare("select count(*) from taxonomy_batch where taxonomy_id = ?")
      .pluck()
      .get(taxonomyId);
    expect(calls).toBe(stored);
    expect(storedBatches(db, taxonomyId).every((b) => b.answer !== null)).toBe(true);
  } finally {
    await server.close();
  }
});

test("a build whose budget is reached again and again, wherever, comes to what it comes to without one", async () => {
  const server = await openAiServer({ answer: ({ texts }) => answerOf(texts) });
  try {
    const settings = settingsFor(server);
    let calls: number | undefined;
    const executor = makeTaxonomyExecutor((on, spec, options) =>
      openAnnotator(on, spec, { ...options, settings, budget: calls === undefined ? {} : { calls }, sleep: noSleep }),
    );
    const model: GivenTaxonomySettings = { annotator: { use: "model" } };
    const whole = builds.start(model);
    expect(await builds.run(whole.jobId, executor)).toBe("done");
    const made = server.requests.length;
    // So that nothing comes from the cache.
    db.$client.exec("update usage set reading = 'unparsed'");
    const paid = builds.start(model);
    const phases = new Set<unknown>();
    for (calls = 1; (await builds.run(paid.jobId, executor)) !== "done"; calls++) {
      expect(getJob(db, paid.jobId)).toMatchObject({ status: "paused", items_failed: 0 });
      const last = db.$client.prepare(
        "select phase from taxonomy_batch where taxonomy_id = ? order by id desc limit 1",
      );
      phases.add(last.pluck().get(paid.taxonomyId));
      expect(resumeJob(db, paid.jobId, "test")).toEqual({ ok: true });
    }
    expect([...phases]).toEqual(["propose", "refine", "label"]);
    expect(builds.contents(paid.taxonomyId)).toEqual(builds.contents(whole.taxonomyId));
    expect(JSON.parse(getJob(db, paid.jobId)?.counts ?? "")).toEqual(JSON.parse(getJob(db, whole.jobId)?.counts ?? ""));
    expect(server.requests.length).toBeLessThanOrEqual(2 * made);
  } finally {
    await server.close();
  }
});
