"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { atPlace } from "@/app/at-place";
import { type Db, getDb } from "@/db/client";
import { SPAN, stepId } from "@/db/ids";
import { openRerunJob } from "@/db/queries/prefix-page";
import { prefixIds, prefixRow } from "@/db/queries/prefixes";
import { DEFAULT_REPEATS, MAX_REPEATS } from "@/lib/jobs/executors/rerun";
import { PLACES, type Place } from "@/lib/jobs/place/places";
import { checkPlace } from "@/lib/jobs/place/refusal";
import { enqueue } from "@/lib/jobs/queue";
import { RERUN_MODES } from "@/lib/prefix/rerun";
import { drawPrefixes, drawRequest, NoSuchStep, prefixOfStep, UnknownMisbehavior } from "@/lib/prefix/sample";
import { plural } from "@/lib/text/format";
import { filtersOf } from "./filters";
import { loadPrefixParams } from "./search-params";

const how = {
  repeats: z.number().int().min(1).max(MAX_REPEATS).default(DEFAULT_REPEATS),
  mode: z.enum(RERUN_MODES).default("stop"),
};
const whole = z.number().int().positive();

function queue(
  db: Db,
  prefixes: number[],
  options: { repeats: number; mode: string },
  actor: string,
  place: Place = "local",
): number {
  return enqueue(db, {
    kind: "rerun",
    title:
      prefixes.length === 1 ? `Rerun prefix ${prefixes[0]}` : `Rerun ${plural(prefixes.length, "prefix", "prefixes")}`,
    params: { prefixes, ...options },
    place,
    requestedBy: actor,
  });
}

/** Queues reruns of prefixes: those named, or all that match the list's address (its query string). */
export async function rerunPrefixesAction(input: {
  ids?: number[];
  matching?: string;
  repeats?: number;
  mode?: "stop" | "through";
  place?: Place;
}): Promise<ActionResult<{ jobId: number; prefixes: number }>> {
  const schema = z
    .object({
      ids: z.array(whole).min(1).max(100_000).optional(),
      matching: z.string().max(20_000).optional(),
      place: z.enum(PLACES).default("local"),
      ...how,
    })
    .refine((v) => (v.ids === undefined) !== (v.matching === undefined), "say which prefixes");
  return act(schema, input, async ({ ids, matching, place, ...options }, actor) => {
    atPlace(() => checkPlace(place, null));
    const db = getDb();
    const params = matching === undefined ? null : await loadPrefixParams(new URLSearchParams(matching));
    const prefixes = params ? prefixIds(db, filtersOf(params)) : (ids ?? []).filter((id) => prefixRow(db, id));
    if (prefixes.length === 0) throw new ActionRefused("no prefix matches any more; reload the page");
    return { jobId: queue(db, prefixes, options, actor.name, place), prefixes: prefixes.length };
  });
}

/** Makes the prefix that ends before an entry of a trajectory, and queues its rerun unless one is under way. */
export async function rerunToHereAction(input: {
  trajectoryId: number;
  entry: number;
}): Promise<ActionResult<{ prefixId: number }>> {
  const schema = z.object({
    trajectoryId: whole,
    entry: z
      .number()
      .int()
      .min(0)
      .max(SPAN - 1),
  });
  return act(schema, input, ({ trajectoryId, entry }, actor) => {
    const db = getDb();
    try {
      return db.$client
        .transaction(() => {
          const prefixId = prefixOfStep(db, stepId(trajectoryId, entry));
          if (openRerunJob(db, prefixId) === null)
            queue(db, [prefixId], { repeats: DEFAULT_REPEATS, mode: "stop" }, actor.name);
          return { prefixId };
        })
        .immediate();
    } catch (error) {
      if (error instanceof NoSuchStep)
        throw new ActionRefused(`${error.message}; the trajectory may have been replaced`);
      throw error;
    }
  });
}

/** Draws misbehavior prefixes; answers with what was asked and what there was. */
export async function samplePrefixesAction(input: {
  per: number;
  seed: number;
  heldOut: number;
  taxonomyId: number;
  misbehaviors: string[];
}): Promise<ActionResult<{ drawId: number; drawn: number; short: { slug: string; drawn: number; asked: number }[] }>> {
  return act(drawRequest.omit({ studyId: true }), input, (request) => {
    try {
      const { drawId, params } = drawPrefixes(getDb(), { ...request, studyId: 1 });
      return {
        drawId,
        drawn: params.types.reduce((n, t) => n + t.drawn, 0),
        short: params.types.filter((t) => t.drawn < t.asked).map(({ slug, drawn, asked }) => ({ slug, drawn, asked })),
      };
    } catch (error) {
      if (error instanceof UnknownMisbehavior) throw new ActionRefused(error.message);
      throw error;
    }
  });
}
