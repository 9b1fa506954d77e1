import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { type Counts, type Executor, type ItemsContext, JobBroken } from "@/lib/jobs/executor";
import { readBackParams, readBackSettings } from "@/lib/jobs/readBackJob";
import { metadataOf } from "@/lib/train/readback/folder";
import { bundleManifest } from "@/lib/train/readback/manifest";
import { RolloutReader, type Took } from "@/lib/train/readback/reader";
import type { ReadRun } from "@/lib/train/readback/store";

function runOf(db: Db, jobId: number): ReadRun {
  const row = statement(db, "select id, study_id as studyId, name, settings from training_run where job_id = ?").get(
    jobId,
  ) as { id: number; studyId: number; name: string; settings: string } | undefined;
  if (!row) throw new JobBroken(`no training belongs to job ${jobId}; read the folder again`);
  const { readBack } = readBackSettings.parse(JSON.parse(row.settings));
  return {
    id: row.id,
    studyId: row.studyId,
    jobId,
    policy: `${row.name} (in training)`,
    manifest: readBack.bundle === null ? null : bundleManifest.parse(readBack.bundle),
  };
}

/** What is stored already: an attempt that was interrupted counts again from there. */
const storedCounts = (db: Db, runId: number): Counts => {
  const row = statement(
    db,
    `select count(*) as rollouts, count(r.void_reason) as void, (select count(*) from read_back_problem where training_run_id = @runId) as refused
     from rollout r join rollout_group g on g.id = r.group_id where g.training_run_id = @runId`,
  ).get({ runId }) as Counts;
  return Object.fromEntries(Object.entries(row).filter(([, n]) => n > 0));
};

const countsOf = ({ rollouts, void: voided, withoutText, refused }: Took): Counts =>
  Object.fromEntries(
    Object.entries({ rollouts, void: voided, withoutText, refused: refused.length }).filter(([, n]) => n > 0),
  );

/** The last step that was planned has all its groups: nothing more will come. */
function isWhole(db: Db, { id, manifest }: ReadRun): boolean {
  if (!manifest) return false;
  const { steps, batch, group } = manifest.settings;
  const last = statement(
    db,
    `select count(*) from rollout r join rollout_group g on g.id = r.group_id where g.training_run_id = ? and g.step >= ? and g.source like 'kept/%'`,
  )
    .pluck()
    .get(id, steps) as number;
  return last >= batch * group;
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

async function pass(context: ItemsContext, reader: RolloutReader): Promise<void> {
  const [item] = context.items;
  if (!item) return;
  for (const { store } of reader.stretches()) {
    const refused: Took["refused"] = [];
    context.commit(item, () => {
      const took = store();
      refused.push(...took.refused);
      return countsOf(took);
    });
    for (const { path, line, reason } of refused) context.log("warn", `${path}, line ${line}: ${reason}`);
    await breathe();
    if (context.signal.aborted) return;
  }
}

/**
 * Reads rollouts of another engine into the tables of trainings, whole lines only, and when asked goes on while they are
 * written: until the last planned step is there, or until it is cancelled. Where it is in each file is moved in the
 * transaction that stores what was read, so that a killed worker neither loses nor doubles a line.
 */
export const readBackExecutor: Executor = {
  kind: "read-back",

  async *list() {
    yield { items: [{ key: "read", payload: {} }] };
  },

  async run(context) {
    const { db, job, signal } = context;
    const { folder, run: name, follow, pollMs } = readBackParams.parse(JSON.parse(job.params));
    const run = runOf(db, job.id);
    const [item] = context.items;
    if (!item) return;
    context.commit(item, () => storedCounts(db, run.id));
    const metadata = metadataOf(folder, name);
    if (metadata)
      context.log(
        "info",
        `${name}: ${metadata.model_name ?? "model not said"}, trainer at ${metadata.git_commit ?? "commit not said"}`,
      );
    const reader = new RolloutReader(db, run, folder, name);
    for (;;) {
      await pass(context, reader);
      if (signal.aborted) return;
      if (!follow || isWhole(db, run)) break;
      await pause(pollMs, signal);
      if (signal.aborted) return;
    }
    for (const file of reader.unfinished())
      context.log("warn", `the last line of ${file} is not whole yet; read the folder again to have it`);
    context.end(item, { status: "done" });
  },
};
