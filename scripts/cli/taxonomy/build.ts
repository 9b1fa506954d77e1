import { Command, InvalidArgumentError } from "commander";
import type { Db } from "@/db/client";
import { typesOf } from "@/db/queries/taxonomies";
import { enqueueTaxonomy } from "@/lib/jobs/taxonomyJob";
import { NameTaken } from "@/lib/taxonomy/build/create";
import { type AnnotatorSpec, type GivenTaxonomySettings, taxonomySettings } from "@/lib/taxonomy/settings";
import { errorStepIds } from "@/lib/taxonomy/steps";
import { forTerminal, type JsonOption, openIndex, print, UsageError } from "@/scripts/cli/output";
import { whole } from "@/scripts/cli/prefix";
import { seeThrough } from "@/scripts/cli/runJob";
import { usable } from "./pick";

/** "rules", "model" (the settings' annotator) or the name of a model. */
export const annotatorOf = (given: string): AnnotatorSpec =>
  given === "rules" ? { use: "rules" } : given === "model" ? { use: "model" } : { use: "model", model: given };

export function share(text: string): number {
  const n = Number(text);
  if (text.trim() === "" || !(n >= 0 && n <= 1)) throw new InvalidArgumentError("a share from 0 to 1");
  return n;
}

/** Sees a job through; exit code 1 when it did not end as it should. */
export async function finished(db: Db, jobId: number): Promise<void> {
  const job = await seeThrough(db, jobId);
  if (job.status !== "done") process.exitCode = 1;
  if (job.error !== null) process.stderr.write(`misstep: ${forTerminal(job.error)}\n`);
}

interface BuildOptions extends JsonOption {
  annotator: string;
  profile?: number;
  study?: number;
  checkpoint?: number[];
  seed: number;
  batch: number;
  proposeBatches: number;
  maxRefine: number;
  newShare: number;
  calm: number;
  recurrence: number;
  labelBatch: number;
  keep: number;
  parallel: number;
}

const id = whole(1, Number.MAX_SAFE_INTEGER);
const ids = (text: string, before: number[] = []) => [...before, id(text)];

function looked(o: BuildOptions): GivenTaxonomySettings["steps"] {
  if (o.profile !== undefined) return { profile: o.profile };
  if (o.study !== undefined) return { study: o.study };
  if (o.checkpoint !== undefined) return { checkpoints: o.checkpoint };
  return { all: true };
}

/** misstep taxonomy build */
export function buildCommand(): Command {
  const d = taxonomySettings.parse({});
  return new Command("build")
    .description(
      "find the types among the error steps: propose, refine, label, keep; makes the next version of the name",
    )
    .argument("<name>", "name of the taxonomy")
    .option("--annotator <who>", "rules, model (as the settings say), or a model's name", "rules")
    .option("--profile <id>", "only error steps of this profile", id)
    .option("--study <id>", "only error steps of this study", id)
    .option("--checkpoint <id>", "only error steps of this checkpoint (may be repeated)", ids)
    .option("--seed <n>", "batches are drawn by it", whole(0, Number.MAX_SAFE_INTEGER), d.seed)
    .option("--batch <n>", "error steps a batch while proposing and refining", whole(2, 500), d.batchSize)
    .option("--propose-batches <n>", "batches to propose from", whole(1, 1000), d.proposeBatches)
    .option("--max-refine <n>", "refining batches at most", whole(0, 1000), d.maxRefine)
    .option("--new-share <share>", "refining ends below this share of new patterns", share, d.newShare)
    .option("--calm <n>", "for so many batches in a row", whole(1, 100), d.calmBatches)
    .option("--recurrence <n>", "batches a type must be seen in", whole(1, 1000), d.recurrence)
    .option("--label-batch <n>", "error steps a batch while labelling", whole(1, 500), d.labelBatchSize)
    .option("--keep <share>", "share of error steps below which a type is long tail", share, d.keepShare)
    .option("--parallel <n>", "batches asked about at once", whole(1, 64), d.parallel)
    .option("--json", "print JSON")
    .action(async (name: string, o: BuildOptions) => {
      const db = openIndex();
      const settings: GivenTaxonomySettings = {
        annotator: annotatorOf(o.annotator),
        steps: looked(o),
        seed: o.seed,
        batchSize: o.batch,
        proposeBatches: o.proposeBatches,
        maxRefine: o.maxRefine,
        newShare: o.newShare,
        calmBatches: o.calm,
        recurrence: o.recurrence,
        labelBatchSize: o.labelBatch,
        keepShare: o.keep,
        parallel: o.parallel,
      };
      const steps = settings.steps ?? { all: true };
      if (errorStepIds(db, steps).length === 0)
        throw new UsageError(
          `there is no error step to look at${"all" in steps ? "" : " in what --profile, --study or --checkpoint names"}: profile a policy or import trajectories first; misstep stats counts what there is`,
        );
      const { taxonomyId, jobId } = usable([NameTaken], () =>
        enqueueTaxonomy(db, { name, settings, requestedBy: "cli" }),
      );
      await finished(db, jobId);
      const types = typesOf(db, taxonomyId);
      print(o, { taxonomyId, jobId, types }, () => [
        `taxonomy version ${taxonomyId}, job ${jobId}: ${types.filter((t) => t.named).length} types kept, ${types.filter((t) => !t.named).length} in the long tail`,
        `  misstep taxonomy show ${taxonomyId}`,
      ]);
    });
}
