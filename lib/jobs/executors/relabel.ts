import "server-only";
import { z } from "zod";
import { trajectoryOf } from "@/db/ids";
import { all } from "@/db/queries/prepared";
import { getTaxonomy } from "@/db/queries/taxonomies";
import type { Executor, ItemRow, ItemsContext } from "@/lib/jobs/executor";
import { recount } from "@/lib/profile/errorSteps";
import { openAnnotator } from "@/lib/taxonomy/annotator/open";
import { asked, nextBatch, storeBatch } from "@/lib/taxonomy/batches";
import { pieces } from "@/lib/taxonomy/build/sample";
import { loadExamples } from "@/lib/taxonomy/examples";
import { knownTypes } from "@/lib/taxonomy/known";
import { storeLabels } from "@/lib/taxonomy/label";
import { checkRelabel, relabelSettings, stepsToRelabel } from "@/lib/taxonomy/relabel";
import type { Annotator, KnownType } from "@/lib/taxonomy/types";
import { inLanes } from "./lanes";

const itemSchema = z.object({ stepIds: z.array(z.number()) });

interface Relabel {
  taxonomyId: number;
  annotator: Annotator;
  known: KnownType[];
}

async function label(context: ItemsContext, { taxonomyId, annotator, known }: Relabel, item: ItemRow): Promise<void> {
  const { db } = context;
  const { stepIds: given } = itemSchema.parse(JSON.parse(item.payload));
  const examples = loadExamples(db, given, { texts: annotator.kind !== "rule" });
  const stepIds = examples.map((e) => e.id);
  const result = await asked(annotator.label(known, examples));
  context.together(() => {
    // Edited while the annotator thought: its answer is about a version that now stays as it is.
    checkRelabel(db, taxonomyId);
    context.commit(item, () => {
      const number = nextBatch(db, taxonomyId, "label");
      const batchId = storeBatch(db, { taxonomyId, phase: "label", number, stepIds }, result);
      const counts = storeLabels(db, annotator, known, { taxonomyId, batchId, stepIds }, result);
      for (const id of new Set(stepIds.map(trajectoryOf))) recount(db, id);
      const waiting = all<{ n: number }>(
        db,
        `select count(distinct step_id) as n from assignment where taxonomy_id = ? and stale = 1
           and step_id in (select value from json_each(?))`,
        taxonomyId,
        JSON.stringify(stepIds),
      )[0]?.n;
      return { ...counts, stillStale: waiting ?? 0 };
    });
    context.end(
      item,
      result.ok ? { status: "done" } : { status: "failed", error: `${result.failure.kind}: ${result.failure.message}` },
    );
  });
}

/** Labels again what waits under the newest version of a taxonomy; nothing else of it changes. */
export function makeRelabelExecutor(open: typeof openAnnotator): Executor {
  return {
    kind: "relabel",
    batch: 64,

    async *list({ db, job }) {
      const settings = relabelSettings.parse(JSON.parse(job.params));
      checkRelabel(db, settings.taxonomyId);
      const items = pieces(stepsToRelabel(db, settings), settings.batchSize).map((stepIds) => ({
        key: `${stepIds[0]}-${stepIds.at(-1)}`,
        payload: { stepIds },
      }));
      yield { items };
    },

    async run(context) {
      const { db, job, signal } = context;
      const { taxonomyId, annotator: spec, parallel } = relabelSettings.parse(JSON.parse(job.params));
      checkRelabel(db, taxonomyId);
      const annotator = open(db, spec, { jobId: job.id, signal });
      // Of a version that was built here, types seen too seldom were never labelled with; an imported one has no such history.
      const built = getTaxonomy(db, taxonomyId)?.params.includes('"build"') ?? false;
      const known = knownTypes(db, taxonomyId, { texts: annotator.kind !== "rule", seldom: !built });
      await inLanes(context.items, parallel, signal, (item) => label(context, { taxonomyId, annotator, known }, item));
    },
  };
}

export const relabelExecutor = makeRelabelExecutor(openAnnotator);
