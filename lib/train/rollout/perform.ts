import "server-only";
import type { Ground } from "@/lib/environment/ground";
import { type OpenEnvironment, runTests } from "@/lib/environment/run";
import { RerunCancelled } from "@/lib/prefix/rerun";
import { complete, roleEnvironment } from "@/lib/profile/perform";
import { type Policy, RoleFailure, type SampledTokens } from "@/lib/profile/roles";
import { type Rollout, RolloutCancelled, RolloutVoid, rollOut } from "@/lib/profile/rollout";
import { COMMAND_SECONDS, STEP_LIMIT } from "@/lib/profile/settings";
import { type Sandbox, SandboxFailure } from "@/lib/sandbox/types";
import type { TrainSettings } from "@/lib/train/settings";
import type { Judges } from "./judges";
import { performPivot } from "./pivot";
import { type RolloutPlace, trainingSeed } from "./place";
import { reach } from "./reach";
import { RecordedPolicy } from "./recorded";
import { type BehaviorReading, conjunction, readBehavior, rubricReward } from "./reward";
import type { TrainStart } from "./starts";

/** A rollout that makes a statement. */
export interface DoneRollout {
  kind: "done";
  rollout: Rollout;
  turns: SampledTokens[];
  /** r_o; null when the environment has no tests. */
  outcomeReward: number | null;
  /** null: no behavior judge is asked. */
  behavior: BehaviorReading | null;
  /** 1 to 10 of the rubric judge; null: not asked, or no answer. */
  rating: number | null;
  /** null: left out of its group. */
  reward: number | null;
  durationMs: number;
}

/** What came of one rollout; `void`: no statement, never a reward of 0. */
export type TrainedRollout = DoneRollout | { kind: "void"; reason: string; durationMs: number };

/** What the rollouts of a training share. */
export interface RolloutGround {
  ground: Ground;
  policy: Policy;
  judges: Judges;
  settings: TrainSettings;
  signal: AbortSignal;
}

async function outcomeOf(open: OpenEnvironment, rollout: Rollout, settings: TrainSettings) {
  if (open.spec.tests === null) return { tests: null, reward: null };
  if (rollout.ended !== "submitted" && !settings.testsAtLimit) return { tests: null, reward: 0 };
  const tests = await runTests(open.sandbox, open.spec);
  if (tests.status === "void") throw new RolloutVoid(tests.voidReason ?? "the tests could not be run");
  return { tests, reward: tests.reward };
}

type Paid = Pick<DoneRollout, "behavior" | "rating" | "reward">;

/** r with what it is made of, by the recipe's kind of reward. */
async function paid(
  { settings, judges }: RolloutGround,
  start: TrainStart,
  rollout: Rollout,
  outcomeReward: number | null,
): Promise<Paid> {
  const { reward } = settings;
  const environment = roleEnvironment(start.environment);
  if (reward.kind === "rubric") return byRubric(judges, start, rollout, outcomeReward);
  if (reward.kind !== "outcome-and-behavior") return { behavior: null, rating: null, reward: outcomeReward };
  const mode = start.prefix?.mode;
  if (!mode || !judges.behavior) throw new Error("r_o AND r_e needs prefixes with a misbehavior, and a judge");
  const own = start.prefix?.seen.length ?? 0;
  const behavior: BehaviorReading =
    reward.skipJudgeWhenFailed && outcomeReward === 0
      ? { answer: "skipped", reason: null }
      : await readBehavior(judges.behavior, mode, environment, rollout, own, reward.window);
  return { behavior, rating: null, reward: conjunction(outcomeReward, behavior) };
}

/** RaR+ (recipe 5). Without a rubric or a rating the rollout is left out of its group. */
async function byRubric(
  { rubricOf, rater }: Judges,
  start: TrainStart,
  rollout: Rollout,
  outcomeReward: number | null,
): Promise<Paid> {
  if (!rubricOf || !rater) throw new Error("a rubric reward needs a writer and a judge");
  try {
    const rubric = await rubricOf(start.environment);
    const environment = roleEnvironment(start.environment);
    const { instruction } = environment;
    const { rating } = await rater.rate({ instruction, environment, rubric, steps: rollout.trajectory.steps });
    return { behavior: null, rating, reward: rubricReward(outcomeReward, rating, rubric.testsWeight) };
  } catch (error) {
    if (error instanceof RoleFailure) return { behavior: null, rating: null, reward: null };
    throw error;
  }
}

/**
 * One rollout of a training in a fresh sandbox: from the task, or from a prefix that is replayed and verified; then the
 * hidden tests, then the behavior judge. Whatever infrastructure does wrong is void, a prefix whose outputs differ this
 * time too. Throws RolloutCancelled once `signal` is aborted and SandboxFailure "host-gone" when no sandbox can be had.
 */
export async function performTrainingRollout(
  shared: RolloutGround,
  start: TrainStart,
  place: RolloutPlace,
): Promise<TrainedRollout> {
  if (start.pivot) return performPivot(shared, start.environment, start.pivot, place);
  const { settings, signal } = shared;
  const began = performance.now();
  const durationMs = () => Math.round(performance.now() - began);
  const which = start.environment.kind === "tiny" ? "tiny" : "other";
  const limit = settings.stepLimit ?? STEP_LIMIT[which];
  const used = settings.prefixCounts ? (start.prefix?.steps ?? 0) : 0;
  const policy = new RecordedPolicy(shared.policy);
  let sandbox: Sandbox | null = null;
  const dispose = () => void sandbox?.dispose().catch(() => undefined);
  signal.addEventListener("abort", dispose, { once: true });
  try {
    if (signal.aborted) throw new RolloutCancelled();
    const startedAt = Date.now();
    const reached = await reach(shared, start);
    sandbox = reached.sandbox;
    const plan = {
      environment: roleEnvironment(start.environment),
      number: place.number,
      seed: trainingSeed(settings.seed, place),
      settings: {
        mode: "plain" as const,
        stepLimit: Math.max(1, limit - used),
        commandMs: (settings.commandSeconds ?? COMMAND_SECONDS[which]) * 1000,
        tries: 1,
        formatErrorsInARow: settings.formatErrors === "end" ? 0 : null,
      },
      ...(start.prefix ? { from: start.prefix.seen } : {}),
    };
    const roles = { policy, localizer: null, teacher: null };
    const rollout = await rollOut(plan, roles, sandbox, signal);
    const { tests, reward: outcomeReward } = await outcomeOf(reached.open, rollout, settings);
    const { trajectory } = rollout;
    const { step, group, number } = place;
    trajectory.name = `${start.environment.name}, step ${step}, group ${group}, rollout ${number}`;
    trajectory.startedAt = { raw: new Date(startedAt).toISOString(), ms: startedAt, zoned: true };
    trajectory.durationMs = durationMs();
    complete(trajectory, reached.open, tests, outcomeReward);
    const earned = await paid(shared, start, rollout, outcomeReward);
    return { kind: "done", rollout, turns: policy.turns, outcomeReward, ...earned, durationMs: durationMs() };
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
