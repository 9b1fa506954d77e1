import { z } from "zod";
import { CallError } from "@/app/api/reply";
import { operation } from "@/app/api/v1/operation";
import { BadInput } from "@/app/api/v1/refusals";
import { before, count, limit, nextId, rowId } from "@/app/api/v1/schemas";
import { errorStepsOfType, unlabelledErrorSteps } from "@/db/queries/errorSteps";
import { COUNT_UP_TO, searchSteps, waitingForIndex } from "@/db/queries/search";
import { getTaxonomy, taxonomyInForce } from "@/db/queries/taxonomies";
import { errorTypeIdOf } from "@/db/queries/trajectory-filters";
import { parseSearch, reasonQuery, stepQuery } from "@/lib/text/fts";
import { snippetsOf } from "@/lib/text/search-snippets";

const nullableNumber = z.number().nullable();
const text = z.string().nullable();

/** Steps of all trajectories, found by what they say or by what they are called. */
export const stepOperations = [
  operation({
    id: "search",
    method: "GET",
    path: "/search",
    tag: "trajectories",
    role: "viewer",
    summary: "Search commands, thinking and outputs, or the reasons of flags",
    description: `"phrases" and command: thinking: output: reason: work as on the page. Above ${COUNT_UP_TO} hits the total is a lower bound.`,
    query: z.strictObject({
      q: z.string().min(1).max(1000),
      made: z.enum(["yes", "no"]).optional().describe("no: without rollouts that trainings and measurements made"),
      reasons: z.stringbool().default(false).describe("look in the reasons of flags"),
      limit: limit(500, 20),
      before: before.describe("go on below this place: `next` of the page before"),
    }),
    response: z.object({
      total: count,
      moreThanTotal: z.boolean(),
      next: nextId,
      notIndexedYet: count.describe("trajectories whose text is not in the search index yet"),
      hits: z.array(
        z.object({
          trajectory: z.number(),
          step: nullableNumber,
          entry: count,
          task: text,
          model: text,
          outcome: z.string(),
          snippets: z.array(z.object({ field: z.string(), text: z.string() })),
        }),
      ),
    }),
    run: ({ db, query }) => {
      const terms = parseSearch(query.q);
      const [steps, reasons] = [stepQuery(terms), reasonQuery(terms)];
      const where = query.reasons || (steps === null && reasons !== null) ? "reasons" : "steps";
      const wanted = where === "steps" ? steps : reasons;
      if (wanted === null) throw new BadInput([{ path: "query.q", message: "there is no word to look for" }]);
      const page = searchSteps(
        db,
        where,
        wanted,
        query.before ?? null,
        query.limit,
        query.made === "no" ? "others" : "all",
      );
      return {
        total: page.total.count,
        moreThanTotal: page.total.more,
        next: page.next,
        notIndexedYet: waitingForIndex(db).trajectories,
        hits: page.hits.map((hit) => ({
          trajectory: hit.trajectoryId,
          step: hit.entry.number,
          entry: hit.entry.index,
          task: hit.task,
          model: hit.model,
          outcome: hit.outcome,
          snippets: snippetsOf(hit, terms).map(({ field, snippet }) => ({ field, text: snippet.text })),
        })),
      };
    },
  }),
  operation({
    id: "listErrorSteps",
    method: "GET",
    path: "/error-steps",
    tag: "trajectories",
    role: "viewer",
    summary: "Error steps of a misbehavior, newest trajectory first",
    query: z.strictObject({
      misbehavior: z.string().min(1).max(300).describe("a slug of the taxonomy, or unlabelled"),
      taxonomy: rowId.optional().describe("a version by id; without: the one in force"),
      model: z.string().optional(),
      made: z.enum(["yes", "no"]).optional().describe("no: without rollouts that trainings and measurements made"),
      limit: limit(1000),
      before: before.describe("go on below this step id: `next` of the page before"),
    }),
    response: z.object({
      next: nextId,
      errorSteps: z.array(
        z.object({
          stepId: z.number(),
          trajectoryId: z.number(),
          index: count.describe("entry of the trajectory"),
          number: nullableNumber,
          preview: z.string(),
          reason: text,
          source: z.string(),
          sourceName: text,
          sourceVersion: text,
          task: text,
          model: text,
          outcome: z.string(),
        }),
      ),
    }),
    run: ({ db, query }) => {
      const taxonomyId = query.taxonomy ?? taxonomyInForce(db);
      if (!getTaxonomy(db, taxonomyId)) throw new CallError(404, `There is no version ${taxonomyId} of a taxonomy.`);
      const how = {
        limit: query.limit + 1,
        made: query.made !== "no",
        ...(query.before === undefined ? {} : { before: query.before }),
        ...(query.model === undefined ? {} : { model: query.model }),
      };
      const type = errorTypeIdOf(db, query.misbehavior, taxonomyId);
      if (query.misbehavior !== "unlabelled" && type === null)
        throw new CallError(404, `Version ${taxonomyId} of the taxonomy has no "${query.misbehavior}".`);
      const rows =
        type === null
          ? unlabelledErrorSteps(db, { taxonomyId, ...how })
          : errorStepsOfType(db, { errorTypeId: type, ...how });
      const shown = rows.slice(0, query.limit);
      return { next: rows.length > query.limit ? (shown.at(-1)?.stepId ?? null) : null, errorSteps: shown };
    },
  }),
];
