import "server-only";
import fs from "node:fs";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import type { Ground } from "@/lib/environment/ground";
import { usableBackend } from "@/lib/model/onnx/compile";
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
import { drawGroups } from "./groups";
import { learn } from "./learn";
import { metricsOf, type StepMetrics, stepMetrics } from "./metrics";
import { findPivots } from "./pivots";
import { loadStart, type TrainPlan } from "./plan";
import { prepareRollouts, type RunIdentity, storeStep } from "./store";

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

interface Past {
  step: number;
  metrics: StepMetrics;
}

/** Steps that are in the index, in order. */
function pastOf(db: Db, runId: number): Past[] {
  const rows = statement(db, "select step, metrics from training_step where training_run_id = ? order by step").all(
    runId,
  ) as { step: number; metrics: string }[];
  return rows.map(({ step, metrics }) => ({ step, metrics: stepMetrics.parse(JSON.parse(metrics)) }));
}

/** A training in progress: policy, optimiser and what they have come to. Goes on after the last step in the index. */
export class Training {
  private constructor(
    private readonly db: Db,
    readonly run: TrainingRun,
    private readonly base: Checkpoint,
    private readonly trainer: AccumulatingTrainer<RolloutRow>,
    private readonly sampler: PolicySampler,
    private readonly policy: EmbeddedPolicy,
    private readonly judges: Judges,
    private readonly past: Past[],
  ) {}

  /** Throws StateMissing when steps are in the index whose state is not on this disk. */
  static async open(db: Db, run: TrainingRun, judges: Omit<JudgeContext, "db">): Promise<Training> {
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
    const past = pastOf(db, run.id);
    const last = past.at(-1);
    if (last) {
      const file = stateFile(run.id, last.step);
      if (!fs.existsSync(file))
        throw new StateMissing(
          `step ${last.step} of this training is in the index, its state ${file} is gone; start a new training`,
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

  /** PivotRL: finds the pivots among the candidates, if that is still to be done. What it gives back stores them. */
  async prepare(ground: Ground, signal: AbortSignal): Promise<{ kept: number; of: number; store: () => void } | null> {
    const { db, run } = this;
    const { plan, settings } = run;
    if (plan.kind !== "pivot" || plan.found || settings.start.kind !== "pivot") return null;
    const shared = { ground, policy: this.policy, judges: this.judges, settings, signal };
    const ids = await findPivots(shared, plan.ids, (id) => loadStart(db, plan, id), settings.start.actions);
    const found: TrainPlan = { ...plan, ids, found: true };
    run.plan = found;
    return {
      kept: ids.length,
      of: plan.ids.length,
      store: () => {
        statement(db, "update training_run set settings = json_set(settings, '$.plan', json(?)) where id = ?").run(
          JSON.stringify(found),
          run.id,
        );
      },
    };
  }

  /**
   * One step: rollouts, rewards, update. What it gives back writes the step into the index; the state is on disk before.
   * Throws RolloutCancelled, SandboxFailure "host-gone" and TrainingDiverged; nothing is changed then.
   */
  async step(step: number, ground: Ground, signal: AbortSignal): Promise<{ metrics: StepMetrics; store: () => void }> {
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
    const ready = prepareRollouts(run, step, drawn.groups);
    return {
      metrics,
      store: () => {
        storeStep(db, run, { step, groups: drawn.groups, ready, learned: learned?.learned ?? null, metrics });
        if (card) storeCheckpoint(db, origin, card);
        tidyStates(run.id, step);
      },
    };
  }

  async close(): Promise<void> {
    await this.policy.close();
    await this.trainer.close();
  }
}

/** Whether a base can be trained here. */
export const isTrainable = (name: string): boolean => checkpointFolder(name) !== null;
