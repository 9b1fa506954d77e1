import "server-only";
import { setMaxListeners } from "node:events";
import { z } from "zod";
import type { Db } from "@/db/client";
import { explain } from "@/db/failure";
import { statement } from "@/db/statement";
import type { Ground } from "@/lib/environment/ground";
import {
  type AwayContext,
  type Counts,
  type Executor,
  type ItemRow,
  JobBroken,
  type Performer,
} from "@/lib/jobs/executor";
import { trainingRefusal } from "@/lib/jobs/place/refusal";
import { openModels } from "@/lib/model/chat/open";
import { BudgetReached } from "@/lib/model/chat/types";
import { RolloutCancelled } from "@/lib/profile/rollout";
import { SandboxFailure } from "@/lib/sandbox/types";
import { trainPlan } from "@/lib/train/run/plan";
import { rememberedSteps } from "@/lib/train/run/remembered";
import {
  type FoundPivots,
  prepareTrainedStep,
  storePivots,
  type TrainedStep,
  Training,
  type TrainingRun,
} from "@/lib/train/run/training";
import { trainSettings } from "@/lib/train/settings";

const itemSchema = z.object({ step: z.number() });
/** Deaths of the sandbox host that one run of the job survives. */
const HOST_DEATHS = 3;

function runOf(db: Db, jobId: number): TrainingRun {
  const row = statement(
    db,
    "select id, study_id as studyId, name, settings, base_checkpoint_id as baseId from training_run where job_id = ?",
  ).get(jobId) as { id: number; studyId: number; name: string; settings: string; baseId: number | null } | undefined;
  if (!row) throw new JobBroken(`no training belongs to job ${jobId}; start a new one`);
  const stored = JSON.parse(row.settings) as { plan: unknown };
  return {
    id: row.id,
    studyId: row.studyId,
    jobId,
    name: row.name,
    policy: `${row.name} (in training)`,
    baseId: row.baseId,
    settings: trainSettings.parse(stored),
    plan: trainPlan.parse(stored.plan),
  };
}

/** What one item came to. Plain data. */
type DoneItem = { pivots: FoundPivots | null } | { trained: TrainedStep };

/** The pivots, or one step. Throws JobBroken, RolloutCancelled and SandboxFailure. */
async function performItem(training: Training, item: ItemRow, ground: Ground, signal: AbortSignal): Promise<DoneItem> {
  const { step } = itemSchema.parse(JSON.parse(item.payload));
  if (step > 0) return { trained: await training.step(step, ground, signal) };
  const pivots = await training.prepare(ground, signal);
  if (pivots?.kept === 0)
    throw new JobBroken(
      `none of ${pivots.of} candidates is a pivot: the policy's actions at each are all rewarded alike; take more candidates, or another profile`,
    );
  return { pivots };
}

/** Readies what an item came to for the transaction that ends it. */
function receive(db: Db, run: TrainingRun, done: DoneItem): { effect: () => Counts; said?: string } {
  if ("pivots" in done) {
    const { pivots } = done;
    return {
      effect: (): Counts => {
        if (pivots === null) return {};
        storePivots(db, run.id, pivots);
        return { candidates: pivots.of, pivots: pivots.kept };
      },
    };
  }
  const { metrics, step } = done.trained.finished;
  const { store } = prepareTrainedStep(run, done.trained);
  return {
    effect: () => {
      store(db);
      return { steps: 1, rollouts: metrics.rollouts, ...(metrics.void > 0 ? { void: metrics.void } : {}) };
    },
    said: `step ${step}: reward ${metrics.reward?.toFixed(3) ?? "–"}, r_o ${percent(metrics.outcomeReward)}, r_e ${percent(metrics.behaviorReward)}, ${metrics.live} of ${metrics.groups} groups with spread, ${((metrics.ms.total ?? 0) / 1000).toFixed(1)} s`,
  };
}

const percent = (share: number | null): string => (share === null ? "–" : `${(100 * share).toFixed(0)}%`);

