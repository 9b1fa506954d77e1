import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { SPAN, trajectoryOf } from "@/db/ids";
import { getTaxonomy, taxonomyInForce } from "@/db/queries/taxonomies";
import { statement } from "@/db/statement";
import { type Candidate, type DrawnType, type Split, selectPrefixes } from "./select";

/** What a draw is made with. */
export const drawRequest = z.object({
  studyId: z.number().int().positive().default(1),
  /** Prefixes a misbehavior. */
  per: z.number().int().min(1).max(10_000),
  seed: z.number().int(),
  /** Share of the environments held out. */
  heldOut: z.number().min(0).max(1).default(0.3),
  /** The version of a taxonomy whose misbehaviors are drawn; null: the one in force. */
  taxonomyId: z.number().int().positive().nullable().default(null),
  /** Slugs; empty: all misbehaviors of the version. */
  misbehaviors: z.array(z.string()).default([]),
});
export type DrawRequest = z.input<typeof drawRequest>;

/** `prefix_draw.params`: the request, and what came of it (12 of 80 when there were no more). */
export interface DrawParams extends z.output<typeof drawRequest> {
  taxonomyId: number;
  candidates: number;
  types: (DrawnType & { slug: string; training: number; heldout: number })[];
}

/** A misbehavior, or a version of a taxonomy, was asked for that does not exist or cannot be drawn from. */
export class UnknownMisbehavior extends Error {}

interface TypeRow {
  id: number;
  slug: string;
}

/** The version that is drawn from: only one whose labels are all there, and of error types of ours. */
function versionOf(db: Db, asked: number | null): number {
  if (asked === null) return taxonomyInForce(db);
  const found = getTaxonomy(db, asked);
  if (!found) throw new UnknownMisbehavior(`there is no version of a taxonomy with id ${asked}`);
  if (found.status !== "done" || found.origin === "dataset")
    throw new UnknownMisbehavior(
      `${found.name} ${found.version} cannot be drawn from: ${found.origin === "dataset" ? "it holds a data set's categories" : `its build is ${found.status === "building" ? "not done yet" : found.status}`}`,
    );
  return found.id;
}

function typesOf(db: Db, taxonomyId: number, slugs: string[]): TypeRow[] {
  const all = db.$client
    .prepare<[number], TypeRow>("select id, slug from error_type where named = 1 and taxonomy_id = ? order by rank, id")
    .all(taxonomyId);
  if (slugs.length === 0) return all;
  return [...new Set(slugs)].map((slug) => {
    const found = all.find((t) => t.slug === slug);
    if (!found)
      throw new UnknownMisbehavior(`"${slug}" is no misbehavior; there are ${all.map((t) => t.slug).join(", ")}`);
    return found;
  });
}

/**
 * Active error steps with one of these misbehaviors, in trajectories that are current. Errors that were injected to try a
 * localizer are nobody's misbehavior; rollouts of trainings and what goes on from a prefix (branches, samples) are no
 * profile. A key does not tell which rollout of a profile ended first, so that one seed makes one study.
 */
function candidatesOf(db: Db, studyId: number, types: TypeRow[]): Candidate[] {
  const rows = db.$client
    .prepare<
      [number, string],
      { stepId: number; key: string; types: string; environment: string | null; fixed: Split | null }
    >(
      `select l.step_id as stepId, json_group_array(distinct l.error_type_id) as types, v.name as environment, v.split as fixed,
         ifnull(r.profile_id || ' ' || v.name || ' ' || r.number || ' ' || (l.step_id % ${SPAN}), 'step ' || l.step_id) as key
       from label l join error_step e on e.step_id = l.step_id and e.active = 1
         join trajectory t on t.id = l.step_id / ${SPAN} left join environment v on v.id = t.environment_id
         left join profile_rollout r on r.trajectory_id = t.id
       where l.current = 1 and l.value = 'yes' and t.superseded_by is null and t.study_id = ?
         and t.parent_id is null and not exists (select 1 from rollout r where r.trajectory_id = t.id)
         and l.step_id not in (select step_id from trial_step)
         and l.error_type_id in (select value from json_each(?))
       group by l.step_id`,
    )
    .all(studyId, JSON.stringify(types.map((t) => t.id)));
  return rows.map((row) => ({ ...row, types: JSON.parse(row.types) as number[] }));
}

const INSERT = `insert into prefix (study_id, draw_id, step_id, error_type_id, environment_id, split, commands)
  select t.study_id, ?, s.id, ?, t.environment_id, ?,
    (select count(*) from step c where c.id between t.id * ${SPAN} and s.id - 1 and c.kind = 'agent' and c.tool is not null and c.note is not 'rejected' and c.flags & 1 = 0)
  from step s join trajectory t on t.id = ? where s.id = ?`;

/** Draws misbehavior prefixes and stores them with the parameters of the draw, in one transaction. */
export function drawPrefixes(db: Db, given: DrawRequest): { drawId: number; params: DrawParams } {
  const request = drawRequest.parse(given);
  const taxonomyId = versionOf(db, request.taxonomyId);
  const types = typesOf(db, taxonomyId, request.misbehaviors);
  return db.$client
    .transaction(() => {
      const candidates = candidatesOf(db, request.studyId, types);
      const selection = selectPrefixes(
        candidates,
        types.map((t) => t.id),
        request,
      );
      const count = (type: number, split: Split) =>
        selection.drawn.filter((d) => d.errorTypeId === type && d.split === split).length;
      const params: DrawParams = {
        ...request,
        taxonomyId,
        candidates: candidates.length,
        types: selection.types.map((t) => ({
          ...t,
          slug: types.find((row) => row.id === t.errorTypeId)?.slug ?? "",
          training: count(t.errorTypeId, "training"),
          heldout: count(t.errorTypeId, "heldout"),
        })),
      };
      const drawId = Number(
        statement(db, "insert into prefix_draw (study_id, params) values (?, ?)").run(
          request.studyId,
          JSON.stringify(params),
        ).lastInsertRowid,
      );
      for (const d of selection.drawn)
        statement(db, INSERT).run(drawId, d.errorTypeId, d.split, trajectoryOf(d.stepId), d.stepId);
      return { drawId, params };
    })
    .immediate();
}

/** No step has this id. */
export class NoSuchStep extends Error {}

/**
 * The prefix that ends before a step, outside of any draw: made on first use, one row a step. Call it inside a
 * transaction when something else depends on it.
 */
export function prefixOfStep(db: Db, stepId: number): number {
  return db.$client
    .transaction(() => {
      const found = statement(db, "select id from prefix where step_id = ? and draw_id is null").get(stepId) as
        | { id: number }
        | undefined;
      if (found) return found.id;
      const type = statement(
        db,
        `select l.error_type_id as id from label l join error_type e on e.id = l.error_type_id
         where l.step_id = ? and l.current = 1 and l.value = 'yes' and e.named = 1 and e.taxonomy_id = ? order by e.rank limit 1`,
      ).get(stepId, taxonomyInForce(db)) as { id: number } | undefined;
      const added = statement(db, INSERT).run(null, type?.id ?? null, null, trajectoryOf(stepId), stepId);
      if (added.changes !== 1) throw new NoSuchStep(`there is no step ${stepId} in the index`);
      return Number(added.lastInsertRowid);
    })
    .immediate();
}
