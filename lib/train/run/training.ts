import "server-only";
import fs from "node:fs";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import type { Ground } from "@/lib/environment/ground";
import { usableBackend } from "@/lib/model/onnx/compile";
import type { Card } from "@/lib/model/policy/card";
import { type Checkpoint, checkpointFolder, loadCheckpoint } from "@/lib/model/policy/checkpoint";
import { createSampler, type PolicySampler } from "@/lib/model/policy/sampler";
import { EmbeddedPolicy } from "@/lib/profile/policies/embedded";
import type { JudgeContext } from "@/lib/reward/registry";
import { AccumulatingTrainer } from "@/lib/train/embedded/accumulate";
import { policyLoss, type RolloutRow } from "@/lib/train/rl/loss";
import { type Judges, makeJudges } from "@/lib/train/rollout/judges";
import type { TrainSettings } from "@/lib/train/settings";
import {
  type CheckpointOrigin,
  stateFile,
  stateFolder,
  storeCheckpoint,
  tidyStates,
  writeCheckpoint,
} from "./checkpoint";
import { type FinishedStep, finishedStep } from "./finished";
import { drawGroups } from "./groups";
import { learn } from "./learn";
import { metricsOf, type StepMetrics, stepMetrics } from "./metrics";
import { findPivots } from "./pivots";
import { loadStart, type TrainPlan } from "./plan";
import { prepareStep, type RunIdentity, storeStep } from "./store";

/** A training as its job needs it. */
export interface TrainingRun extends RunIdentity {
  name: string;
  baseId: number | null;
  settings: TrainSettings;
  plan: TrainPlan;
}

/** Sampling on one thread leaves the other core to the sandboxes; learning has both. Fixed, as the last bits depend on them. */
const THREADS = { sample: 1, learn: 2 };
/** Rows of one gradient, and the lengths its programs are made for (quarters of a megabyte a token of a batch). */
const ROWS = 4;
const LENGTHS = [128, 192, 256, 384];
/** How the update of a training is run, for who measures it. */
export const LEARNING = { threads: THREADS.learn, rows: ROWS };

/** The files a training goes on from are not there any more. */
export class StateMissing extends Error {}

/** A step that is through. */
export interface PastStep {
  step: number;
  metrics: StepMetrics;
}

/** What one step of a training came to. Plain data: it survives JSON unchanged. */
export interface TrainedStep {
  finished: FinishedStep;
  /** Of the checkpoint that was written after it. */
  card: Card | null;
}

/** Which candidates of a PivotRL training are pivots. */
export interface FoundPivots {
  plan: TrainPlan;
  kept: number;
  of: number;
}

/** Puts a step of a training into the index, wherever it was made. `store` belongs into the transaction that ends its item. */
export function prepareTrainedStep(run: TrainingRun, { finished, card }: TrainedStep): { store(db: Db): void } {
  const ready = prepareStep(run, finished);
  return {
    store(db) {
      storeStep(db, run, ready);
      if (card) storeCheckpoint(db, { runId: run.id, step: finished.step, baseId: run.baseId }, card);
    },
  };
}

/** Keeps the pivots that were found: the training starts from these. */
export function storePivots(db: Db, runId: number, { plan }: FoundPivots): void {
  statement(db, "update training_run set settings = json_set(settings, '$.plan', json(?)) where id = ?").run(
    JSON.stringify(plan),
    runId,
  );
}

/** Steps that are in the index, in order. */
function pastOf(db: Db, runId: number): PastStep[] {
  const rows = statement(db, "select step, metrics from training_step where training_run_id = ? order by step").all(
    runId,
  ) as { step: number; metrics: string }[];
  return rows.map(({ step, metrics }) => ({ step, metrics: stepMetrics.parse(JSON.parse(metrics)) }));
}

/** A training in progress: policy, optimiser and what they have come to. Goes on after the last step that is through. */
export class Training {
  private constructor(
    private readonly db: Db,
    readonly run: TrainingRun,
    private readonly base: Checkpoint,
    private readonly trainer: AccumulatingTrainer<RolloutRow>,
    private readonly sampler: PolicySampler,
    private readonly policy: EmbeddedPolicy,
    private readonly judges: Judges,
    private readonly past: PastStep[],
  ) {}

