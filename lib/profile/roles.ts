import type { SourceKind } from "@/db/schema/columns";
import type { ExecResult } from "@/lib/sandbox/types";
import type { Step, Usage } from "@/lib/trajectory/types";
import type { MisbehaviorSlug } from "./misbehaviors";
import type { Evidence } from "./rules/finding";

/** The environment as the roles know it. */
export interface RoleEnvironment {
  id: number;
  name: string;
  /** Family and seed of the tiny suite; null for others. */
  family: string | null;
  seed: number | null;
  instruction: string;
}

/** Where a rollout stands: exactly what the policy saw. Rejected steps are not in it. */
export interface Prefix {
  environment: RoleEnvironment;
  /** System and user entries, then executed steps with their observations. */
  steps: readonly Step[];
}

/** Tokens of one reply: what training learns from. */
export interface SampledTokens {
  /** The whole context it was sampled from. */
  prompt: readonly number[];
  ids: readonly number[];
  /** Natural log-probability of each id under the policy at temperature 1. */
  logprobs: readonly number[];
}

/** A next step that was written and not yet run. */
export interface Proposal {
  thinking: string | null;
  /** null: the reply holds no command that can be run. */
  command: string | null;
  /** The reply beside thinking and call, whole; null when there is none. */
  message: string | null;
  /** Why the reply is no well-formed step; null when it is one. Whether a missing command alone is one is the harness's word: for chat policies it is. */
  formatError: string | null;
  /** What the model sent, when that is more than the above. */
  reply: string | null;
  usage: Usage | null;
  /** Row of `usage` of the call it came from; absent where no model was called. */
  callId?: number | null;
  /** Tokens it was read from; only policies that can be trained have them. */
  tokens?: SampledTokens;
  /** Only from policies that inject errors on purpose (catch trials): what is wrong with the step, null when it is right. */
  truth?: MisbehaviorSlug | null;
}

/** The fixed words of a rollout: entries of the trajectory, as they are part of what the policy saw. */
export interface Harness {
  system: string;
  /** The user's answer to a reply that holds nothing to run. */
  formatMessage: string;
}

/** Runs a read-only command in the rollout's sandbox; it leaves no entry. */
export type Look = (command: string) => Promise<ExecResult>;

export { RoleFailure } from "@/lib/model/role/types";

/** The policy under study (recipe 2): proposes the next step. Only scripted policies, which know the suite, use `look`. */
export interface Policy {
  readonly name: string;
  /** Row of `checkpoint`. */
  readonly checkpointId: number;
  /** What it is told; absent: HARNESS. */
  readonly harness?: Harness;
  /** Most tokens fit no more: `context` ends the rollout. */
  open(rollout: { environment: RoleEnvironment; number: number; seed: number; look?: Look }): PolicySession;
  close(): Promise<void>;
}

/** One rollout of a policy. The same seed and prefixes give the same proposals. */
export interface PolicySession {
  /** Rejects with RoleFailure. `context`: the prefix no longer fits the policy, so the rollout ends. */
  propose(prefix: Prefix): Promise<Proposal | "context">;
  close(): void;
}

/** A localizer's word on one step (recipe 11.1). */
export interface Judgement {
  verdict: "good" | "bad";
  /** One line: what the command does. */
  commandSeen: string;
  /** One sentence, also when good; null when the rules have nothing to say. */
  reason: string | null;
  /** Only rules name misbehaviors at once; others leave it to the annotator. */
  findings: { misbehavior: MisbehaviorSlug; reason: string; evidence: Evidence[] }[];
  reply: string | null;
  usage: Usage | null;
  /** Row of `usage` of the call it came from; absent where no model was called. */
  callId?: number | null;
}

/** Judges one proposed step without hindsight. Rejects with RoleFailure. */
export interface Localizer {
  readonly kind: SourceKind;
  readonly name: string;
  readonly version: string;
  /** `subject`: what the ledger says it is about; absent: environment and step. */
  judge(prefix: Prefix, proposal: Proposal, subject?: string): Promise<Judgement>;
}

/**
 * Writes the correct next step (recipe 11.2) from the prefix alone: it sees neither the rejected step nor the reason.
 * `look` runs a read-only command in the rollout's sandbox; only the suite's expert uses it.
 */
export interface Teacher {
  readonly kind: SourceKind;
  readonly name: string;
  readonly version: string;
  /** `attempt` from 1. Rejects with RoleFailure. */
  correct(prefix: Prefix, attempt: number, look: Look): Promise<Proposal>;
}
