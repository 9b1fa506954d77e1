import { enqueueMeasurement } from "@/lib/jobs/measureJob";
import { policySpec } from "@/lib/profile/roles/registry";
import { finish, jobOf, madeBy, queueOnce, type RunPhase } from "@/lib/study/context";
import { measuredCheckpoints, nameOf } from "./scores";

/** Misbehavior rates of base and all chosen checkpoints on unseen prefixes under two judges (paper 4.5, Fig. 7). */
export const rates: RunPhase = async (context) => {
  const { db, state } = context;
  const { made, design } = state;
  if (!made.rates)
    queueOnce(context, () => {
      const { evaluationId, jobId } = enqueueMeasurement(db, {
        name: "Misbehavior rates on unseen prefixes",
        protocol: {
          policies: measuredCheckpoints(context).map((c) => policySpec(nameOf(context, c.checkpointId))),
          prefixes: design.rates.prefixes,
          fewest: design.rates.fewest,
          samples: design.rates.samples,
          outcome: design.rates.outcome,
          judges: [
            { use: "rules", options: {} },
            { use: "learned", options: { name: madeBy(state, "judge").name } },
          ],
          seed: design.seed,
        },
        requestedBy: "study",
      });
      made.rates = { evaluationId, jobId };
    });
  await finish(context, jobOf(db, "evaluation", (made.rates as { evaluationId: number }).evaluationId));
};
