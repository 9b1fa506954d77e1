import { INJECTED } from "@/lib/evaluate/behavior/perform";
import { trainJudge } from "@/lib/evaluate/behavior/trainJudge";
import { enqueueMeasurement } from "@/lib/jobs/measureJob";
import { CATCH_POLICY, policySpec, TOLD_POLICY } from "@/lib/profile/roles/registry";
import { learnedJudges } from "@/lib/reward/behaviorJudge/learnedFile";
import { finish, jobOf, queueOnce, type RunPhase } from "@/lib/study/context";

/** Name of the judge that a study learns. */
export const JUDGE_NAME = "injected-errors";

/**
 * The second judge. Two scripted policies, an expert with errors put in and the demonstrator that the base learned from, go
 * on from training prefixes and say of each step what it shows; a judge learns from these truths, not from the rules that pay the reward. Its environments are none of those that rates are measured in.
 */
export const judge: RunPhase = async (context) => {
  const { db, state } = context;
  const { design, made } = state;
  if (!made.judge)
    queueOnce(context, () => {
      const { evaluationId } = enqueueMeasurement(db, {
        name: "Windows with injected errors, for the second judge",
        protocol: {
          policies: [policySpec(CATCH_POLICY), policySpec(TOLD_POLICY)],
          split: "training",
          prefixes: design.judge.prefixes,
          fewest: 1,
          samples: design.judge.samples,
          judges: [{ use: "rules", options: {} }],
          temperature: 1,
          topP: 1,
          seed: design.seed,
        },
        requestedBy: "study",
      });
      made.judge = { evaluationId, name: JUDGE_NAME };
    });
  const { evaluationId, name } = made.judge as { evaluationId: number; name: string };
  await finish(context, jobOf(db, "evaluation", evaluationId));
  if (!learnedJudges().includes(name)) trainJudge(db, { measurement: evaluationId, from: INJECTED, name });
};
