import "server-only";
import { setMaxListeners } from "node:events";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import type { Ground } from "@/lib/environment/ground";
import { makeMeasuringJudges } from "@/lib/evaluate/behavior/judges";
import { type NamedJudge, performSample } from "@/lib/evaluate/behavior/perform";
import { type BehaviorPlan, behaviorPlan } from "@/lib/evaluate/behavior/plan";
import { type BehaviorProtocol, behaviorProtocol } from "@/lib/evaluate/behavior/settings";
import { prepareSample, type SampleIdentity, storeSample } from "@/lib/evaluate/behavior/store";
import {
  type Counts,
  type Executor,
  type ItemRow,
  type ItemsContext,
  JobBroken,
  type NewItem,
} from "@/lib/jobs/executor";
import type { Policy } from "@/lib/profile/roles";
import { lazyModels } from "@/lib/profile/roles/models";
import { policyMaker } from "@/lib/profile/roles/registry";
import { RolloutCancelled } from "@/lib/profile/rollout";
import { profileSettings } from "@/lib/profile/settings";
import { prefixStart } from "@/lib/train/rollout/starts";
import { runGrounded } from "./grounded";

/** A measurement as its job needs it. */
interface Measurement {
  id: number;
  studyId: number;
  protocol: BehaviorProtocol;
  plan: BehaviorPlan;
  checkpoints: number[];
}

const itemSchema = z.object({ policy: z.number(), prefixId: z.number(), errorTypeId: z.number(), number: z.number() });

function measurementOf(db: Db, jobId: number): Measurement {
  const row = statement(
    db,
    "select id, study_id as studyId, protocol from evaluation where job_id = ? and kind = 'misbehavior-rate'",
  ).get(jobId) as { id: number; studyId: number; protocol: string } | undefined;
  if (!row) throw new JobBroken(`no measurement belongs to job ${jobId}; start a new one`);
  const stored = JSON.parse(row.protocol) as { plan: unknown; checkpoints: number[] };
  return {
    ...row,
    protocol: behaviorProtocol.parse(stored),
    plan: behaviorPlan.parse(stored.plan),
    checkpoints: stored.checkpoints,
  };
}

/** What every sample of a policy shares. */
interface Lanes {
  context: ItemsContext;
  measurement: Measurement;
  policy: Policy;
  judges: NamedJudge[];
  ground: Ground;
}

async function runItem({ context, measurement, policy, judges, ground }: Lanes, item: ItemRow): Promise<void> {
  const { db, job, signal } = context;
  const { prefixId, errorTypeId, number } = itemSchema.parse(JSON.parse(item.payload));
  const { id, studyId, protocol, plan } = measurement;
  const start = prefixStart(db, prefixId);
  const shared = {
    ground,
    policy,
    judges,
    window: protocol.window,
    outcome: protocol.outcome,
    seed: protocol.seed,
    signal,
  };
  const performed = await performSample(shared, start, { prefixId, number });
  if (signal.aborted) throw new RolloutCancelled();
  const leaked = plan.leaks.some((l) => l.checkpointId === policy.checkpointId && l.prefixes.includes(prefixId));
  const identity: SampleIdentity = {
    evaluationId: id,
    studyId,
    jobId: job.id,
    checkpointId: policy.checkpointId,
    policy: policy.name,
    prefixId,
    errorTypeId,
    number,
    leaked,
  };
  const ready = prepareSample(identity, performed);
  context.together(() => {
    context.commit(item, (): Counts => {
      storeSample(db, identity, start, ready);
      if (performed.kind === "void") return { samples: 1, void: 1 };
      const failed = performed.readings.filter(
        ({ reading }) => reading.answer !== "yes" && reading.answer !== "no",
      ).length;
      return { samples: 1, verdicts: performed.readings.length - failed, ...(failed > 0 ? { unjudged: failed } : {}) };
    });
    context.end(item, { status: "done" });
  });
  if (performed.kind === "void") context.log("warn", `${item.key} is void: ${performed.reason}`);
}

/**
 * A measurement of misbehavior rates (recipe 8): an item a sample, one policy after the other, each sample stored with its
 * verdicts as it ends. Everything drawn comes from (seed, prefix, number), so a killed worker redoes what was in flight.
 */
export function makeMeasureExecutor(connect: (db: Db) => Promise<Ground>): Executor {
  return {
    kind: "measure",
    batch: 1_000_000,

    async *list({ db, job }) {
      const { protocol, plan } = measurementOf(db, job.id);
      for (const policy of protocol.policies.keys())
        for (const { errorTypeId, slug, prefixes } of plan.misbehaviors) {
          const items: NewItem[] = prefixes.flatMap((prefixId) =>
            Array.from({ length: protocol.samples }, (_, i) => ({
              key: `policy ${policy + 1}/${slug}/prefix ${prefixId}/${i + 1}`,
              payload: { policy, prefixId, errorTypeId, number: i + 1 },
            })),
          );
          yield { items };
          await new Promise((resolve) => setImmediate(resolve));
        }
    },

    async run(context) {
      const { db, job, signal } = context;
      const measurement = measurementOf(db, job.id);
      const { protocol, checkpoints } = measurement;
      const models = lazyModels(db, { jobId: job.id, signal });
      const judges = makeMeasuringJudges({ db, models, signal }, protocol.judges);
      // Every sample in flight waits for it.
      setMaxListeners(0, signal);
      const deaths = { count: 0 };
      for (const [at, spec] of protocol.policies.entries()) {
        const queue = context.items.filter((item) => itemSchema.parse(JSON.parse(item.payload)).policy === at);
        if (queue.length === 0) continue;
        const { temperature, topP, parallel } = protocol;
        const settings = profileSettings.parse({
          mode: "plain",
          environments: { ids: [1] },
          policy: spec,
          localizer: null,
          ...{ temperature, topP, parallel },
        });
        const policy = await policyMaker(spec).make({ db, models, signal, settings }, checkpoints[at] as number);
        try {
          await runGrounded(context, queue, deaths, {
            what: "samples",
            parallel,
            connect: () => connect(db),
            run: (item, ground) => runItem({ context, measurement, policy, judges, ground }, item),
          });
          if (signal.aborted) return;
        } finally {
          await policy.close();
        }
      }
    },
  };
}
