import "server-only";
import { PROFILE_AGENT } from "@/lib/profile/agent";
import { type PlannedEnvironment, roleEnvironment } from "@/lib/profile/perform";
import { proposedStep } from "@/lib/profile/proposal";
import { type Proposal, RoleFailure } from "@/lib/profile/roles";
import { RolloutCancelled } from "@/lib/profile/rollout";
import { similarity } from "@/lib/reward/sequenceMatcher";
import type { EquivalenceJudge } from "@/lib/reward/types";
import { emptyTrajectory } from "@/lib/trajectory/build";
import type { Step, Trajectory } from "@/lib/trajectory/types";
import type { RolloutGround, TrainedRollout } from "./perform";
import { type RolloutPlace, trainingSeed } from "./place";
import { RecordedPolicy } from "./recorded";
import type { PivotStart } from "./starts";

const SUBMITS = /\bCOMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\b/;

/**
 * Reward of one action against the accepted one (recipe 4): 0 for a reply without a command and for one that submits where
 * the other does not; 1 when the texts are at least `similar`; else what the judge says. null: the judge gave no verdict.
 */
export async function actionReward(
  gold: string,
  candidate: string | null,
  similar: number,
  compare: (candidate: string) => Promise<boolean>,
): Promise<number | null> {
  if (candidate === null || SUBMITS.test(gold) !== SUBMITS.test(candidate)) return 0;
  // Both empty: alike; one empty: not (the ratio says so).
  if (similarity(gold, candidate) >= similar) return 1;
  try {
    return (await compare(candidate)) ? 1 : 0;
  } catch (error) {
    if (error instanceof RoleFailure) return null;
    throw error;
  }
}

function trajectoryOf(
  environment: PlannedEnvironment,
  seen: readonly Step[],
  proposal: Proposal,
  at: string,
): Trajectory {
  const trajectory = emptyTrajectory("misstep");
  const copied = seen.map((step) => ({ ...step, copied: true, source: [] }));
  const turn = copied.reduce((n, step) => Math.max(n, (step.turn ?? -1) + 1), 0);
  trajectory.name = at;
  trajectory.agent = PROFILE_AGENT;
  trajectory.task = environment.name;
  trajectory.dataset = environment.dataset === "" ? null : environment.dataset;
  trajectory.exitStatus = "one action, not run";
  trajectory.steps = [...copied, proposedStep(proposal, turn)];
  return trajectory;
}

/** One action of the policy at a pivot: sampled, compared, never run, so that no sandbox is needed. */
export async function performPivot(
  shared: Pick<RolloutGround, "policy" | "judges" | "settings" | "signal">,
  environment: PlannedEnvironment,
  { seen, gold }: PivotStart,
  place: RolloutPlace,
): Promise<TrainedRollout> {
  const { settings, signal } = shared;
  const { reward: kind } = settings;
  const judge: EquivalenceJudge | null = shared.judges.equivalence;
  if (kind.kind !== "equivalence" || !judge) throw new Error("pivots are paid by equivalence");
  const began = performance.now();
  const durationMs = () => Math.round(performance.now() - began);
  const policy = new RecordedPolicy(shared.policy);
  const role = roleEnvironment(environment);
  const prefix = { environment: role, steps: seen };
  const session = policy.open({ environment: role, number: place.number, seed: trainingSeed(settings.seed, place) });
  try {
    if (signal.aborted) throw new RolloutCancelled();
    const proposal = await session.propose(prefix);
    if (proposal === "context")
      return { kind: "void", reason: "the context of the policy is too short for this turn", durationMs: durationMs() };
    const { command, formatError } = proposal;
    const reward = await actionReward(gold, formatError === null ? command : null, kind.similar, async (candidate) => {
      const { equivalent } = await judge.compare({ prefix, gold, candidate });
      return equivalent;
    });
    if (signal.aborted) throw new RolloutCancelled();
    const at = `${environment.name}, step ${place.step}, group ${place.group}, action ${place.number}`;
    return {
      kind: "done",
      rollout: {
        status: "finished",
        ended: "action",
        trajectory: trajectoryOf(environment, seen, proposal, at),
        records: [],
        steps: 1,
        errorSteps: 0,
        formatErrors: formatError === null ? 0 : 1,
        corrections: 0,
        unjudged: 0,
        teacherFailures: 0,
        tokens: proposal.usage?.completionTokens ?? null,
      },
      turns: policy.turns,
      outcomeReward: null,
      behavior: null,
      rating: null,
      reward,
      durationMs: durationMs(),
    };
  } finally {
    session.close();
  }
}
