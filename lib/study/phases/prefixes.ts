import { enqueue } from "@/lib/jobs/queue";
import { drawPrefixes } from "@/lib/prefix/sample";
import { finish, madeBy, queueOnce, type RunPhase } from "@/lib/study/context";
import { plural } from "@/lib/text/format";

/** Draws misbehavior prefixes of both parts (paper 3.3). */
export const prefixes: RunPhase = async (context) => {
  const { db, state } = context;
  const { design, made } = state;
  if (made.prefixes) return;
  queueOnce(context, () => {
    const { taxonomyId } = madeBy(state, "taxonomy");
    const { drawId } = drawPrefixes(db, { per: design.prefixes.per, seed: design.seed, heldOut: 0, taxonomyId });
    made.prefixes = { drawId };
  });
};

/** Runs every drawn prefix again in a fresh sandbox; those whose outputs all come back are kept (paper 3.3). */
export const rerun: RunPhase = async (context) => {
  const { db, state } = context;
  const { design, made } = state;
  if (!made.rerun)
    queueOnce(context, () => {
      const ids = db.$client
        .prepare("select id from prefix where draw_id = ? order by id")
        .pluck()
        .all(madeBy(state, "prefixes").drawId);
      const jobId = enqueue(db, {
        kind: "rerun",
        title: `Rerun ${plural(ids.length, "prefix", "prefixes")}`,
        params: { prefixes: ids, repeats: design.prefixes.repeats, mode: "stop" },
        requestedBy: "study",
      });
      made.rerun = { jobId };
    });
  await finish(context, (made.rerun as { jobId: number }).jobId);
};
