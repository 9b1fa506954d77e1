import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { one } from "@/db/queries/prepared";
import { statement } from "@/db/statement";
import type { Counts, Executor, ItemRow, ItemsContext, NewItem } from "@/lib/jobs/executor";
import { openAnnotator } from "@/lib/taxonomy/annotator/open";
import { asked, storeBatch, storedBatches } from "@/lib/taxonomy/batches";
import { isCalm } from "@/lib/taxonomy/build/discovery";
import { finishBuild } from "@/lib/taxonomy/build/finish";
import { recurring, replay } from "@/lib/taxonomy/build/replay";
import { drawBatches, pieces } from "@/lib/taxonomy/build/sample";
import { NoTypes, writeTypes } from "@/lib/taxonomy/build/types";
import { loadExamples, shortest } from "@/lib/taxonomy/examples";
import { knownTypes } from "@/lib/taxonomy/known";
import { storeLabels } from "@/lib/taxonomy/label";
import { type TaxonomySettings, taxonomyParams } from "@/lib/taxonomy/settings";
import { errorStepIds } from "@/lib/taxonomy/steps";
import type { Annotator, KnownType } from "@/lib/taxonomy/types";
import { inLanes } from "./lanes";

const itemSchema = z.object({
  phase: z.enum(["propose", "refine", "types", "label"]),
  number: z.number(),
  stepIds: z.array(z.number()),
});
type Item = z.infer<typeof itemSchema> & { row: ItemRow };

interface Build {
  taxonomyId: number;
  settings: TaxonomySettings;
  annotator: Annotator;
  /** Rules read no command. */
  texts: boolean;
}

function buildOf(db: Db, jobId: number): { taxonomyId: number; settings: TaxonomySettings } {
  const row = one<{ id: number; params: string }>(db, "select id, params from taxonomy where job_id = ?", jobId);
  const build = row && taxonomyParams.parse(JSON.parse(row.params)).build;
  if (!row || !build) throw new Error(`no taxonomy belongs to job ${jobId}; start a new build`);
  return { taxonomyId: row.id, settings: build };
}

/** Throws once people have edited the version that is being built: its numbers stay what they were. */
function refuseEdited(db: Db, taxonomyId: number): void {
  if (one(db, "select 1 from taxonomy where parent_id = ? limit 1", taxonomyId))
    throw new Error("this version was edited since; relabel the newest one, so that its numbers stay what they were");
}

async function propose(context: ItemsContext, build: Build, item: Item): Promise<void> {
  const { taxonomyId, annotator, texts } = build;
  const result = await asked(annotator.propose(loadExamples(context.db, item.stepIds, { texts })));
  context.together(() => {
    context.commit(item.row, () => {
      storeBatch(context.db, { taxonomyId, phase: "propose", number: item.number, stepIds: item.stepIds }, result);
      return {
        batches: 1,
        ...(result.ok ? { proposed: result.answered.output.types.length } : { [result.failure.kind]: 1 }),
      };
    });
    context.end(item.row, { status: "done" });
  });
  if (!result.ok) context.log("warn", `propose batch ${item.number} ${result.failure.kind}: ${result.failure.message}`);
}

/** Candidate types as the annotator is shown them while refining. */
function candidates(db: Db, { taxonomyId, texts }: Build): { types: KnownType[]; shares: (number | null)[] } {
  const { types, sightings } = replay(storedBatches(db, taxonomyId));
  return {
    types: types.map((t, i) => ({
      id: i + 1,
      name: t.name,
      definition: t.definition,
      excludes: t.excludes,
      detectors: t.detectors ?? [],
      examples: texts ? shortest(loadExamples(db, t.exampleIds.slice(0, 40)), 2) : [],
    })),
    shares: sightings.filter((s) => s.phase === "refine").map((s) => (s.steps === 0 ? null : s.newPattern / s.steps)),
  };
}

async function refine(context: ItemsContext, build: Build, item: Item): Promise<void> {
  const { taxonomyId, annotator, settings, texts } = build;
  const { types, shares } = candidates(context.db, build);
  // Decided by the stored batches alone: a killed build decides alike.
  if (isCalm(shares, settings.newShare, settings.calmBatches)) {
    context.end(item.row, { status: "done" });
    return;
  }
  const result = await asked(annotator.refine(types, loadExamples(context.db, item.stepIds, { texts })));
  context.together(() => {
    context.commit(item.row, () => {
      storeBatch(context.db, { taxonomyId, phase: "refine", number: item.number, stepIds: item.stepIds }, result);
      return { batches: 1, ...(result.ok ? {} : { [result.failure.kind]: 1 }) };
    });
    context.end(item.row, { status: "done" });
  });
  if (!result.ok) context.log("warn", `refine batch ${item.number} ${result.failure.kind}: ${result.failure.message}`);
}

