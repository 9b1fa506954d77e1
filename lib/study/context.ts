import "server-only";
import type { Db } from "@/db/client";
import { getJob, type JobRow, resumeJob, retryJob } from "@/lib/jobs/queue";
import { type Phase, type StudyState, writeStudy } from "./state";

/** A job of the study ended otherwise than it should, so that what builds on it cannot go on. The message says what to do. */
export class StudyStopped extends Error {}

/** What phases work with. `state` is theirs to change; `keep` writes it. */
export interface StudyContext {
  db: Db;
  state: StudyState;
  /** Waits for the end of a job, working on it where nobody does. */
  see(jobId: number): Promise<JobRow>;
  /** Told how much of the phase is done, 0 to 1, and what the next job adds to it. */
  progress(share: number, next: number): void;
}

/** One phase: queues what `state` does not name yet, sees it through, writes down what came of it. */
export type RunPhase = (context: StudyContext) => Promise<void>;

/** Queues something and names it in the state, in one transaction: a killed run finds it again. */
export function queueOnce({ db, state }: StudyContext, queue: () => void): void {
  db.$client
    .transaction(() => {
      queue();
      writeStudy(db, state);
    })
    .immediate();
}

/**
 * Sees a job to its end: one that was stopped goes on, what failed in it is tried once more. Throws StudyStopped when it
 * does not end well.
 */
export async function finish({ db, see }: StudyContext, jobId: number): Promise<JobRow> {
  const before = getJob(db, jobId)?.status;
  if (before === "paused") resumeJob(db, jobId, "study");
  else if (before === "cancelled" || before === "failed" || before === "partial") retryJob(db, jobId, "study");
  let job = await see(jobId);
  if (before === "queued" && (job.status === "failed" || job.status === "partial") && retryJob(db, jobId, "study").ok)
    job = await see(jobId);
  if (job.status === "done") return job;
  if (job.status === "cancelled" || job.status === "paused")
    throw new StudyStopped(`stopped at "${job.title}"; run the study again and it goes on from there`);
  throw new StudyStopped(
    `job ${jobId} (${job.title}) is ${job.status}${job.error ? `: ${job.error}` : ""}. Look at its log, mend the cause, and run the study again: it goes on where it stopped`,
  );
}

/** Job of a row, by the table it is in. */
export function jobOf(db: Db, table: "profile" | "training_run" | "evaluation" | "taxonomy", id: number): number {
  const jobId = db.$client.prepare(`select job_id from ${table} where id = ?`).pluck().get(id);
  if (typeof jobId !== "number" || !getJob(db, jobId))
    throw new StudyStopped(`${table} ${id} of the study, or its job, is gone; start the study anew in an empty folder`);
  return jobId;
}

/** Whether a phase of the study ended. */
export const isFinished = (state: StudyState, phase: Phase): boolean => state.times[phase]?.finishedAt != null;

/** What a phase made. Throws when it has not run: phases run in order. */
export function madeBy<P extends keyof StudyState["made"]>(
  state: StudyState,
  phase: P,
): NonNullable<StudyState["made"][P]> {
  const made = state.made[phase];
  if (!made) throw new Error(`the phase ${phase} has made nothing yet`);
  return made as NonNullable<StudyState["made"][P]>;
}
