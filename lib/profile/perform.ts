import "server-only";
import { createHash } from "node:crypto";
import type { Ground } from "@/lib/environment/ground";
import { type OpenEnvironment, runTests } from "@/lib/environment/run";
import type { StoredEnvironment } from "@/lib/environment/store";
import type { TestRun } from "@/lib/environment/types";
import { SandboxFailure } from "@/lib/sandbox/types";
import { outcomeOf } from "@/lib/trajectory/outcome";
import type { Trajectory } from "@/lib/trajectory/types";
import type { RoleEnvironment } from "./roles";
import { type Roles, type Rollout, RolloutCancelled, RolloutVoid, rollOut } from "./rollout";
import { COMMAND_SECONDS, type ProfileSettings, STEP_LIMIT } from "./settings";

/** What is known of an environment besides its files. */
export interface PlannedEnvironment extends StoredEnvironment {
  family: string | null;
  seed: number | null;
}

/** What came of one rollout of a profile; `void`: no statement, with the reason. */
export type Performed = { durationMs: number } & (
  | { kind: "void"; reason: string }
  | { kind: "done"; rollout: Rollout /** r_o of the final state; null when there is none. */; reward: number | null }
);

/** Seed of one rollout: depends on the profile's seed, the environment's name and the number, and on nothing else. */
export const rolloutSeed = (seed: number, environment: string, number: number): number =>
  createHash("sha256").update(`rollout\0${seed}\0${environment}\0${number}`).digest().readUIntBE(0, 6);

const isTiny = (environment: PlannedEnvironment): boolean => environment.kind === "tiny";

/** An environment as the roles know it. */
export function roleEnvironment({ id, name, family, seed, spec }: PlannedEnvironment): RoleEnvironment {
  return { id, name, family, seed, instruction: spec?.instruction.trimEnd() ?? "" };
}

/** Writes down what the rollout ran in and how it was tested. */
export function complete(
  trajectory: Trajectory,
  open: OpenEnvironment,
  tests: TestRun | null,
  reward: number | null,
): void {
  const { sandbox, environment, spec, settings, notes } = open;
  trajectory.dataset = environment.dataset === "" ? null : environment.dataset;
  trajectory.reward = reward;
  trajectory.outcome = outcomeOf(reward);
  if (tests) {
    trajectory.rewards = tests.rewards;
    if (tests.log !== "") trajectory.artifacts.push({ name: "verifier/test-stdout.txt", text: tests.log });
  }
  trajectory.source = {
    environment: { id: environment.id, name: environment.name, digest: spec.digest, substitutions: spec.substitutions },
    sandbox: { driver: sandbox.driver, image: sandbox.imageDigest, workdir: settings.workdir },
    notes,
    tests: tests ? { status: tests.status, reward: tests.reward, voidReason: null, cases: tests.tests } : null,
  };
}

/** r_o of the state a rollout ended in. Throws RolloutVoid when the tests could not be run. */
async function score(open: OpenEnvironment, rollout: Rollout, settings: ProfileSettings) {
  if (rollout.status === "discarded" || open.spec.tests === null) return { tests: null, reward: null };
  if (rollout.ended !== "submitted" && !settings.testsAtLimit) return { tests: null, reward: 0 };
  const tests = await runTests(open.sandbox, open.spec);
  if (tests.status === "void") throw new RolloutVoid(tests.voidReason ?? "the tests could not be run");
  return { tests, reward: tests.reward };
}

/**
 * One rollout of a profile in a fresh sandbox, with the hidden tests on its final state. Infrastructure failures are void.
 * Throws RolloutCancelled once `signal` is aborted, SandboxFailure "host-gone" when no sandbox can be had at all, and
 * BudgetReached when no model may be asked any more.
 */
export async function performRollout(
  ground: Ground,
  environment: PlannedEnvironment,
  number: number,
  roles: Roles,
  settings: ProfileSettings,
  signal: AbortSignal,
): Promise<Performed> {
  const began = performance.now();
  const durationMs = () => Math.round(performance.now() - began);
  const which = isTiny(environment) ? "tiny" : "other";
  const plan = {
    environment: roleEnvironment(environment),
    number,
    seed: rolloutSeed(settings.seed, environment.name, number),
    settings: {
      mode: settings.mode,
      stepLimit: settings.stepLimit ?? STEP_LIMIT[which],
      commandMs: (settings.commandSeconds ?? COMMAND_SECONDS[which]) * 1000,
      tries: settings.tries,
      formatErrorsInARow: settings.formatErrorsInARow,
    },
  };
  let open: OpenEnvironment | null = null;
  const dispose = () => void open?.sandbox.dispose().catch(() => undefined);
  signal.addEventListener("abort", dispose, { once: true });
  try {
    if (signal.aborted) throw new RolloutCancelled();
    const startedAt = Date.now();
    open = await ground.open(environment.id);
    const rollout = await rollOut(plan, roles, open.sandbox, signal);
    const { tests, reward } = await score(open, rollout, settings);
    const { trajectory } = rollout;
    trajectory.name = `${environment.name} ${number}`;
    trajectory.startedAt = { raw: new Date(startedAt).toISOString(), ms: startedAt, zoned: true };
    trajectory.durationMs = durationMs();
    complete(trajectory, open, tests, reward);
    return { kind: "done", rollout, reward, durationMs: durationMs() };
  } catch (error) {
    if (signal.aborted) throw new RolloutCancelled();
    if (error instanceof RolloutVoid) return { kind: "void", reason: error.message, durationMs: durationMs() };
    if (error instanceof SandboxFailure && error.kind !== "host-gone")
      return { kind: "void", reason: `no sandbox: ${error.message}`, durationMs: durationMs() };
    throw error;
  } finally {
    signal.removeEventListener("abort", dispose);
    await open?.sandbox.dispose().catch((error: unknown) => {
      // It died already; its host removes what is left of it.
      if (!(error instanceof SandboxFailure)) throw error;
    });
  }
}
