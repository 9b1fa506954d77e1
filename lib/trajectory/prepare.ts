import "server-only";
import { pack, type StepBody, type TrajectoryDetail } from "@/db/codec";
import { STEP_FLAGS } from "@/db/schema/trajectory";
import { residualSource } from "./residual";
import type { Step, Trajectory } from "./types";
import { wholeOf } from "./value";

/** Target of a chunk's plain JSON. A single longer step gets a chunk of its own. */
const CHUNK_CHARS = 96_000;
/** Characters of a command or message kept in the row for lists. */
export const PREVIEW_CHARS = 200;
/** One row of `step`, without its id. Column order of STEP_COLUMNS. */
export type StepRow = (string | number | null)[];

/** What the row of a trajectory is made from: all but its long parts. */
export type TrajectoryHead = Omit<Trajectory, "steps" | "artifacts" | "source" | "warnings"> & {
  /** Number of entries, and of warnings. */
  entries: number;
  warnings: number;
};

/** Everything of a trajectory that is computed before the database is touched. Plain data: it may come from a thread. */
export interface Prepared {
  head: TrajectoryHead;
  hash: string;
  /** Entries that count as steps of the rollout. */
  steps: number;
  rows: StepRow[];
  chunks: { first: number; count: number; data: Uint8Array }[];
  detail: Uint8Array;
}

/** `text` cut to at most `limit` UTF-16 units, never inside a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** True for entries that count as steps of the rollout: the policy's own, also one that was stopped before it ran. */
export const isNumbered = (step: Step): boolean =>
  step.kind === "agent" && !step.copied && step.note !== "demonstration" && step.note !== "correction";

const preview = (step: Step): string =>
  cut((step.call?.command ?? step.message ?? step.thinking ?? "").trimStart(), PREVIEW_CHARS);

function outputChars(step: Step): number {
  let n = 0;
  for (const o of step.observations)
    n += o.full !== null ? o.full.length : o.output ? o.output[1] - o.output[0] : (o.content?.length ?? 0);
  return n;
}

function flags(step: Step, parallel: boolean): number {
  let bits = parallel ? STEP_FLAGS.parallel : 0;
  if (step.copied) bits |= STEP_FLAGS.copied;
  for (const o of step.observations) {
    if (o.timedOut) bits |= STEP_FLAGS.timedOut;
    if (o.error !== null) bits |= STEP_FLAGS.toolError;
    if (o.full !== null) bits |= STEP_FLAGS.elided;
  }
  return bits;
}

function body(step: Step): StepBody {
  return {
    thinking: step.thinking,
    message: step.message,
    call: step.call,
    observations: step.observations,
    time: step.time,
    usage: step.usage,
    source: residualSource(step),
  };
}

function sizeOf(step: Step): number {
  let n = 200 + (step.thinking?.length ?? 0) + (step.message?.length ?? 0) + (step.call?.command?.length ?? 0) * 2;
  for (const o of step.observations) n += (o.content?.length ?? 0) + (o.full?.length ?? 0) + 100;
  return n;
}

/** Exit code of a step: that of its last observation which has one. */
export const exitCodeOf = (step: Step): number | null =>
  step.observations.findLast((o) => o.exitCode !== null)?.exitCode ?? null;

/** Columns of `step` in the order of StepRow (the id comes first in the statement). */
export const STEP_COLUMNS = [
  "kind",
  "number",
  "turn",
  "actor",
  "note",
  "tool",
  "preview",
  "exit_code",
  "duration_ms",
  "prompt_tokens",
  "completion_tokens",
  "cost_usd",
  "started_at",
  "output_chars",
  "flags",
  "chunk",
] as const;

/** Rows and packed chunks of a trajectory: pure work, no database. */
export function prepareTrajectory(trajectory: Trajectory, hash: string): Prepared {
  const { steps } = trajectory;
  const perTurn = new Map<number, number>();
  for (const step of steps) if (step.turn !== null) perTurn.set(step.turn, (perTurn.get(step.turn) ?? 0) + 1);
  const rows: StepRow[] = [];
  const chunks: Prepared["chunks"] = [];
  let number = 0;
  let pending: StepBody[] = [];
  let size = 0;
  let first = 0;
  const flush = (next: number) => {
    if (pending.length === 0) return;
    chunks.push({ first, count: pending.length, data: pack(pending) });
    pending = [];
    size = 0;
    first = next;
  };
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i];
    if (!step) break;
    const chars = sizeOf(step);
    if (size > 0 && size + chars > CHUNK_CHARS) flush(i);
    pending.push(body(step));
    size += chars;
    rows.push([
      step.kind,
      isNumbered(step) ? ++number : null,
      step.turn,
      step.actor,
      step.note,
      step.call?.name ?? null,
      preview(step),
      wholeOf(exitCodeOf(step)),
      wholeOf(step.durationMs),
      wholeOf(step.usage?.promptTokens ?? null),
      wholeOf(step.usage?.completionTokens ?? null),
      step.usage?.costUsd ?? null,
      step.time?.ms ?? null,
      outputChars(step),
      flags(step, step.turn !== null && (perTurn.get(step.turn) ?? 0) > 1),
      chunks.length,
    ]);
  }
  flush(steps.length);
  const { steps: _, artifacts, source, warnings, ...rest } = trajectory;
  const { agentVersion, dataset, rewards, exception, startedAt, finishedAt, usage, key } = rest;
  const detail: TrajectoryDetail = {
    key,
    agentVersion,
    dataset,
    rewards,
    exception,
    startedAt,
    finishedAt,
    usage,
    artifacts,
    warnings,
    source,
  };
  const head = { ...rest, entries: steps.length, warnings: warnings.length };
  return { head, hash, steps: number, rows, chunks, detail: pack(detail) };
}
