import type { Db } from "@/db/client";
import { typesOf } from "@/db/queries/taxonomies";
import { claimJob, getJob } from "@/lib/jobs/queue";
import { runJob } from "@/lib/jobs/run";
import { enqueueTaxonomy } from "@/lib/jobs/taxonomyJob";
import { openAnnotator } from "@/lib/taxonomy/annotator/open";
import type { GivenTaxonomySettings } from "@/lib/taxonomy/settings";
import { madeIndex, makeTrajectory } from "@/lib/taxonomy/testing";
import { makeTaxonomyExecutor } from "./taxonomy";

/** Help for tests of builds: an index with 24 error steps. */
export function indexToBuildOn(): Db {
  const db = madeIndex();
  // 24 error steps: 12 retries, 8 binary files (4 of them kills as well), 4 guesses.
  for (let i = 0; i < 12; i++) makeTrajectory(db, [["make", "retry-same-cause"], ["ls"]], { task: `task-${i % 3}` });
  for (let i = 0; i < 4; i++)
    makeTrajectory(db, [
      ["cat x", "binary-as-text"],
      ["pkill y", "binary-as-text", "unverified-kill"],
    ]);
  for (let i = 0; i < 4; i++) makeTrajectory(db, [["echo 7", "guess-as-fact"]]);
  return db;
}

const SMALL: GivenTaxonomySettings = {
  batchSize: 4,
  proposeBatches: 3,
  maxRefine: 3,
  labelBatchSize: 5,
  parallel: 2,
  keepShare: 0.2,
};

/** Builds of one index: queued, run, and what they come to. */
export const buildsOf = (db: Db) => ({
  start: (settings: GivenTaxonomySettings = {}) =>
    enqueueTaxonomy(db, { name: "mine", settings: { ...SMALL, ...settings }, requestedBy: "test" }),
  run: async (jobId: number, executor = makeTaxonomyExecutor(openAnnotator), stop = new AbortController()) => {
    const job = claimJob(db, "t", jobId);
    if (!job) throw new Error("not queued");
    await runJob(db, job, executor, "t", stop.signal);
    return getJob(db, jobId)?.status;
  },
  /** Everything a build comes to, without ids that depend on the order of insertion. */
  contents: (taxonomyId: number) => ({
    types: typesOf(db, taxonomyId).map(({ slug, name, status, rank, errorSteps, examples }) => ({
      slug,
      name,
      status,
      rank,
      errorSteps,
      examples,
    })),
    labels: db.$client
      .prepare(
        "select l.step_id, e.slug from label l join error_type e on e.id = l.error_type_id where e.taxonomy_id = ? and l.current = 1 order by 1, 2",
      )
      .raw()
      .all(taxonomyId),
    batches: db.$client
      .prepare(
        "select phase, number, status, step_ids, answer from taxonomy_batch where taxonomy_id = ? order by phase, number",
      )
      .raw()
      .all(taxonomyId),
  }),
});
