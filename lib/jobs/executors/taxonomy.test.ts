import { afterEach, beforeEach, expect, test } from "vitest";
import type { Db } from "@/db/client";
import { misbehaviorOverview } from "@/db/queries/misbehaviors";
import { listTaxonomies, lookedAt, typesOf } from "@/db/queries/taxonomies";
import { doctor } from "@/lib/jobs/doctor";
import { cancelJob, getJob, retryJob } from "@/lib/jobs/queue";
import { RoleFailure } from "@/lib/model/role/types";
import { openAnnotator } from "@/lib/taxonomy/annotator/open";
import { applyEdits } from "@/lib/taxonomy/edit/apply";
import { makeTrajectory } from "@/lib/taxonomy/testing";
import { makeTaxonomyExecutor } from "./taxonomy";
import { buildsOf, indexToBuildOn } from "./taxonomy.fixture";

let db: Db;
let builds: ReturnType<typeof buildsOf>;
beforeEach(() => {
  db = indexToBuildOn();
  builds = buildsOf(db);
});
afterEach(() => db.$client.close());

test("rules build a version: labelled, counted, small types in the tail, the built-in numbers as before", async () => {
  const before = misbehaviorOverview(db);
  const { taxonomyId, jobId } = builds.start();
  expect(await builds.run(jobId)).toBe("done");
  expect(listTaxonomies(db)[0]).toMatchObject({
    name: "mine",
    version: 1,
    status: "done",
    origin: "annotator",
    coverage: "assigned",
  });
  expect(typesOf(db, taxonomyId).map((t) => [t.detectors[0], t.status, t.named, t.errorSteps])).toEqual([
    ["retry-same-cause", "kept", 1, 12],
    ["binary-as-text", "kept", 1, 8],
    // 4 of 24 are fewer than a fifth; order of equals is by how often they were seen.
    [expect.stringMatching(/kill|guess/), "tail", 0, 4],
    [expect.stringMatching(/kill|guess/), "tail", 0, 4],
  ]);
  const overview = misbehaviorOverview(db, taxonomyId);
  expect(overview).toMatchObject({
    all: { errorSteps: 24 },
    named: { errorSteps: 20 },
    unlabelled: { errorSteps: 4 },
    unseen: 0,
  });
  expect(overview.rows.map((r) => r.environments)).toEqual([3, 1]);
  expect(lookedAt(db, taxonomyId)).toEqual({ labelled: 24, none: 0, failed: 0, unparsed: 0, stale: 0 });
  expect(misbehaviorOverview(db)).toEqual(before);
  expect(doctor(db).find((c) => c.name === "Counters")).toMatchObject({ level: "ok" });
});

test("new findings label the newest version too, and are counted under it", async () => {
  const { taxonomyId, jobId } = builds.start();
  await builds.run(jobId);
  makeTrajectory(db, [["make", "retry-same-cause"], ["rm"]]);
  expect(misbehaviorOverview(db, taxonomyId).rows[0]).toMatchObject({ errorSteps: 13 });
  expect(misbehaviorOverview(db).all.errorSteps).toBe(25);
  expect(misbehaviorOverview(db, taxonomyId).unseen).toBe(0);
});

test("stopped anywhere and taken up again, a build comes to the same", async () => {
  const first = builds.start();
  await builds.run(first.jobId);
  const whole = builds.contents(first.taxonomyId);
  const second = builds.start();
  for (let stops = 0; getJob(db, second.jobId)?.status !== "done"; stops++) {
    if (stops > 60) throw new Error("does not come to an end");
    const stop = new AbortController();
    const inner = makeTaxonomyExecutor((...given) => {
      const annotator = openAnnotator(...given);
      const cut =
        <A extends unknown[], T>(f: (...args: A) => Promise<T>) =>
        (...args: A) => {
          stop.abort();
          return f(...args);
        };
      return {
        ...annotator,
        propose: cut(annotator.propose),
        refine: cut(annotator.refine),
        label: cut(annotator.label),
      };
    });
    await builds.run(second.jobId, inner, stop);
  }
  expect(builds.contents(second.taxonomyId)).toEqual(whole);
  expect(listTaxonomies(db)[0]).toMatchObject({ version: 2 });
});

test("nothing to look at, and nothing found, fail with a reason", async () => {
  const none = builds.start({ steps: { profile: 99 } });
  expect(await builds.run(none.jobId)).toBe("failed");
  expect(getJob(db, none.jobId)?.error).toContain("no error step");
  expect(listTaxonomies(db)[0]).toMatchObject({ status: "failed" });
  const rare = builds.start({ recurrence: 50, proposeBatches: 6, maxRefine: 0 });
  // Six batches answered, none has a type in six of them.
  expect(await builds.run(rare.jobId)).toBe("failed");
  expect(listTaxonomies(db)[0]).toMatchObject({ status: "failed" });
});

test("a build that was cancelled or failed is no version being built: the one before can be edited, and it can be tried again", async () => {
  const done = builds.start();
  await builds.run(done.jobId);
  const cancelled = builds.start();
  const rename = (name: string, id = done.taxonomyId) =>
    applyEdits(db, {
      taxonomyId: id,
      operations: [{ kind: "rename", type: typesOf(db, id)[0]?.slug ?? "", name }],
      actor: "test",
    });
  expect(() => rename("Early")).toThrow(/version 2 of mine is being built/);
  cancelJob(db, cancelled.jobId, "test");
  expect(listTaxonomies(db)[0]).toMatchObject({ version: 2, status: "failed" });
  expect(rename("Late")).toMatchObject({ version: 3 });
  retryJob(db, cancelled.jobId, "test");
  expect(listTaxonomies(db).find((t) => t.id === cancelled.taxonomyId)?.status).toBe("building");
  expect(await builds.run(cancelled.jobId)).toBe("done");
  expect(builds.contents(cancelled.taxonomyId).labels.length).toBeGreaterThan(0);
});

test("a build that is tried again leaves a version alone that was edited while its annotator thought", async () => {
  const failing = (during: () => void) =>
    makeTaxonomyExecutor((...given) => ({
      ...openAnnotator(...given),
      label: async () => {
        during();
        throw new RoleFailure("failed", "no answer");
      },
    }));
  const { taxonomyId, jobId } = builds.start({ parallel: 1 });
  expect(
    await builds.run(
      jobId,
      failing(() => undefined),
    ),
  ).toBe("partial");
  retryJob(db, jobId, "test");
  let before: unknown;
  const edit = () => {
    if (before) return;
    const operations = [{ kind: "rename" as const, type: typesOf(db, taxonomyId)[0]?.slug ?? "", name: "Other" }];
    applyEdits(db, { taxonomyId, operations, actor: "test" });
    before = [builds.contents(taxonomyId), lookedAt(db, taxonomyId), misbehaviorOverview(db, taxonomyId)];
  };
  const answering = makeTaxonomyExecutor((...given) => {
    const annotator = openAnnotator(...given);
    return {
      ...annotator,
      label: (...asked) => {
        edit();
        return annotator.label(...asked);
      },
    };
  });
  expect(await builds.run(jobId, answering)).toBe("failed");
  expect(getJob(db, jobId)?.error).toMatch(/edited since/);
  expect([builds.contents(taxonomyId), lookedAt(db, taxonomyId), misbehaviorOverview(db, taxonomyId)]).toEqual(before);
});
