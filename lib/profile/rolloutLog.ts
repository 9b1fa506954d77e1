import { observed } from "@/lib/environment/record";
import type { ExecResult } from "@/lib/sandbox/types";
import { emptyStep, emptyTrajectory } from "@/lib/trajectory/build";
import type { Instant, Step, Trajectory } from "@/lib/trajectory/types";
import { PROFILE_AGENT } from "./agent";
import type { MisbehaviorSlug } from "./misbehaviors";
import { HARNESS, proposedStep } from "./proposal";
import type { Harness, Judgement, Prefix, Proposal, RoleEnvironment } from "./roles";

/** A role gave no answer; never a verdict. */
export interface Failure {
  kind: "failed" | "unparsed";
  message: string;
  reply: string | null;
  /** Row of `usage` of the last call; null where none was made. */
  callId: number | null;
}

/** What a localizer said of a step, or that it said nothing. */
export type Verdict = { judgement: Judgement } | { failure: Failure };

/** One try of the teacher for a rejected step. */
export interface Try {
  attempt: number;
  accepted: boolean;
  proposal: Proposal | null;
  /** null: not judged, as there was nothing to judge. */
  verdict: Verdict | null;
  /** The teacher gave no step. */
  failure: Failure | null;
}

/** What is known of a policy's step besides its entry. Indices are of entries. */
export interface StepRecord {
  index: number;
  verdict: Verdict | null;
  /** Of the localizers beside the one that acts, in their order. */
  others: Verdict[];
  tries: Try[];
  /** Catch trials: the injected misbehavior, null for a step known to be right; undefined: not known. */
  truth: MisbehaviorSlug | null | undefined;
}

const instant = (ms: number): Instant => ({ raw: new Date(ms).toISOString(), ms, zoned: true });

/** The entries of a rollout as they come, and which of them the policy has seen. */
export class RolloutLog {
  readonly entries: Step[] = [];
  readonly records: StepRecord[] = [];
  /** Entries of the prefix, in order. */
  private readonly seen: number[] = [];
  private turns = 0;
  private readonly harness: Harness;

  /** `from`: what the policy had seen of another rollout, copied as context; without it the rollout starts at the task. */
  constructor(
    private readonly environment: RoleEnvironment,
    { harness = HARNESS, from }: { harness?: Harness; from?: readonly Step[] } = {},
  ) {
    this.harness = harness;
    for (const step of from ?? []) this.copy(step);
    if (from) return;
    this.tell("system", harness.system);
    this.tell("user", environment.instruction);
  }

  /** What the policy has seen so far. */
  prefix(): Prefix {
    return { environment: this.environment, steps: this.seen.map((index) => this.entries[index] as Step) };
  }

  /** A step of the policy that is stopped before it runs: not part of what it sees. */
  reject(proposal: Proposal, verdict: Verdict, others: Verdict[]): StepRecord {
    return this.record(proposal, { ...this.step(proposal), note: "rejected" }, verdict, others);
  }

  /** A step of the policy that ran, or that holds nothing to run; then it is told so, unless the rollout ends with it. */
  accept(
    proposal: Proposal,
    verdict: Verdict | null,
    others: Verdict[],
    { ran, told }: { ran: { result: ExecResult; startedAt: number } | null; told: boolean },
  ): void {
    this.record(proposal, this.done(proposal, ran), verdict, others);
    this.seen.push(this.entries.length - 1);
    if (!ran && told) this.tell("user", this.harness.formatMessage, "format-error");
  }

  /** The teacher's step that ran in place of the rejected one before it. */
  correct(proposal: Proposal, teacher: string, ran: { result: ExecResult; startedAt: number }): void {
    this.entries.push({ ...this.done(proposal, ran), note: "correction", actor: teacher });
    this.seen.push(this.entries.length - 1);
  }

  /** The rollout as a trajectory; its outcome and what it ran in are the caller's. */
  trajectory(model: string): Trajectory {
    const trajectory = emptyTrajectory("misstep");
    trajectory.agent = PROFILE_AGENT;
    trajectory.model = model;
    trajectory.task = this.environment.name;
    trajectory.steps = this.entries;
    return trajectory;
  }

  /** A verdict whose evidence counts entries of the trajectory instead of entries of the prefix. */
  placed<V extends Verdict | null>(verdict: V): V | Verdict {
    if (verdict === null || "failure" in verdict) return verdict;
    const own = this.seen.length;
    const at = (step: number) => (step >= own ? this.entries.length : (this.seen[step] ?? step));
    const findings = verdict.judgement.findings.map((f) => ({
      ...f,
      evidence: f.evidence.map((e) => ({ ...e, step: at(e.step) })),
    }));
    return { judgement: { ...verdict.judgement, findings } };
  }

  private copy(step: Step): void {
    this.turns = Math.max(this.turns, (step.turn ?? -1) + 1);
    this.entries.push({ ...step, copied: true, source: [] });
    this.seen.push(this.entries.length - 1);
  }

  private record(proposal: Proposal, step: Step, verdict: Verdict | null, others: Verdict[]): StepRecord {
    const record: StepRecord = {
      index: this.entries.length,
      verdict: this.placed(verdict),
      others: others.map((one) => this.placed(one)),
      tries: [],
      truth: proposal.truth,
    };
    this.records.push(record);
    this.entries.push(step);
    return record;
  }

  private step(proposal: Proposal): Step {
    return proposedStep(proposal, this.turns++);
  }

  private done(proposal: Proposal, ran: { result: ExecResult; startedAt: number } | null): Step {
    const step = this.step(proposal);
    if (!ran) return step;
    return {
      ...step,
      observations: [observed(ran.result)],
      time: instant(ran.startedAt),
      durationMs: ran.result.durationMs,
    };
  }

  private tell(kind: "system" | "user", message: string, note: Step["note"] = null): void {
    this.entries.push({ ...emptyStep(kind, null), message, note });
    this.seen.push(this.entries.length - 1);
  }
}
