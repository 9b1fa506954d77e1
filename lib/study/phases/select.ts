import { statement } from "@/db/statement";
import { enqueueProfile } from "@/lib/jobs/profileJob";
import { policySpec } from "@/lib/profile/roles/registry";
import { finish, jobOf, madeBy, queueOnce, type RunPhase } from "@/lib/study/context";
import { HELDOUT } from "@/lib/study/design";
import { selectionCandidates } from "@/lib/train/select";

type Chosen = { step: number; average: number; passed: number | null; scored: number | null };

/** The candidate that passes most of the selection set; ties go to the higher training reward, then to the earlier step. */
export function bestOf<C extends Chosen>(candidates: readonly C[]): C | null {
  const share = ({ passed, scored }: Chosen) => (passed === null || !scored ? -1 : passed / scored);
  return [...candidates].sort((a, b) => share(b) - share(a) || b.average - a.average || a.step - b.step)[0] ?? null;
}

/**
 * Chooses a checkpoint of each training (paper 4.1): those with the highest trailing average of the training reward are
 * scored on environments that nothing else uses; the best one is kept for the held-out measurements.
 */
export const select: RunPhase = async (context) => {
  const { db, state } = context;
  const { made, design } = state;
  const { runs } = madeBy(state, "train");
  made.select ??= { chosen: [] };
  const { chosen } = made.select;
  const { environments, runs: rollouts } = design.select;
  for (const [i, { recipe, seed, runId }] of runs.entries()) {
    let one = chosen.find((c) => c.runId === runId);
    if (one?.checkpointId != null) continue;
    if (!one)
      queueOnce(context, () => {
        const steps = statement(
          db,
          "select step, json_extract(metrics, '$.reward') as reward, checkpoint_id as checkpointId from training_step where training_run_id = ? order by step",
        ).all(runId) as { step: number; reward: number | null; checkpointId: number | null }[];
        const window = Math.max(2, Math.floor(design.train.steps / 3));
        const candidates = selectionCandidates(steps, { window, candidates: design.select.candidates }).map((c) => {
          const name = statement(db, "select name from checkpoint where id = ?").pluck().get(c.checkpointId) as string;
          const { profileId } = enqueueProfile(db, {
            name: `Selection: ${name}`,
            settings: {
              mode: "plain",
              environments: { suite: "tiny", part: "heldout", count: environments, from: HELDOUT.select },
              rollouts,
              policy: policySpec(name),
              teacher: null,
              seed: design.seed,
            },
            requestedBy: "study",
          });
          return { ...c, profileId, passed: null, scored: null };
        });
        one = { recipe, seed, runId, checkpointId: null, candidates };
        chosen.push(one);
      });
    if (!one) continue;
    const part = 1 / runs.length / one.candidates.length;
    for (const [n, c] of one.candidates.entries()) {
      context.progress(i / runs.length + n * part, part);
      await finish(context, jobOf(db, "profile", c.profileId));
      const { passed, scored } = statement(
        db,
        "select count(*) filter (where outcome_reward >= 1) as passed, count(outcome_reward) as scored from profile_rollout where profile_id = ?",
      ).get(c.profileId) as { passed: number; scored: number };
      Object.assign(c, { passed, scored });
    }
    one.checkpointId = bestOf(one.candidates)?.checkpointId ?? null;
    queueOnce(context, () => undefined);
  }
};