/**
 * A training: an item a step, in order. A step is in the index with its rollouts or not at all; a killed worker does the
 * step in flight anew from the state of the one before and comes to the same weights.
 */
export function makeTrainExecutor(connect: (db: Db) => Promise<Ground>): Executor {
  return {
    kind: "train",
    batch: 100_000,

    async *list({ db, job }) {
      const { settings } = runOf(db, job.id);
      const steps = Array.from({ length: settings.steps }, (_, i) => ({
        key: `step/${i + 1}`,
        payload: { step: i + 1 },
      }));
      // Step 0 of PivotRL: which candidates are pivots under the base.
      yield { items: settings.start.kind === "pivot" ? [{ key: "pivots", payload: { step: 0 } }, ...steps] : steps };
    },

    async run(context) {
      const { db, job, signal } = context;
      // Every rollout in flight waits for it.
      setMaxListeners(0, signal);
      let training: Training | null = null;
      let ground: Ground | null = null;
      let deaths = 0;
      try {
        const models = () => openModels(db, { jobId: job.id, signal });
        training = await Training.open(db, runOf(db, job.id), { models, signal });
        for (let i = 0; i < context.items.length && !signal.aborted; ) {
          const item = context.items[i] as (typeof context.items)[number];
          ground ??= await connect(db);
          try {
            const done = await performItem(training, item, ground, signal);
            const { effect, said } = receive(db, training.run, done);
            context.together(() => {
              context.commit(item, effect);
              context.end(item, { status: "done" });
            });
            if ("trained" in done) training.tidy(done.trained.finished.step);
            if (said !== undefined) context.log("info", said);
            i++;
          } catch (error) {
            if (error instanceof RolloutCancelled) return;
            if (!(error instanceof SandboxFailure) || error.kind !== "host-gone" || ++deaths > HOST_DEATHS) throw error;
            context.log("warn", `${explain(error)}: a new sandbox host is started, the step is done anew`);
            await ground.close().catch(() => undefined);
            ground = null;
          }
        }
      } catch (error) {
        // Later steps go on from this one: nothing else of the job can be done.
        if (error instanceof JobBroken || error instanceof BudgetReached) throw error;
        throw new JobBroken(explain(error), { cause: error });
      } finally {
        await training?.close();
        await ground?.close().catch(() => undefined);
      }
    },

    away: {
      inOrder: true,
      refusal: (db, job) => trainingRefusal(runOf(db, job.id).settings),
      open: (context) => openAway(context, connect),
      receive: ({ db, job }, _, value) => receive(db, runOf(db, job.id), value as DoneItem),
      made: (value) => {
        const done = value as DoneItem;
        return "trained" in done && done.trained.card ? [done.trained.card.name] : [];
      },
      checkpoints: (db, job) => [runOf(db, job.id).settings.base],
    },
  };
}

/** A training away from its index: what is through and not in the snapshot is remembered in the folder of the job. */
async function openAway(
  { db, job, signal, folder }: AwayContext,
  connect: (db: Db) => Promise<Ground>,
): Promise<Performer> {
  setMaxListeners(0, signal);
  const kept = rememberedSteps(folder);
  const run = runOf(db, job.id);
  const pivots = kept.pivots();
  if (pivots) run.plan = pivots.plan;
  const training = await Training.open(db, run, { signal }, kept.steps());
  const ground = await connect(db);
  return {
    perform: (item) => performItem(training, item, ground, signal),
    isThrough(item) {
      const { step } = itemSchema.parse(JSON.parse(item.payload));
      return step === 0 ? kept.hasPivots() : step <= training.lastStep;
    },
    kept(value) {
      const done = value as DoneItem;
      if ("pivots" in done) {
        kept.keepPivots(done.pivots);
        return;
      }
      const { step, metrics } = done.trained.finished;
      kept.keepStep({ step, metrics });
      training.tidy(step);
    },
    async close() {
      await training.close();
      await ground.close();
    },
  };
}