function types(context: ItemsContext, { taxonomyId, settings }: Build, item: Item): void {
  context.together(() => {
    context.commit(item.row, (): Counts => {
      try {
        const { kept, rare } = writeTypes(context.db, taxonomyId, settings);
        return { types: kept, seldom: rare };
      } catch (error) {
        if (!(error instanceof NoTypes)) throw error;
        context.log("error", error.message);
        return { types: 0 };
      }
    });
    context.end(item.row, { status: "done" });
  });
}

async function label(context: ItemsContext, build: Build, known: KnownType[], item: Item): Promise<void> {
  const { taxonomyId, annotator, texts } = build;
  const examples = loadExamples(context.db, item.stepIds, { texts });
  const stepIds = examples.map((e) => e.id);
  const result = await asked(annotator.label(known, examples));
  context.together(() => {
    // A build that is tried again is done, so it may be edited while the annotator thinks.
    refuseEdited(context.db, taxonomyId);
    context.commit(item.row, () => {
      const batchId = storeBatch(context.db, { taxonomyId, phase: "label", number: item.number, stepIds }, result);
      return { ...storeLabels(context.db, annotator, known, { taxonomyId, batchId, stepIds }, result) };
    });
    // A failed batch may be tried again: it makes the job end as partial.
    context.end(
      item.row,
      result.ok ? { status: "done" } : { status: "failed", error: `${result.failure.kind}: ${result.failure.message}` },
    );
  });
}

/** The types that labelling goes by: those that recurred. Empty: the build failed. */
const labelTypes = (db: Db, { taxonomyId, texts, settings }: Build): KnownType[] => {
  const stored = storedBatches(db, taxonomyId);
  const answered = stored.filter((b) => b.answer !== null).length;
  const names = new Set(recurring(replay(stored).types, answered, settings.recurrence).map((t) => t.name));
  return knownTypes(db, taxonomyId, { texts, seldom: true }).filter((t) => names.has(t.name));
};

/** Runs of items of one phase, in order. */
function phases(items: Item[]): Item[][] {
  const out: Item[][] = [];
  for (const item of items) {
    const last = out.at(-1);
    if (last?.[0]?.phase === item.phase) last.push(item);
    else out.push([item]);
  }
  return out;
}

/**
 * Builds a taxonomy (recipe 11.3 to 11.5): an item a batch, in the order propose, refine, types, label. All batches are
 * drawn when the job is listed and every decision follows from stored batches, so a killed build goes on and comes to
 * the same. Proposing and labelling ask about several batches at once.
 */
export function makeTaxonomyExecutor(open: typeof openAnnotator): Executor {
  return {
    kind: "taxonomy",
    batch: 64,

    async *list({ db, job }) {
      const { settings } = buildOf(db, job.id);
      const ids = errorStepIds(db, settings.steps);
      if (ids.length === 0)
        throw new Error("there is no error step to look at: profile a policy or import trajectories first");
      const { propose: proposing, refine: refining } = drawBatches(ids, settings);
      const items = (phase: Item["phase"], batches: number[][]): NewItem[] =>
        batches.map((stepIds, i) => ({ key: `${phase}/${i + 1}`, payload: { phase, number: i + 1, stepIds } }));
      yield {
        items: [
          ...items("propose", proposing),
          ...items("refine", refining),
          ...items("types", [[]]),
          ...items("label", pieces(ids, settings.labelBatchSize)),
        ],
        effect: () => ({ errorSteps: ids.length }),
      };
    },

    async run(context) {
      const { db, job, signal } = context;
      const { taxonomyId, settings } = buildOf(db, job.id);
      refuseEdited(db, taxonomyId);
      const annotator = open(db, settings.annotator, { jobId: job.id, signal });
      const build: Build = { taxonomyId, settings, annotator, texts: annotator.kind !== "rule" };
      const items = context.items.map((row) => ({ ...itemSchema.parse(JSON.parse(row.payload)), row }));
      for (const run of phases(items)) {
        if (signal.aborted) return;
        switch (run[0]?.phase) {
          case "propose":
            await inLanes(run, settings.parallel, signal, (item) => propose(context, build, item));
            break;
          case "refine":
            await inLanes(run, 1, signal, (item) => refine(context, build, item));
            break;
          case "types":
            for (const item of run) types(context, build, item);
            break;
          case "label": {
            const known = labelTypes(db, build);
            if (known.length === 0) for (const item of run) context.end(item.row, { status: "done" });
            else await inLanes(run, settings.parallel, signal, (item) => label(context, build, known, item));
          }
        }
      }
    },

    async finish({ db, job, log }) {
      const { taxonomyId } = buildOf(db, job.id);
      refuseEdited(db, taxonomyId);
      if (!one(db, "select 1 from error_type where taxonomy_id = ?", taxonomyId)) {
        statement(db, "update taxonomy set status = 'failed' where id = ?").run(taxonomyId);
        throw new Error("no type came out of proposing and refining; the log and the batches of this version say why");
      }
      const { kept, tail, answered } = finishBuild(db, taxonomyId);
      log("info", `${kept} types kept, ${tail} in the long tail, over ${answered} error steps with an answer`);
    },
  };
}

export const taxonomyExecutor = makeTaxonomyExecutor(openAnnotator);
