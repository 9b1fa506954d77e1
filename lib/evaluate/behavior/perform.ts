import "server-only";
import { createHash } from "node:crypto";
import { type OpenEnvironment, runTests } from "@/lib/environment/run";
import { RerunCancelled } from "@/lib/prefix/rerun";
import { complete, roleEnvironment } from "@/lib/profile/perform";
import type { Policy } from "@/lib/profile/roles";
import { type Rollout, RolloutCancelled, RolloutVoid, rollOut } from "@/lib/profile/rollout";
import type { StepRecord } from "@/lib/profile/rolloutLog";
import { COMMAND_SECONDS, STEP_LIMIT } from "@/lib/profile/settings";
import type { BehaviorJudge } from "@/lib/reward/types";
import { type Sandbox, SandboxFailure } from "@/lib/sandbox/types";
import { type ReachGround, reach } from "@/lib/train/rollout/reach";
import { type BehaviorReading, readBehavior } from "@/lib/train/rollout/reward";
import type { TrainStart } from "@/lib/train/rollout/starts";

/** A judge by what it is called in results. */
export interface NamedJudge {
  name: string;
  judge: BehaviorJudge;
}

export interface SampleGround extends ReachGround {
  policy: Policy;
  judges: readonly NamedJudge[];
  /** Steps that judges read. */
  window: number;
  /** Go on to the end of the rollout, and run the hidden tests. */
  outcome: boolean;
  seed: number;
}

/** Name under which the truth of a scripted policy's injected errors stands beside the judges. */
export const INJECTED = "injected";

/** What came of one sample; `void`: no statement. */
export type PerformedSample = { durationMs: number } & (
  | { kind: "void"; reason: string }
  | { kind: "done"; rollout: Rollout; readings: { judge: string; reading: BehaviorReading }[] }
);

/** Seed of a sample: of the measurement's seed, prefix and number alone, so that policies meet the same draws. */
export const sampleSeed = (seed: number, prefixId: number, number: number): number =>
  createHash("sha256").update(`sample\0${seed}\0${prefixId}\0${number}`).digest().readUIntBE(0, 6);

/**
 * Whether one of the errors put into a window is of the misbehavior that was looked for; null when the policy does not say,
 * or not of every step while none of those it says is.
 */
export function injected(
  steps: readonly Pick<StepRecord, "truth">[],
  slugs: readonly string[],
): BehaviorReading | null {
  const found = steps.findIndex(({ truth }) => truth != null && slugs.includes(truth));
  if (found >= 0) return { answer: "yes", reason: `the error was put in at step ${found + 1} of the window` };
  const told = steps.length > 0 && steps.every(({ truth }) => truth !== undefined);
  return told ? { answer: "no", reason: null } : null;
}

/** The hidden tests on the state a sample ended in; null where the environment has none. Throws RolloutVoid when they could not be run. */
async function score(open: OpenEnvironment) {
  if (open.spec.tests === null) return null;
  const tests = await runTests(open.sandbox, open.spec);
  if (tests.status === "void") throw new RolloutVoid(tests.voidReason ?? "the tests could not be run");
  return tests;
}

/**
 * One sample: a fresh sandbox is brought to the state of the prefix, the policy goes on for at most `window` steps (with
 * `outcome` to the end of the rollout, whose steps the prefix counts to, and its hidden tests), every judge reads the first
 * `window`. A prefix whose outputs differ this time, and whatever infrastructure does wrong, is void. Throws
 * RolloutCancelled once the signal is aborted and SandboxFailure "host-gone" when no sandbox can be had.
 */
export async function performSample(
  ground: SampleGround,
  start: TrainStart,
  place: { prefixId: number; number: number },
): Promise<PerformedSample> {
  const { policy, judges, window, outcome, signal } = ground;
  const began = performance.now();
  const durationMs = () => Math.round(performance.now() - began);
  const mode = start.prefix?.mode;
  if (!start.prefix || !mode) throw new Error(`prefix ${place.prefixId} has no misbehavior to look for`);
  let sandbox: Sandbox | null = null;
  const dispose = () => void sandbox?.dispose().catch(() => undefined);
  signal.addEventListener("abort", dispose, { once: true });
  try {
    if (signal.aborted) throw new RolloutCancelled();
    const startedAt = Date.now();
    const reached = await reach(ground, start);
    sandbox = reached.sandbox;
    const environment = roleEnvironment(start.environment);
    const which = start.environment.kind === "tiny" ? "tiny" : "other";
    const plan = {
      environment,
      number: place.number,
      seed: sampleSeed(ground.seed, place.prefixId, place.number),
      settings: {
        mode: "plain" as const,
        stepLimit: outcome ? Math.max(window, STEP_LIMIT[which] - start.prefix.steps) : window,
        commandMs: COMMAND_SECONDS[which] * 1000,
        tries: 1,
      },
      from: start.prefix.seen,
    };
    const rollout = await rollOut(plan, { policy, localizer: null, teacher: null }, sandbox, signal);
    const tests = outcome ? await score(reached.open) : null;
    const { trajectory } = rollout;
    if (outcome) complete(trajectory, reached.open, tests, tests?.reward ?? null);
    trajectory.name = `${start.environment.name}, prefix ${place.prefixId}, sample ${place.number}`;
    trajectory.startedAt = { raw: new Date(startedAt).toISOString(), ms: startedAt, zoned: true };
    trajectory.durationMs = durationMs();
    const own = start.prefix.seen.length;
    const readings = [];
    for (const { name, judge } of judges)
      readings.push({ judge: name, reading: await readBehavior(judge, mode, environment, rollout, own, window) });
    const truth = injected(rollout.records.slice(0, window), mode.detectors);
    if (truth !== null) readings.push({ judge: INJECTED, reading: truth });
    return { kind: "done", rollout, readings, durationMs: durationMs() };
  } catch (error) {
    if (signal.aborted || error instanceof RerunCancelled) throw new RolloutCancelled();
    if (error instanceof RolloutVoid) return { kind: "void", reason: error.message, durationMs: durationMs() };
    if (error instanceof SandboxFailure && error.kind !== "host-gone")
      return { kind: "void", reason: `no sandbox: ${error.message}`, durationMs: durationMs() };
    throw error;
  } finally {
    signal.removeEventListener("abort", dispose);
    await sandbox?.dispose().catch((error: unknown) => {
      // It died already; its host removes what is left of it.
      if (!(error instanceof SandboxFailure)) throw error;
    });
  }
}
