import { z } from "zod";
import { CallError } from "@/app/api/reply";
import { operation } from "@/app/api/v1/operation";
import { count, idParam, rowId, time } from "@/app/api/v1/schemas";
import type { Db } from "@/db/client";
import { misbehaviorOverview } from "@/db/queries/misbehaviors";
import { getTaxonomy, listTaxonomies, taxonomyInForce, typesOf } from "@/db/queries/taxonomies";

const counts = { errorSteps: count, trajectories: count, environments: count };
const version = z.object({
  id: z.number(),
  name: z.string(),
  version: z.number(),
  parentId: z.number().nullable(),
  origin: z.string().describe("builtin | dataset | annotator | edited"),
  note: z.string().nullable(),
  jobId: z.number().nullable(),
  status: z.string().describe("building | done | failed"),
  coverage: z.enum(["everything", "assigned"]),
  author: z.string().nullable(),
  createdAt: time,
});

function versionOf(db: Db, id: number) {
  const found = getTaxonomy(db, id);
  if (!found) throw new CallError(404, `There is no version ${id} of a taxonomy.`);
  return found;
}

export const misbehaviorOperations = [
  operation({
    id: "listMisbehaviors",
    method: "GET",
    path: "/misbehaviors",
    tag: "misbehaviors",
    role: "viewer",
    summary: "Misbehaviors of a taxonomy with what their shares are made of",
    query: z.strictObject({ taxonomy: rowId.optional().describe("a version by id; without: the one in force") }),
    response: z.object({
      taxonomyId: z.number(),
      misbehaviors: z.array(
        z.object({
          id: z.number(),
          slug: z.string(),
          name: z.string(),
          definition: z.string(),
          excludes: z.array(z.string()),
          example: z.string().nullable(),
          looksFor: z.string().nullable(),
          ...counts,
        }),
      ),
      all: z.object(counts),
      named: z.object(counts),
      unlabelled: z.object(counts),
      unseen: count.describe("error steps that nobody looked at under this version"),
      corpus: z.object({ trajectories: count, steps: count, environments: count, withoutEnvironment: count }),
    }),
    run: ({ db, query }) => {
      const taxonomyId = query.taxonomy ?? taxonomyInForce(db);
      versionOf(db, taxonomyId);
      const { rows, ...rest } = misbehaviorOverview(db, taxonomyId);
      return { taxonomyId, misbehaviors: rows, ...rest };
    },
  }),
  operation({
    id: "listTaxonomies",
    method: "GET",
    path: "/taxonomies",
    tag: "misbehaviors",
    role: "viewer",
    summary: "Every version of every taxonomy",
    query: z.strictObject({ datasets: z.stringbool().default(false).describe("data sets' own categories too") }),
    response: z.object({ inForce: z.number(), taxonomies: z.array(version) }),
    run: ({ db, query }) => ({ inForce: taxonomyInForce(db), taxonomies: listTaxonomies(db, query) }),
  }),
  operation({
    id: "showTaxonomy",
    method: "GET",
    path: "/taxonomies/{id}",
    tag: "misbehaviors",
    role: "viewer",
    summary: "A version of a taxonomy with its error types",
    params: idParam,
    response: z.object({
      ...version.shape,
      types: z.array(
        z.object({
          id: z.number(),
          slug: z.string(),
          name: z.string(),
          definition: z.string(),
          excludes: z.array(z.string()),
          example: z.string().nullable(),
          looksFor: z.string().nullable(),
          rank: z.number(),
          named: z.number().describe("1: counted as a misbehavior"),
          status: z.string().describe("kept | tail | retired"),
          errorSteps: count,
        }),
      ),
    }),
    run: ({ db, params: { id } }) => ({ ...versionOf(db, id), types: typesOf(db, id) }),
  }),
];