  /**
   * `through`: steps that are through and not in this index yet. Throws StateMissing when the state of the last step is
   * not on this disk.
   */
  static async open(
    db: Db,
    run: TrainingRun,
    judges: Omit<JudgeContext, "db">,
    through: readonly PastStep[] = [],
  ): Promise<Training> {
    const { settings } = run;
    const base = await loadCheckpoint(settings.base);
    const { backend } = await usableBackend();
    const lengths = LENGTHS.filter((length) => length < base.config.context);
    const trainer = new AccumulatingTrainer<RolloutRow>(base.weights, base.config, policyLoss(settings.loss), {
      backend,
      threads: THREADS.learn,
      batch: ROWS,
      lengths: [...lengths, base.config.context],
    });
    fs.mkdirSync(stateFolder(run.id), { recursive: true });
    const stored = pastOf(db, run.id);
    const known = stored.at(-1)?.step ?? 0;
    const past = [...stored, ...through.filter(({ step }) => step > known)];
    const last = past.at(-1);
    if (last) {
      const file = stateFile(run.id, last.step);
      if (!fs.existsSync(file))
        throw new StateMissing(
          `step ${last.step} of this training is through, its state ${file} is gone; start a new training`,
        );
      await trainer.state.restore(file);
    }
    const slots = Math.min(settings.parallel, settings.batch * settings.group);
    const sampler = await createSampler(trainer.state.weights(), base.config, {
      threads: THREADS.sample,
      backend,
      slots,
    });
    const checkpointId = statement(db, "select id from checkpoint where name = ?").get(run.policy) as { id: number };
    const policy = new EmbeddedPolicy(checkpointId.id, { ...base, name: run.policy }, sampler, {
      temperature: 1,
      topP: 1,
    });
    const asked = makeJudges({ db, ...judges }, settings);
    return new Training(db, run, base, trainer, sampler, policy, asked, past);
  }

  /** PivotRL: finds the pivots among the candidates, if that is still to be done. */
  async prepare(ground: Ground, signal: AbortSignal): Promise<FoundPivots | null> {
    const { db, run } = this;
    const { plan, settings } = run;
    if (plan.kind !== "pivot" || plan.found || settings.start.kind !== "pivot") return null;
    const shared = { ground, policy: this.policy, judges: this.judges, settings, signal };
    const ids = await findPivots(shared, plan.ids, (id) => loadStart(db, plan, id), settings.start.actions);
    const found: TrainPlan = { ...plan, ids, found: true };
    run.plan = found;
    return { plan: found, kept: ids.length, of: plan.ids.length };
  }

  /**
   * One step: rollouts, rewards, update. Its state and its checkpoint are on disk when it comes back.
   * Throws RolloutCancelled, SandboxFailure "host-gone" and TrainingDiverged; nothing is changed then.
   */
  async step(step: number, ground: Ground, signal: AbortSignal): Promise<TrainedStep> {
    const { db, run } = this;
    const began = performance.now();
    const cursor = this.past.at(-1)?.metrics.cursor ?? 0;
    const shared = { ground, policy: this.policy, judges: this.judges, settings: run.settings, signal };
    const drawn = await drawGroups(shared, run.plan.ids, (id) => loadStart(db, run.plan, id), { step, cursor });
    const rolled = performance.now();
    const learned = await learn(this.trainer, drawn.groups, run.settings, step);
    const ended = performance.now();
    const ms = {
      rollouts: Math.round(rolled - began),
      learn: Math.round(ended - rolled),
      total: Math.round(ended - began),
    };
    const metrics = metricsOf(drawn.groups, learned, ms, drawn.cursor);
    this.past.push({ step, metrics });
    const weights = this.trainer.state.weights();
    this.sampler.setWeights(weights);
    this.trainer.state.save(stateFile(run.id, step));
    const saved = step === run.settings.steps || step % run.settings.saveEvery === 0;
    const origin: CheckpointOrigin = {
      runId: run.id,
      name: run.name,
      step,
      settings: run.settings,
      base: this.base,
      baseId: run.baseId,
    };
    const card = saved ? writeCheckpoint(origin, weights, this.past) : null;
    return { finished: finishedStep(step, drawn.groups, learned, metrics), card };
  }

  /** The last step that is through; 0: none. */
  get lastStep(): number {
    return this.past.at(-1)?.step ?? 0;
  }

  /** Removes states that nothing goes on from once this step is kept. */
  tidy(step: number): void {
    tidyStates(this.run.id, step);
  }

  async close(): Promise<void> {
    await this.policy.close();
    await this.trainer.close();
  }
}

/** Whether a base can be trained here. */
export const isTrainable = (name: string): boolean => checkpointFolder(name) !== null;
