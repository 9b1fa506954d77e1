import "server-only";
import { putBlob } from "@/db/blobs";
import type { Db } from "@/db/client";
import { stepId, trajectoryOf } from "@/db/ids";
import { statement } from "@/db/statement";
import type { RerunMode, RerunResult } from "./rerun";
import { type RerunFacts, summarise } from "./summary";
import type { Cause, RerunVerdict } from "./types";

/** Which rerun this is: the `repeat`-th (from 1) of `repeats` that a job makes of a prefix. */
export interface RerunIdentity {
  prefixId: number;
  /** The step the prefix ends before. */
  stepId: number;
  repeat: number;
  repeats: number;
  mode: RerunMode;
  jobId: number | null;
}

const flag = (value: boolean | null): number | null => (value === null ? null : Number(value));
const unflag = (value: number | null): boolean | null => (value === null ? null : value === 1);

interface Row {
  verdict: RerunVerdict;
  cause: Cause | null;
  normalised_kept: number | null;
  exit_code_kept: number | null;
  driver: string;
  image_digest: string | null;
  job_id: number | null;
}

/** Brings the summary columns of a prefix up to date with its reruns. `repeats`: what the newest job was asked for. */
export function refreshPrefix(db: Db, prefixId: number, repeats: number): void {
  const rows = statement(
    db,
    `select verdict, cause, normalised_kept, exit_code_kept, driver, image_digest, job_id
     from rerun where prefix_id = ? order by id desc`,
  ).all(prefixId) as Row[];
  const facts = rows.map(
    (r): RerunFacts => ({
      verdict: r.verdict,
      cause: r.cause,
      normalisedKept: unflag(r.normalised_kept),
      exitCodeKept: unflag(r.exit_code_kept),
      ground: r.image_digest === null ? null : `${r.driver}/${r.image_digest}`,
      jobId: r.job_id,
    }),
  );
  const s = summarise(facts, repeats);
  statement(
    db,
    "update prefix set status = ?, cause = ?, normalised_kept = ?, exit_code_kept = ?, reruns = ?, exact = ? where id = ?",
  ).run(s.status, s.cause, flag(s.normalisedKept), flag(s.exitCodeKept), s.reruns, s.exact, prefixId);
}

/**
 * Stores a rerun: its row, one row a command, the observations that differ as blobs, and the summary of its prefix.
 * Call it inside a transaction. False when this repeat of this job is there already.
 */
export function storeRerun(db: Db, identity: RerunIdentity, result: RerunResult): boolean {
  const first = result.commands.find((c) => !c.exact);
  const trajectory = trajectoryOf(identity.stepId);
  const added = statement(
    db,
    `insert or ignore into rerun (prefix_id, step_id, repeat, driver, verdict, void_reason, first_difference, cause, exact_kept,
       normalised_kept, exit_code_kept, mode, ran, image_digest, host, duration_ms, job_id)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    identity.prefixId,
    identity.stepId,
    identity.repeat,
    result.driver ?? "none",
    result.verdict,
    result.voidReason,
    first ? stepId(trajectory, first.index) : null,
    first?.diagnosis?.cause ?? null,
    flag(result.kept.exact),
    flag(result.kept.normalised),
    flag(result.kept.exitCode),
    identity.mode,
    result.commands.length,
    result.imageDigest,
    result.host,
    result.durationMs,
    identity.jobId,
  );
  if (added.changes === 0) return false;
  for (const c of result.commands) {
    statement(
      db,
      `insert into rerun_step (rerun_id, step_id, equal, normalised_equal, exit_code, duration_ms, output_hash, cause)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      added.lastInsertRowid,
      stepId(trajectory, c.index),
      flag(c.exact),
      flag(c.normalised),
      c.seen.exitCode,
      Math.round(c.durationMs),
      c.exact ? null : putBlob(db, c.seen.text),
      c.diagnosis?.cause ?? null,
    );
  }
  refreshPrefix(db, identity.prefixId, identity.repeats);
  return true;
}
