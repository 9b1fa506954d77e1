import "server-only";
import { referenceOf } from "@/lib/environment/reference";
import { type PlannedEnvironment, roleEnvironment } from "@/lib/profile/perform";
import {
  type JudgeContext,
  makeBehaviorJudge,
  makeEquivalenceJudge,
  makeRubricJudge,
  makeRubricWriter,
} from "@/lib/reward/registry";
import type { BehaviorJudge, EquivalenceJudge, Rubric, RubricJudge } from "@/lib/reward/types";
import type { TrainSettings } from "@/lib/train/settings";

/** Who a training asks about its rollouts; null where its reward needs nobody. */
export interface Judges {
  behavior: BehaviorJudge | null;
  /** The rubric of an environment, written once from its task, reference solution and tests (recipe 5). Rejects with RoleFailure. */
  rubricOf: ((environment: PlannedEnvironment) => Promise<Rubric>) | null;
  rater: RubricJudge | null;
  equivalence: EquivalenceJudge | null;
}

const NOBODY: Judges = { behavior: null, rubricOf: null, rater: null, equivalence: null };

/**
 * The judges of a training. Replies about rollouts are never taken from the cache: two equal rollouts are asked about
 * twice. Rubrics are, so that a training that goes on later has the same ones. Throws UnknownRole.
 */
export function makeJudges(context: JudgeContext, { reward }: TrainSettings): Judges {
  const asked = { ...context, cache: false };
  if (reward.kind === "outcome-and-behavior") return { ...NOBODY, behavior: makeBehaviorJudge(asked, reward.judge) };
  if (reward.kind === "equivalence") return { ...NOBODY, equivalence: makeEquivalenceJudge(asked, reward.judge) };
  if (reward.kind === "outcome") return NOBODY;
  const writer = makeRubricWriter({ ...context, cache: true }, reward.writer);
  const known = new Map<number, Promise<Rubric>>();
  const write = async (planned: PlannedEnvironment) => {
    const environment = roleEnvironment(planned);
    const reference = planned.spec ? referenceOf(planned.spec) : { solution: null, tests: null };
    return (await writer.write({ instruction: environment.instruction, ...reference, environment })).rubric;
  };
  const rubricOf = (environment: PlannedEnvironment) => {
    const found = known.get(environment.id);
    if (found) return found;
    const made = write(environment);
    known.set(environment.id, made);
    made.catch(() => known.delete(environment.id));
    return made;
  };
  return { ...NOBODY, rubricOf, rater: makeRubricJudge(asked, reward.judge) };
}
