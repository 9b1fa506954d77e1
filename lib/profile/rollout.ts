import { type ExecResult, type Sandbox, SandboxFailure } from "@/lib/sandbox/types";
import type { Step, Trajectory } from "@/lib/trajectory/types";
import {
  type Localizer,
  type Look,
  type Policy,
  type Prefix,
  type Proposal,
  type RoleEnvironment,
  RoleFailure,
  type Teacher,
} from "./roles";
import { type Failure, RolloutLog, type StepRecord, type Try, type Verdict } from "./rolloutLog";
import type { ProfileMode } from "./settings";

/** The part of the settings a rollout needs, with defaults filled in. */
export interface RolloutSettings {
  mode: ProfileMode;
  stepLimit: number;
  commandMs: number;
  tries: number;
  /** Replies without a command in a row that end the rollout when there are more (0: the first does); absent or null: none do. */
  formatErrorsInARow?: number | null;
}

export interface Roles {
  policy: Policy;
  /** The one whose verdicts act. */
  localizer: Localizer | null;
  /** Judge the policy's steps too; their verdicts are kept and change nothing. */
  alongside?: readonly Localizer[];
  teacher: Teacher | null;
}

export interface RolloutPlan {
  environment: RoleEnvironment;
  /** 1,2,… within the environment. */
  number: number;
  /** Of this rollout alone: everything drawn in it comes from here. */
  seed: number;
  settings: RolloutSettings;
  /** What the policy has seen already, when it goes on from a prefix whose state the sandbox is in. */
  from?: readonly Step[];
}

/** How a rollout ended: see profile_rollout. */
export type Ended = "submitted" | "steps" | "context" | "format" | "action";

/** What came of a rollout, before the hidden tests. */
export interface Rollout {
  /** discarded: no correction was accepted. */
  status: "finished" | "discarded";
  ended: Ended | null;
  trajectory: Trajectory;
  /** What is known of each step of the policy, in order. */
  records: StepRecord[];
  steps: number;
  errorSteps: number;
  formatErrors: number;
  /** Tries of the teacher. */
  corrections: number;
  /** Steps and tries the localizer gave no verdict on. */
  unjudged: number;
  /** Tries in which the teacher gave no step. */
  teacherFailures: number;
  /** Sampled tokens; null when the policy does not say. */
  tokens: number | null;
}

/** The rollout makes no statement: infrastructure failed, or the policy did not answer. Counted, never scored. */
export class RolloutVoid extends Error {}

/** The rollout was cancelled in flight; nothing of it is stored. */
export class RolloutCancelled extends Error {}

const isBad = (verdict: Verdict | null): boolean =>
  verdict !== null && "judgement" in verdict && verdict.judgement.verdict === "bad";

const isGood = (verdict: Verdict | null): boolean =>
  verdict !== null && "judgement" in verdict && verdict.judgement.verdict === "good";

const failureOf = ({ kind, message, reply, callId }: RoleFailure): Failure => ({ kind, message, reply, callId });

type Asked<T> = { answer: T } | { failure: Failure };

/** Asks a role. Its failure is final: calls are retried, and unreadable replies asked again, inside of it. */
async function ask<T>(role: () => Promise<T>): Promise<Asked<T>> {
  try {
    return { answer: await role() };
  } catch (error) {
    if (!(error instanceof RoleFailure)) throw error;
    return { failure: failureOf(error) };
  }
}

const EXITS: Record<Ended, string> = {
  submitted: "Submitted",
  steps: "step limit",
  context: "context full",
  format: "format errors",
  action: "one action, not run",
};

/**
 * One rollout of a policy under a localizer and a teacher (paper 3.2, recipe 11): propose, judge, on a flagged step ask
 * the teacher until the same localizer accepts one of its tries, run what was accepted. Ends when a command submits, at
 * the step limit, when the prefix no longer fits the policy, or discarded when no try is accepted. In the modes plain
 * and catch flagged steps run. Throws RolloutVoid, RolloutCancelled once `signal` is aborted, and BudgetReached as it
 * comes; the sandbox is the caller's.
 */
