/**
 * The canonical trajectory: what every format is read into and every export is written from.
 *
 * Contract of text: strings are kept exactly as the file had them (NUL, lone surrogates, ANSI, CRLF included);
 * `null` means "the file does not say", which differs from "" and from 0.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const FORMATS = [
  "mini-swe-agent-1",
  "mini-swe-agent-2",
  "atif",
  "harbor-trial",
  "swe-agent",
  "inspect",
  "openhands-v0",
  "openhands-v1",
  "terminal-bench",
  "chat",
  "docent",
  "who-and-when",
  "agentrx",
  "open-instruct",
  "misstep",
] as const;
/** Identifier of a source format. `misstep` is what the product records itself. */
export type FormatId = (typeof FORMATS)[number];

/** A time as the file wrote it. `ms` is UTC epoch milliseconds, null when unreadable; `zoned` is false when the file gave no zone (then `ms` reads it as UTC). */
export interface Instant {
  raw: string | number;
  ms: number | null;
  zoned: boolean;
}

/** Model usage. Every field null when the file does not say. Prompt tokens include cached ones. Cost in USD. */
export interface Usage {
  promptTokens: number | null;
  completionTokens: number | null;
  cachedTokens: number | null;
  reasoningTokens: number | null;
  costUsd: number | null;
}

/** One tool call of an agent step. */
export interface ToolCall {
  id: string | null;
  name: string;
  /** As in the file: a JSON text when the file had a string, else the JSON value. */
  arguments: Json;
  /** The shell command it runs, or the keys it types; null when the tool is not a terminal. */
  command: string | null;
}

/** What came back. `content` is exactly what the policy saw. */
export interface Observation {
  callId: string | null;
  content: string | null;
  /** UTF-16 range of `content` that is terminal output, when the harness wrapped it (for example in <output> tags). */
  output: [start: number, end: number] | null;
  /** The whole terminal output, when `content` holds a shortened one. */
  full: string | null;
  exitCode: number | null;
  timedOut: boolean;
  /** The harness's or tool's own error (not the command's exit code). */
  error: string | null;
}

/** Who spoke. Only `agent` entries are steps and get a step number. */
export type StepKind = "system" | "user" | "agent";

/**
 * Why an entry that is no plain message is there. `rejected`: a step of the policy that a localizer stopped before it
 * ran, so it has no observation; `correction`: the teacher's step that ran in its place, not the policy's and not numbered.
 */
export type StepNote =
  | "format-error"
  | "exit"
  | "summary"
  | "demonstration"
  | "event"
  | "rejected"
  | "correction"
  | null;

/**
 * One entry of a trajectory. Agent entries are steps: thinking + one command + observation. A turn (one model
 * reply) with several tool calls becomes several steps with the same `turn`; thinking, message and usage stay on
 * the first of them.
 */
export interface Step {
  kind: StepKind;
  /** Model reply this belongs to, 0,1,2… over agent entries; null for other kinds. */
  turn: number | null;
  /** Speaker's name where several agents talk. */
  actor: string | null;
  thinking: string | null;
  /** What the speaker wrote, whole (an action inside a code fence stays in it). */
  message: string | null;
  call: ToolCall | null;
  /** Empty when nothing came back or when a later step of the turn holds the one shared observation. */
  observations: Observation[];
  time: Instant | null;
  durationMs: number | null;
  usage: Usage | null;
  note: StepNote;
  /** Repeated from an earlier part of the same rollout (ATIF is_copied_context): kept, not numbered, not counted, not scanned. */
  copied: boolean;
  /** The objects of the file this entry was made from, whole (same values as in the file). Empty for steps we recorded. */
  source: Json[];
}

/** A judgement by people that came with the file. */
export interface HumanLabel {
  /** Index into `steps`. */
  step: number;
  /** Data set, for example "who-and-when". */
  dataset: string;
  /** Category as the data set names it; null when it only points at the step. */
  category: string | null;
  reason: string | null;
  /** The data set marks it as the root cause / the decisive error. */
  root: boolean;
}

/** pass/fail as far as the file says. `unknown`: no reward; an infrastructure failure is never `failed`. */
export const OUTCOMES = ["passed", "partial", "failed", "unknown"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A text that belongs to the trajectory: verifier output, exception trace, agent log. */
export interface Artifact {
  name: string;
  text: string;
}

/** Something odd in the file that did not stop the import. `path` is a JSON pointer or a file name. */
export interface Warning {
  path: string;
  message: string;
}

export interface Trajectory {
  /** Identity within its unit: "" when the unit holds one; else stable (sample id and epoch, line number, …). */
  key: string;
  /** `key` of the trajectory this is a sub-agent or a part of. */
  parentKey: string | null;
  /** Step index in the parent that started it. */
  parentStep: number | null;
  format: FormatId;
  formatVersion: string | null;
  /** Trial, instance or sample name. */
  name: string | null;
  /** Environment the policy worked in. */
  task: string | null;
  dataset: string | null;
  model: string | null;
  agent: string | null;
  agentVersion: string | null;
  attempt: number | null;
  outcome: Outcome;
  /** Main reward r_o; null when unknown (NaN is unknown, with a warning). */
  reward: number | null;
  rewards: Record<string, number>;
  exitStatus: string | null;
  exception: { type: string; message: string | null; traceback: string | null } | null;
  startedAt: Instant | null;
  finishedAt: Instant | null;
  durationMs: number | null;
  /** Totals the file states; null fields are filled from the steps by `totals()`. */
  usage: Usage;
  steps: Step[];
  labels: HumanLabel[];
  artifacts: Artifact[];
  warnings: Warning[];
  /** The file's own metadata, whole, without the parts that became steps. */
  source: JsonObject;
}

export const NO_USAGE: Usage = {
  promptTokens: null,
  completionTokens: null,
  cachedTokens: null,
  reasoningTokens: null,
  costUsd: null,
};
