import { hostname } from "node:os";
import { type ExecResult, type Sandbox, SandboxFailure } from "@/lib/sandbox/types";
import { type Comparison, compare, type Seen } from "./compare";
import { type Diagnosis, diagnose } from "./diagnose";
import { type Replay, type ReplayStep, seenForDiagnosis, trimEnd } from "./replay";
import type { RerunVerdict } from "./types";

/** `stop`: end at the first difference by the exact rule; `through`: run all commands. */
export const RERUN_MODES = ["stop", "through"] as const;
export type RerunMode = (typeof RERUN_MODES)[number];

/** One command that was run. */
export interface RerunCommand extends Comparison {
  index: number;
  seen: Seen;
  durationMs: number;
  /** null when it is exact. */
  diagnosis: Diagnosis | null;
}

/** What one rerun came to. */
export interface RerunResult {
  verdict: RerunVerdict;
  /** Why it is void; for one that is different: why it did not go through to the end although it was to. Else null. */
  voidReason: string | null;
  commands: RerunCommand[];
  /** Kept under each rule. null: not known, because not all commands were run, or exit codes were not recorded. */
  kept: { exact: boolean | null; normalised: boolean | null; exitCode: boolean | null };
  driver: string | null;
  imageDigest: string | null;
  /** Name of the machine. */
  host: string;
  /** From the sandbox being ready to the end of the last command; 0 when it never was. */
  durationMs: number;
}

export interface RerunOptions {
  mode: RerunMode;
  signal: AbortSignal;
  /** Called after each command that was run: how many there were. */
  onCommand?: (done: number) => void;
}

/** The rerun was cancelled: it made no statement and nothing of it is stored. */
export class RerunCancelled extends Error {}

/** What the policy would see, by the basis the recorded text is compared on. */
function seenOf(step: ReplayStep, result: ExecResult): Seen | { reason: string } {
  if (step.basis === "observation") return { text: result.observation, exitCode: result.exitCode };
  if (result.stdout.length + result.stderr.length === 0) return { text: "", exitCode: result.exitCode };
  const kept = Buffer.byteLength(result.stdout) + Buffer.byteLength(result.stderr);
  if (kept < result.stdoutBytes + result.stderrBytes) return { reason: "printed more than is kept for comparing" };
  return { text: trimEnd(result.stdout + result.stderr), exitCode: result.exitCode };
}

const ownShell = (command: string): string => `(\n${command}\n)`;

/** Whether a rule keeps the prefix: false as soon as one command breaks it, else known only when all were run. */
function kept(values: (boolean | null)[], all: boolean): boolean | null {
  if (values.includes(false)) return false;
  return all && !values.includes(null) ? true : null;
}

/**
 * Reruns a prefix: every command in order in a fresh sandbox, through the same exec, compared with what the policy saw
 * (recipe 9). Everything that keeps it from making a statement is `void`: a prefix that cannot be replayed, a sandbox
 * that cannot start or dies, a command that runs into its limit. Always disposes the sandbox it opened.
 */
export async function rerunPrefix(
  replay: Replay,
  open: () => Promise<Sandbox>,
  options: RerunOptions,
): Promise<RerunResult> {
  let started: number | null = null;
  const result: RerunResult = {
    verdict: "void",
    voidReason: null,
    commands: [],
    kept: { exact: null, normalised: null, exitCode: null },
    driver: null,
    imageDigest: null,
    host: hostname(),
    durationMs: 0,
  };
  const end = (): RerunResult => ({
    ...result,
    durationMs: started === null ? 0 : Math.round(performance.now() - started),
  });
  const voided = (reason: string): RerunResult => {
    result.voidReason = reason;
    return end();
  };
  if (replay.kind === "void") return voided(`entry ${replay.index} of the trajectory ${replay.reason}`);
  let sandbox: Sandbox | null = null;
  const dispose = () => void sandbox?.dispose().catch(() => undefined);
  options.signal.addEventListener("abort", dispose, { once: true });
  try {
    if (options.signal.aborted) throw new RerunCancelled();
    try {
      sandbox = await open();
    } catch (error) {
      if (options.signal.aborted) throw new RerunCancelled();
      if (error instanceof SandboxFailure && error.kind === "host-gone") throw error;
      return voided(`environment not available: ${error instanceof Error ? error.message : String(error)}`);
    }
    started = performance.now();
    result.driver = sandbox.driver;
    result.imageDigest = sandbox.imageDigest;
    const failed = await runCommands(replay, sandbox, options, result.commands);
    const different = result.commands.some((c) => !c.exact);
    if (failed !== null && !different) return voided(failed);
    result.voidReason = failed;
    const all = result.commands.length === replay.steps.length;
    result.kept = {
      exact: kept(
        result.commands.map((c) => c.exact),
        all,
      ),
      normalised: kept(
        result.commands.map((c) => c.normalised),
        all,
      ),
      exitCode: kept(
        result.commands.map((c) => c.exitCode),
        all,
      ),
    };
    result.verdict = different ? "different" : "exact";
    return end();
  } finally {
    options.signal.removeEventListener("abort", dispose);
    await sandbox?.dispose().catch((error: unknown) => {
      // It died already; its host removes what is left of it.
      if (!(error instanceof SandboxFailure)) throw error;
    });
  }
}

/** Runs and compares; gives back why the rerun is void, or null. */
async function runCommands(
  replay: Extract<Replay, { kind: "commands" }>,
  sandbox: Sandbox,
  { mode, signal, onCommand }: RerunOptions,
  done: RerunCommand[],
): Promise<string | null> {
  const earlier: string[] = [];
  for (const [n, step] of replay.steps.entries()) {
    if (signal.aborted) throw new RerunCancelled();
    let result: ExecResult;
    try {
      result = await sandbox.exec(replay.ownShells ? ownShell(step.command) : step.command);
    } catch (error) {
      if (signal.aborted) throw new RerunCancelled();
      // Without a host nothing can be said about any prefix: the item fails and can be done again.
      if (!(error instanceof SandboxFailure) || error.kind === "host-gone") throw error;
      return `the sandbox failed at command ${n + 1} of ${replay.steps.length}: ${error.message}`;
    }
    if (signal.aborted) throw new RerunCancelled();
    if (result.timedOut)
      return `command ${n + 1} of ${replay.steps.length} ran into its time limit, and a timed-out command is not replayable`;
    const seen = seenOf(step, result);
    if ("reason" in seen) return `command ${n + 1} of ${replay.steps.length} ${seen.reason}`;
    const comparison = compare(step.recorded, seen);
    const diagnosis = comparison.exact
      ? null
      : diagnose({
          command: step.command,
          earlier,
          recorded: seenForDiagnosis(step.recorded, step.basis),
          rerun: seenForDiagnosis(seen, step.basis),
        });
    done.push({ ...comparison, index: step.index, seen, durationMs: result.durationMs, diagnosis });
    onCommand?.(done.length);
    if (!comparison.exact && mode === "stop") return null;
    earlier.push(step.command);
  }
  return null;
}
