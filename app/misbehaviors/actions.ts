"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { enqueueRelabel } from "@/lib/jobs/relabelJob";
import { enqueueTaxonomy } from "@/lib/jobs/taxonomyJob";
import { NameTaken } from "@/lib/taxonomy/build/create";
import { applyEdits } from "@/lib/taxonomy/edit/apply";
import { EditRefused, operationSchema } from "@/lib/taxonomy/edit/operations";
import { importTaxonomy, NoTaxonomyFile, readTaxonomyFile } from "@/lib/taxonomy/exchange";
import { CannotBeInForce, setInForce } from "@/lib/taxonomy/inForce";
import { RELABEL_SCOPES, RelabelRefused } from "@/lib/taxonomy/relabel";
import { annotatorSpec, taxonomySettings } from "@/lib/taxonomy/settings";

const REFUSALS = [NameTaken, EditRefused, RelabelRefused, NoTaxonomyFile, CannotBeInForce];

/** Runs, and turns what a person can mend into an answer. */
function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof Error && REFUSALS.some((refusal) => error instanceof refusal))
      throw new ActionRefused(error.message);
    throw error;
  }
}

const build = z.object({ name: z.string().trim().min(1, "a taxonomy needs a name"), settings: taxonomySettings });

/** Queues the build of a taxonomy's next version. */
export async function buildTaxonomyAction(
  input: z.input<typeof build>,
): Promise<ActionResult<{ taxonomyId: number; jobId: number }>> {
  return act(build, input, ({ name, settings }, actor) =>
    refusing(() => enqueueTaxonomy(getDb(), { name, settings, requestedBy: actor.name })),
  );
}

const edits = z.object({
  taxonomyId: z.number().int().positive(),
  operations: z.array(operationSchema).min(1, "nothing was edited"),
  note: z.string().trim().max(2000).nullable(),
});

/** Makes the next version of a taxonomy out of collected edits. */
export async function editTaxonomyAction(
  input: z.input<typeof edits>,
): Promise<ActionResult<{ taxonomyId: number; version: number; stale: number }>> {
  return act(edits, input, ({ note, ...given }, actor) => {
    const made = refusing(() => applyEdits(getDb(), { ...given, note: note || null, actor: actor.name }));
    revalidatePath("/misbehaviors", "layout");
    return made;
  });
}

const relabel = z.object({
  taxonomyId: z.number().int().positive(),
  annotator: annotatorSpec,
  scope: z.enum(RELABEL_SCOPES),
});

/** Queues the labelling of what waits under a version. */
export async function relabelAction(
  input: z.input<typeof relabel>,
): Promise<ActionResult<{ jobId: number; steps: number }>> {
  return act(relabel, input, (given, actor) => refusing(() => enqueueRelabel(getDb(), given, actor.name)));
}

const choice = z.object({ taxonomyId: z.number().int().positive().nullable() });

/** Puts a version in force; null: the newest built-in one. */
export async function putInForceAction(input: z.input<typeof choice>): Promise<ActionResult<null>> {
  return act(choice, input, ({ taxonomyId }, actor) => {
    refusing(() => setInForce(getDb(), taxonomyId, actor.name));
    revalidatePath("/", "layout");
    return null;
  });
}

const file = z.object({
  text: z.string().min(1, "the file is empty").max(5_000_000, "the file is too large for a taxonomy"),
  name: z.string().trim().max(80).nullable(),
});

/** Adds an exported taxonomy as the next version of its name. */
export async function importTaxonomyAction(input: z.input<typeof file>): Promise<ActionResult<{ taxonomyId: number }>> {
  return act(file, input, ({ text, name }, actor) =>
    refusing(() => {
      const read = readTaxonomyFile(text);
      return importTaxonomy(getDb(), read, { name: name || read.name, actor: actor.name });
    }),
  );
}
