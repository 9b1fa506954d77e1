import "server-only";
import os from "node:os";
import type { Db } from "@/db/client";
import { getJob, type JobRow } from "@/lib/jobs/queue";
import { isFinished, type StudyContext, StudyStopped } from "./context";
import type { StudyDesign } from "./design";
import { judge } from "./phases/judge";
import { prefixes, rerun } from "./phases/prefixes";
import { heldout, profile } from "./phases/profile";
import { rates } from "./phases/rates";
import { scores } from "./phases/scores";
import { select } from "./phases/select";
import { taxonomy } from "./phases/taxonomy";
import { train } from "./phases/train";
import { PHASES, type Phase, readStudy, type StudyState, workedMs, writeStudy } from "./state";
import { workOf } from "./work";

const RUN: Record<Phase, (context: StudyContext) => Promise<void>> = {
  profile,
  heldout,
  taxonomy,
  prefixes,
  rerun,
  judge,
  train,
  select,
  scores,
  rates,
};

/** How often the time worked is written down: a killed run loses at most so much of it. Milliseconds. */
const KEEP_MS = 10_000;

/** Hands over the time since it last did, when that is at least `least`. */
function clock(keep: (ms: number) => void): (least: number) => void {
  let since = performance.now();
  return (least) => {
    const ms = performance.now() - since;
    if (ms < least) return;
    since = performance.now();
    keep(Math.round(ms));
  };
}

/** How far a study is. */
export interface StudyProgress {
  phase: Phase;
  /** Of the whole study, 0 to 1, by expected work. */
  share: number;
  /** Milliseconds at the pace so far; null: too early to say. */
  leftMs: number | null;
  job: JobRow | null;
}

export interface RunOptions {
  see(jobId: number): Promise<JobRow>;
  onPhase(phase: Phase, what: "starts" | "ended" | "was there"): void;
  onProgress(progress: StudyProgress): void;
}

/** The study of this index, begun now when there is none. Throws StudyStopped when another design was begun here. */
export function beginStudy(db: Db, design: StudyDesign): StudyState {
  const found = readStudy(db);
  if (found) {
    if (JSON.stringify(found.design) === JSON.stringify(design)) return found;
    throw new StudyStopped(
      `this index holds the study "${found.design.scale}" with seed ${found.design.seed} of another design; choose another folder (--home) or delete it`,
    );
  }
  if (db.$client.prepare("select 1 from trajectory limit 1").get())
    throw new StudyStopped(
      "this index holds trajectories already; a study needs one of its own: name an empty folder with --home",
    );
  const machine = {
    cores: os.availableParallelism(),
    cpu: os.cpus()[0]?.model.trim() ?? "not known",
    node: process.version,
  };
  const state: StudyState = { format: "misstep-study/1", design, made: {}, times: {}, machine };
  writeStudy(db, state);
  return state;
}

/**
 * Share of the whole that is done, and what is left of the time: the pace is that of the time when the share last rose, so
 * that nothing is told from a phase that goes on with a job and has not been heard of yet.
 */
function ruler(state: StudyState): (phase: Phase, share: number) => { share: number; leftMs: number | null } {
  const work = workOf(state.design);
  const sum = (phases: readonly Phase[], of: (p: Phase) => number) => phases.reduce((all, p) => all + of(p), 0);
  const whole = sum(PHASES, (p) => work[p]);
  const spent = (phases: readonly Phase[]) => sum(phases, (p) => workedMs(state, p));
  const before = PHASES.filter((p) => isFinished(state, p));
  let known = { done: sum(before, (p) => work[p]), ms: spent(before), at: spent(PHASES) };
  return (phase, share) => {
    const done =
      sum(
        PHASES.filter((p) => isFinished(state, p)),
        (p) => work[p],
      ) +
      share * work[phase];
    if (done > known.done) known = { done, ms: spent(PHASES), at: spent(PHASES) };
    const left = (known.ms / known.done) * (whole - known.done) - (spent(PHASES) - known.at);
    return { share: done / whole, leftMs: known.done / whole < 0.01 ? null : Math.max(0, left) };
  };
}

/**
 * Runs a study to its end, phase by phase; what is finished is not done again, what was in flight goes on. Throws
 * StudyStopped when a job of it does not end well.
 */
export async function runStudy(db: Db, state: StudyState, options: RunOptions): Promise<void> {
  const far = ruler(state);
  for (const phase of PHASES) {
    if (isFinished(state, phase)) {
      options.onPhase(phase, "was there");
      continue;
    }
    options.onPhase(phase, "starts");
    const times = { startedAt: Date.now(), finishedAt: null, ms: 0, ...state.times[phase] };
    state.times[phase] = times;
    writeStudy(db, state);
    const worked = clock((ms) => {
      times.ms += ms;
      writeStudy(db, state);
    });
    // Of the phase: what is done, and what the job that is seen adds to it. Phases of one job say nothing themselves.
    let [base, span] = [0, 1];
    const report = (share: number, job: JobRow | null) => options.onProgress({ phase, job, ...far(phase, share) });
    const context: StudyContext = {
      db,
      state,
      progress: (share, next) => {
        [base, span] = [share, next];
        report(share, null);
      },
      async see(jobId) {
        const watch = setInterval(() => {
          worked(KEEP_MS);
          const job = getJob(db, jobId);
          if (!job) return;
          const own = job.listed && job.items_total > 0 ? (job.items_done + job.items_failed) / job.items_total : 0;
          report(base + span * own, job);
        }, 1000);
        try {
          return await options.see(jobId);
        } finally {
          clearInterval(watch);
        }
      },
    };
    await RUN[phase](context);
    worked(0);
    state.times[phase] = { ...times, finishedAt: Date.now() };
    writeStudy(db, state);
    options.onPhase(phase, "ended");
  }
}