export async function rollOut(
  plan: RolloutPlan,
  roles: Roles,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<Rollout> {
  const run = new Run(plan, roles, sandbox, signal);
  try {
    return await run.toEnd();
  } catch (error) {
    if (signal.aborted) throw new RolloutCancelled();
    // Without a host nothing can be said about any rollout: the item fails and can be done again.
    if (error instanceof SandboxFailure && error.kind !== "host-gone")
      throw new RolloutVoid(`the sandbox failed at step ${run.steps}: ${error.message}`);
    throw error;
  }
}

class Run {
  steps = 0;
  private errorSteps = 0;
  private formatErrors = 0;
  private corrections = 0;
  private unjudged = 0;
  private teacherFailures = 0;
  private tokens: number | null = null;
  private withoutCommand = 0;
  private readonly log: RolloutLog;

  constructor(
    private readonly plan: RolloutPlan,
    private readonly roles: Roles,
    private readonly sandbox: Sandbox,
    private readonly signal: AbortSignal,
  ) {
    this.log = new RolloutLog(plan.environment, { harness: roles.policy.harness, from: plan.from });
  }

  async toEnd(): Promise<Rollout> {
    const { environment, number, seed } = this.plan;
    const session = this.roles.policy.open({ environment, number, seed, look: this.look });
    try {
      for (;;) {
        if (this.steps >= this.plan.settings.stepLimit) return this.end("finished", "steps");
        const asked = await this.ask(() => session.propose(this.log.prefix()));
        if ("failure" in asked)
          throw new RolloutVoid(`the policy gave no step ${this.steps + 1}: ${asked.failure.message}`);
        if (asked.answer === "context") return this.end("finished", "context");
        const done = await this.take(asked.answer);
        if (done === "submitted" || done === "format") return this.end("finished", done);
        if (done === "discarded") return this.end("discarded", null);
      }
    } finally {
      session.close();
    }
  }

  /** Judges a proposal and runs it, or what the teacher puts in its place. */
  private async take(proposal: Proposal): Promise<"submitted" | "format" | "discarded" | "goes on"> {
    this.steps++;
    if (proposal.formatError !== null) this.formatErrors++;
    const used = proposal.usage?.completionTokens ?? null;
    if (used !== null) this.tokens = (this.tokens ?? 0) + used;
    const prefix = this.log.prefix();
    const [verdict, ...others] = await this.judgeAll(prefix, proposal);
    if (isBad(verdict)) this.errorSteps++;
    const { teacher } = this.roles;
    if (verdict !== null && isBad(verdict) && this.plan.settings.mode === "profile" && teacher !== null) {
      const record = this.log.reject(proposal, verdict, others);
      this.withoutCommand = 0;
      const correction = await this.teach(teacher, prefix, record);
      if (correction === null) return "discarded";
      const ran = await this.exec(correction.command);
      this.log.correct(correction.proposal, teacher.name, ran);
      return ran.result.submitted ? "submitted" : "goes on";
    }
    const ran = proposal.command === null ? null : await this.exec(proposal.command);
    this.withoutCommand = ran ? 0 : this.withoutCommand + 1;
    const most = this.plan.settings.formatErrorsInARow ?? null;
    const over = most !== null && this.withoutCommand > most;
    this.log.accept(proposal, verdict, others, { ran, told: !over });
    if (over) return "format";
    return ran?.result.submitted ? "submitted" : "goes on";
  }

  /** Verdict of the localizer that acts, then those beside it. */
  private async judgeAll(prefix: Prefix, proposal: Proposal): Promise<[Verdict | null, ...Verdict[]]> {
    const beside = (this.roles.alongside ?? []).map((one) => this.ask(() => one.judge(prefix, proposal)));
    const [verdict, ...others] = await Promise.all([this.judge(prefix, proposal), ...beside]);
    return [verdict, ...others.map((asked) => ("answer" in asked ? { judgement: asked.answer } : asked))];
  }

  /** Tries of the teacher, which sees the prefix alone; the accepted one, or null. */
  private async teach(
    teacher: Teacher,
    prefix: Prefix,
    record: StepRecord,
  ): Promise<{ proposal: Proposal; command: string } | null> {
    for (let attempt = 1; attempt <= this.plan.settings.tries; attempt++) {
      this.corrections++;
      const attempted: Try = { attempt, accepted: false, proposal: null, verdict: null, failure: null };
      record.tries.push(attempted);
      const asked = await this.ask(() => teacher.correct(prefix, attempt, this.look));
      if ("failure" in asked) {
        this.teacherFailures++;
        attempted.failure = asked.failure;
        continue;
      }
      const proposal = asked.answer;
      attempted.proposal = proposal;
      attempted.verdict = await this.judge(prefix, proposal);
      // That the localizer gave no verdict is no acceptance.
      if (!isGood(attempted.verdict)) continue;
      if (proposal.command === null) {
        this.teacherFailures++;
        attempted.failure = {
          kind: "unparsed",
          message: "the reply holds no command",
          reply: proposal.reply,
          callId: proposal.callId ?? null,
        };
        continue;
      }
      attempted.accepted = true;
      return { proposal, command: proposal.command };
    }
    return null;
  }

  private async judge(prefix: Prefix, proposal: Proposal): Promise<Verdict | null> {
    const { localizer } = this.roles;
    if (localizer === null) return null;
    const asked = await this.ask(() => localizer.judge(prefix, proposal));
    if ("answer" in asked) return { judgement: asked.answer };
    this.unjudged++;
    return asked;
  }

  private async ask<T>(role: () => Promise<T>): Promise<Asked<T>> {
    const asked = await ask(role);
    if (this.signal.aborted) throw new RolloutCancelled();
    return asked;
  }

  private readonly look: Look = (command) => this.sandbox.exec(command, { timeoutMs: this.plan.settings.commandMs });

  private async exec(command: string): Promise<{ result: ExecResult; startedAt: number }> {
    const startedAt = Date.now();
    const result = await this.sandbox.exec(command, { timeoutMs: this.plan.settings.commandMs });
    if (this.signal.aborted) throw new RolloutCancelled();
    return { result, startedAt };
  }

  private end(status: Rollout["status"], ended: Ended | null): Rollout {
    const { steps, errorSteps, formatErrors, corrections, unjudged, teacherFailures, tokens } = this;
    const trajectory = this.log.trajectory(this.roles.policy.name);
    trajectory.attempt = this.plan.number;
    trajectory.exitStatus = ended === null ? "discarded" : EXITS[ended];
    return {
      status,
      ended,
      trajectory,
      records: this.log.records,
      steps,
      errorSteps,
      formatErrors,
      corrections,
      unjudged,
      teacherFailures,
      tokens,
    };
  }
}
