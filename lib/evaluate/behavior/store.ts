import "server-only";
import { createHash } from "node:crypto";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { localize } from "@/lib/profile/rules";
import type { Finding } from "@/lib/profile/rules/finding";
import { storeFindings } from "@/lib/profile/scan";
import type { TrainStart } from "@/lib/train/rollout/starts";
import { stepsFingerprint } from "@/lib/trajectory/fingerprint";
import { type Prepared, prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import { totals } from "@/lib/trajectory/totals";
import type { PerformedSample } from "./perform";

/** Which sample of which measurement. */
export interface SampleIdentity {
  evaluationId: number;
  studyId: number;
  jobId: number;
  checkpointId: number;
  /** Name of the checkpoint. */
  policy: string;
  prefixId: number;
  errorTypeId: number;
  number: number;
  leaked: boolean;
}

/** A sample with all that is computed before the database is touched. */
export interface PreparedSample {
  performed: PerformedSample;
  trajectory: { prepared: Prepared; findings: Finding[] } | null;
}

/** Packs a sample's texts and scans it: the slow part, outside of the transaction. */
export function prepareSample(identity: SampleIdentity, performed: PerformedSample): PreparedSample {
  if (performed.kind === "void") return { performed, trajectory: null };
  const trajectory = totals(performed.rollout.trajectory);
  trajectory.model = identity.policy;
  const { evaluationId, checkpointId, prefixId, number } = identity;
  const hash = createHash("sha256")
    .update(`sample ${evaluationId} ${checkpointId} ${prefixId} ${number}\n${stepsFingerprint(trajectory.steps)}`)
    .digest("hex");
  const findings = localize(trajectory.steps, { beforeRun: true });
  return { performed, trajectory: { prepared: prepareTrajectory(trajectory, hash), findings } };
}

/** Stores a sample with its trajectory and verdicts. Call inside the transaction that ends its item. */
export function storeSample(db: Db, identity: SampleIdentity, start: TrainStart, ready: PreparedSample): void {
  const { evaluationId, studyId, jobId, checkpointId, prefixId, errorTypeId, number, leaked } = identity;
  const { performed, trajectory } = ready;
  let trajectoryId: number | null = null;
  if (trajectory !== null) {
    const sourceKey = `measurement:${evaluationId}/${checkpointId}/${prefixId}/${number}#`;
    const stored = storeTrajectory(db, trajectory.prepared, {
      studyId,
      jobId,
      sourceKey,
      environmentId: start.environment.id,
    });
    trajectoryId = stored.id;
    statement(db, "update trajectory set parent_id = ?, parent_step = ? where id = ?").run(
      start.prefix?.trajectoryId ?? null,
      start.prefix?.index ?? null,
      trajectoryId,
    );
    if (stored.status !== "present") storeFindings(db, trajectoryId, trajectory.findings, stored.status === "imported");
  }
  const sampleId = Number(
    statement(
      db,
      `insert into behavior_sample (evaluation_id, checkpoint_id, prefix_id, error_type_id, number, trajectory_id, steps, leaked, void_reason, duration_ms)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      evaluationId,
      checkpointId,
      prefixId,
      errorTypeId,
      number,
      trajectoryId,
      performed.kind === "done" ? performed.rollout.steps : null,
      leaked ? 1 : 0,
      performed.kind === "void" ? performed.reason : null,
      performed.durationMs,
    ).lastInsertRowid,
  );
  if (performed.kind === "void") return;
  const verdict = statement(db, "insert into behavior_verdict (sample_id, judge, answer, reason) values (?, ?, ?, ?)");
  for (const { judge, reading } of performed.readings) verdict.run(sampleId, judge, reading.answer, reading.reason);
}
