import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { samplePace } from "@/lib/evaluate/behavior/pace";
import { type BehaviorPlan, NothingToMeasure, planBehavior } from "@/lib/evaluate/behavior/plan";
import { behaviorProtocol, type GivenBehaviorProtocol } from "@/lib/evaluate/behavior/settings";
import { resolvedSpec } from "@/lib/profile/roles/models";
import { policyMaker } from "@/lib/profile/roles/registry";
import { checkBehaviorJudge } from "@/lib/reward/registry";
import { plural } from "@/lib/text/format";
import { enqueue } from "./queue";

export interface NewMeasurement {
  name?: string;
  studyId?: number;
  protocol: GivenBehaviorProtocol;
  requestedBy: string;
}

/** The protocol with all that the model settings decide, its checkpoints, and what is measured. */
function planned(db: Db, { studyId = 1, protocol: given }: NewMeasurement) {
  const parsed = behaviorProtocol.parse(given);
  const protocol = {
    ...parsed,
    policies: parsed.policies.map((spec) => resolvedSpec(spec, "policy")),
    judges: parsed.judges.map((spec) => resolvedSpec(spec, "behavior-judge")),
  };
  for (const judge of protocol.judges) checkBehaviorJudge(judge);
  const named = statement(db, "select id, name from checkpoint where id = ?");
  const checkpoints = protocol.policies.map(
    (spec) => named.get(policyMaker(spec).checkpoint(db, spec)) as { id: number; name: string },
  );
  if (new Set(checkpoints.map((c) => c.id)).size < checkpoints.length)
    throw new NothingToMeasure("a policy is named twice");
  return { protocol, checkpoints, plan: planBehavior(db, studyId, protocol, checkpoints) };
}

/** What a measurement would come to. */
export interface DryMeasurement {
  plan: BehaviorPlan;
  policies: number;
  prefixes: number;
  samples: number;
  /** Verdicts that judges are asked for. */
  verdicts: number;
  /** Milliseconds by the pace of measurements of its kind; null: none ran. */
  expectedMs: number | null;
  /** Whose pace that is: of measurements that ran here, or, before the first, of those of the study that was loaded. */
  paceOf: "here" | "study" | null;
}

/** Plans a measurement and leaves the index as it was. Throws what enqueueMeasurement throws. */
export function dryMeasurement(db: Db, wanted: NewMeasurement): DryMeasurement {
  let dry: DryMeasurement | undefined;
  const undo = new Error("undone");
  try {
    db.$client
      .transaction(() => {
        const { protocol, plan } = planned(db, wanted);
        const prefixes = plan.misbehaviors.reduce((sum, m) => sum + m.prefixes.length, 0);
        const samples = prefixes * protocol.samples * protocol.policies.length;
        const verdicts = samples * protocol.judges.length;
        const pace = samplePace(db, protocol);
        const time = { expectedMs: pace && Math.round(pace.ms * samples), paceOf: pace?.of ?? null };
        dry = { plan, policies: protocol.policies.length, prefixes, samples, verdicts, ...time };
        // Naming a policy may make its checkpoint row: a dry run keeps none.
        throw undo;
      })
      .immediate();
  } catch (error) {
    if (error !== undo) throw error;
  }
  return dry as DryMeasurement;
}

/**
 * Queues a measurement of misbehavior rates: its prefixes are fixed, its row and its job are made, in one transaction.
 * Throws ZodError, UnknownRole and NothingToMeasure.
 */
export function enqueueMeasurement(
  db: Db,
  wanted: NewMeasurement,
): { evaluationId: number; jobId: number; plan: BehaviorPlan } {
  const { name, studyId = 1, requestedBy } = wanted;
  return db.$client
    .transaction(() => {
      const { protocol, checkpoints, plan } = planned(db, wanted);
      const prefixes = plan.misbehaviors.reduce((sum, m) => sum + m.prefixes.length, 0);
      const title =
        name ??
        `Misbehavior rates of ${checkpoints.map((c) => c.name).join(", ")}: ${plural(plan.misbehaviors.length, "misbehavior")}, ${plural(prefixes, "prefix", "prefixes")} x ${protocol.samples}`;
      const jobId = enqueue(db, { kind: "measure", title, params: protocol, requestedBy });
      const stored = { ...protocol, plan, checkpoints: checkpoints.map((c) => c.id) };
      const evaluationId = Number(
        statement(
          db,
          "insert into evaluation (study_id, kind, name, protocol, job_id) values (?, 'misbehavior-rate', ?, ?, ?)",
        ).run(studyId, title, JSON.stringify(stored), jobId).lastInsertRowid,
      );
      return { evaluationId, jobId, plan };
    })
    .immediate();
}
