import "server-only";
import type { Db } from "@/db/client";
import { SandboxFailure, type SandboxHost } from "@/lib/sandbox/types";
import { type OpenOptions, openEnvironment, runSolution, runTests } from "./run";
import { findEnvironment } from "./store";
import type { TestRun } from "./types";

/** What is done before the hidden tests run: the reference solution, or nothing. */
export const CHECKS = ["solution", "nothing"] as const;
export type CheckKind = (typeof CHECKS)[number];

/** The outcome reward a sound environment gives. */
export const EXPECTED: Record<CheckKind, number> = { solution: 1, nothing: 0 };

export interface Check {
  environmentId: number;
  what: CheckKind;
  /** Driver it ran under; the one asked for, or "none", when nothing could be started. */
  driver: string;
  digest: string | null;
  run: TestRun;
  /** What is replaced or left out, then what the solution and the tests printed. */
  log: string;
}

const voided = (voidReason: string, durationMs: number): TestRun => ({
  status: "void",
  reward: null,
  rewards: {},
  tests: [],
  exitCode: null,
  log: "",
  durationMs,
  voidReason,
});

/**
 * One check of an environment in a fresh sandbox. Whatever keeps it from running makes it void; only defects throw.
 * A solution that fails or does not end is no infrastructure failure: the tests then say what the state is worth.
 */
export async function checkEnvironment(
  db: Db,
  host: SandboxHost,
  environmentId: number,
  what: CheckKind,
  options: OpenOptions = {},
): Promise<Check> {
  const began = performance.now();
  const { digest } = findEnvironment(db, environmentId);
  const check = { environmentId, what, driver: options.driver ?? "none", digest, log: "" };
  try {
    const { sandbox, spec, notes } = await openEnvironment(db, host, environmentId, options);
    check.driver = sandbox.driver;
    check.log = notes.map((note) => `# ${note}\n`).join("");
    try {
      if (what === "solution") {
        const done = await runSolution(sandbox, spec);
        check.log += `$ solution (exit code ${done.exitCode}${done.timedOut ? ", timed out" : ""})\n${done.log}\n`;
      }
      const run = await runTests(sandbox, spec);
      check.log += `$ tests${run.exitCode === null ? "" : ` (exit code ${run.exitCode})`}\n${run.log}`;
      return { ...check, run };
    } finally {
      await sandbox.dispose();
    }
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error;
    return { ...check, run: voided(error.message, performance.now() - began) };
  }
}

/** True when the check came out as it does for a sound environment. */
export const asExpected = (what: CheckKind, run: TestRun): boolean =>
  run.status === "done" &&
  (what === "solution" ? (run.reward ?? 0) >= EXPECTED.solution : run.reward === EXPECTED.nothing);
