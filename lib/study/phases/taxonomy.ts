import { enqueueTaxonomy } from "@/lib/jobs/taxonomyJob";
import { finish, jobOf, queueOnce, type RunPhase } from "@/lib/study/context";

/** Finds the types among the error steps of both profiles: propose, refine, label, keep (paper 3.2). */
export const taxonomy: RunPhase = async (context) => {
  const { db, state } = context;
  const { design, made } = state;
  if (!made.taxonomy)
    queueOnce(context, () => {
      const settings = { annotator: { use: "rules" as const }, steps: { all: true as const }, seed: design.seed };
      const { taxonomyId } = enqueueTaxonomy(db, { name: "study", settings, requestedBy: "study" });
      made.taxonomy = { taxonomyId };
    });
  await finish(context, jobOf(db, "taxonomy", (made.taxonomy as { taxonomyId: number }).taxonomyId));
};
