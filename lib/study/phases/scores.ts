import { statement } from "@/db/statement";
import { storeEvaluation } from "@/lib/evaluate/storeEvaluation";
import { enqueueProfile } from "@/lib/jobs/profileJob";
import { policySpec } from "@/lib/profile/roles/registry";
import { finish, jobOf, madeBy, queueOnce, type RunPhase, type StudyContext } from "@/lib/study/context";
import { HELDOUT } from "@/lib/study/design";

/** What is measured: the base, then the chosen checkpoint of every training. */
export function measuredCheckpoints({ db, state }: Pick<StudyContext, "db" | "state">) {
  const { design } = state;
  const base = statement(db, "select id from checkpoint where name = ?").pluck().get(design.base) as number;
  const first = new Set<string>();
  const trained = madeBy(state, "select").chosen.flatMap(({ recipe, seed, checkpointId }) => {
    if (checkpointId === null) return [];
    const deep = design.scores.deep.includes(recipe) && !first.has(recipe);
    const runs = deep ? design.scores.deepRuns : design.scores.runs;
    first.add(recipe);
    return [{ recipe, seed, checkpointId, runs }];
  });
  return [{ recipe: null, seed: null, checkpointId: base, runs: design.scores.deepRuns }, ...trained];
}

export const nameOf = ({ db }: Pick<StudyContext, "db">, checkpointId: number): string =>
  statement(db, "select name from checkpoint where id = ?").pluck().get(checkpointId) as string;

/** Held-out scores (paper 4.3, Figs. 5, 8, 12): whole rollouts in environments that no phase before has seen. */
export const scores: RunPhase = async (context) => {
  const { db, state } = context;
  const { made, design } = state;
  made.scores ??= { of: [] };
  const { of } = made.scores;
  const wanted = measuredCheckpoints(context);
  const whole = wanted.reduce((sum, w) => sum + w.runs, 0);
  let past = 0;
  for (const one of wanted) {
    context.progress(past / whole, one.runs / whole);
    past += one.runs;
    let row = of.find((o) => o.checkpointId === one.checkpointId);
    if (!row)
      queueOnce(context, () => {
        const name = nameOf(context, one.checkpointId);
        const { profileId } = enqueueProfile(db, {
          name: `Held-out score: ${name}`,
          settings: {
            mode: "plain",
            environments: { suite: "tiny", part: "heldout", count: design.scores.environments, from: HELDOUT.scores },
            rollouts: one.runs,
            policy: policySpec(name),
            teacher: null,
            seed: design.seed,
          },
          requestedBy: "study",
        });
        row = { ...one, profileId, evaluationId: null };
        of.push(row);
      });
    if (!row || row.evaluationId !== null) continue;
    await finish(context, jobOf(db, "profile", row.profileId));
    const { profileId } = row;
    // Stored with the state that names it, so that a killed run does not measure it twice.
    queueOnce(context, () =>
      Object.assign(row as object, { evaluationId: storeEvaluation(db, profileId).evaluationId }),
    );
  }
};
