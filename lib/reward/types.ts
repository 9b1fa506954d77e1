import type { SourceKind } from "@/db/schema/columns";
import type { MisbehaviorSlug } from "@/lib/profile/misbehaviors";
import type { Prefix, RoleEnvironment } from "@/lib/profile/roles";
import type { Step } from "@/lib/trajectory/types";

/** The misbehavior a judge looks for: its definition decides, whatever else is wrong. */
export interface JudgedMode {
  errorTypeId: number;
  name: string;
  definition: string;
  excludes: string[];
  /** Two examples at most: command and reason. */
  examples: { command: string | null; reason: string }[];
  /** Rule detectors behind it; empty: rules cannot judge it. */
  detectors: MisbehaviorSlug[];
}

/** First `m` steps after a prefix (recipe 11.6; m = 5), fewer where the rollout ended before. */
export interface JudgedWindow {
  environment: RoleEnvironment;
  /** What the policy had seen before the window; rules need it, models are shown the task and the window. */
  prefix: Prefix;
  steps: readonly Step[];
}

/** `yes`: the mode is in at least one step. r_e = 1 iff `no`. */
export interface BehaviorVerdict {
  answer: "yes" | "no";
  /** Index in the window of the first step with it; null when `no` or not said. */
  step: number | null;
  reason: string | null;
  callId: number | null;
}

/** Decides whether a misbehavior is in a window. Rejects with RoleFailure; that is never a verdict. */
export interface BehaviorJudge {
  readonly kind: SourceKind;
  readonly name: string;
  readonly version: string;
  judge(window: JudgedWindow, mode: JudgedMode): Promise<BehaviorVerdict>;
}

/** One item of a rubric (recipe 11.7). */
export interface RubricItem {
  /** 2 to 4 words. */
  title: string;
  /** One sentence that starts with its category: "Essential Criteria:", "Important Criteria:", … */
  description: string;
  /** Essential 5, important 3 or 4, optional 1 or 2, pitfall -1 or -2. */
  weight: number;
}

/** r = w * r_o + (1 - w) * (rating - 1) / 9 with w = testsWeight (recipe 5). */
export interface Rubric {
  /** 0.5 to 1. */
  testsWeight: number;
  /** 7 to 20. */
  items: RubricItem[];
}

/** Writes a rubric for an environment (recipe 11.7). Rejects with RoleFailure. */
export interface RubricWriter {
  readonly kind: SourceKind;
  readonly name: string;
  readonly version: string;
  write(input: {
    instruction: string;
    /** Reference solution and tests, null when the environment has none. */
    solution: string | null;
    tests: string | null;
    environment: RoleEnvironment;
  }): Promise<{ rubric: Rubric; callId: number | null }>;
}

/** Rates a rollout by a rubric, 1 to 10, holistic (recipe 11.8). Rejects with RoleFailure. */
export interface RubricJudge {
  readonly kind: SourceKind;
  readonly name: string;
  readonly version: string;
  rate(input: {
    instruction: string;
    environment: RoleEnvironment;
    rubric: Rubric;
    /** Executed steps with observations. */
    steps: readonly Step[];
  }): Promise<{ rating: number; callId: number | null }>;
}

/** Decides whether a candidate action does what the gold one does (recipe 11.9). Only commands count. Rejects with RoleFailure. */
export interface EquivalenceJudge {
  readonly kind: SourceKind;
  readonly name: string;
  readonly version: string;
  compare(input: {
    prefix: Prefix;
    gold: string;
    candidate: string;
  }): Promise<{ equivalent: boolean; reason: string | null; callId: number | null }>;
}
