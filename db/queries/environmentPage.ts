import "server-only";
import { getBlob } from "@/db/blobs";
import type { Db } from "@/db/client";
import { all, one } from "./prepared";

export interface TestCaseView {
  name: string;
  status: "passed" | "failed" | "skipped" | "other";
  message: string | null;
}

/** A check with its test cases. `reward` null: void, with the reason. */
export interface CheckView {
  id: number;
  what: string;
  driver: string;
  status: "done" | "void";
  reward: number | null;
  voidReason: string | null;
  tests: TestCaseView[];
  hasLog: boolean;
  outdated: boolean;
  durationMs: number | null;
  jobId: number | null;
  createdAt: number;
}

type Row = Omit<CheckView, "tests" | "hasLog" | "outdated"> & { result: string; hasLog: number; outdated: number };

/** Checks of an environment, newest first; `before`: only older ones than this id. */
export function environmentChecks(
  db: Db,
  environmentId: number,
  query: { before?: number; limit: number },
): CheckView[] {
  const rows = all<Row>(
    db,
    `select c.id, c.what, c.driver, c.status, c.reward, c.void_reason as voidReason, c.result, c.log_hash is not null as hasLog,
       c.digest is not e.digest as outdated, c.duration_ms as durationMs, c.job_id as jobId, c.created_at as createdAt
     from environment_check c join environment e on e.id = c.environment_id
     where c.environment_id = ? and c.id < ? order by c.id desc limit ?`,
    environmentId,
    query.before ?? Number.MAX_SAFE_INTEGER,
    query.limit,
  );
  return rows.map(({ result, hasLog, outdated, ...row }) => ({
    ...row,
    tests: (JSON.parse(result) as { tests?: TestCaseView[] }).tests ?? [],
    hasLog: hasLog === 1,
    outdated: outdated === 1,
  }));
}

/** What solution and tests of a check printed; null when it kept nothing. */
export function checkLog(db: Db, environmentId: number, checkId: number): string | null {
  const row = one<{ hash: string | null }>(
    db,
    "select log_hash as hash from environment_check where id = ? and environment_id = ?",
    checkId,
    environmentId,
  );
  return row?.hash ? getBlob(db, row.hash).toString("utf8") : null;
}

export interface EnvironmentTrajectory {
  id: number;
  name: string | null;
  model: string | null;
  agent: string | null;
  outcome: string;
  reward: number | null;
  steps: number;
  errorSteps: number;
}

/** The newest trajectories of an environment. */
export const environmentTrajectories = (db: Db, environmentId: number, limit: number): EnvironmentTrajectory[] =>
  all<EnvironmentTrajectory>(
    db,
    `select id, name, model, agent, outcome, reward, steps, error_steps as errorSteps from trajectory
     where environment_id = ? and superseded_by is null order by id desc limit ?`,
    environmentId,
    limit,
  );
