import "server-only";
import type { Db } from "@/db/client";
import { all, one } from "@/db/queries/prepared";
import { statement } from "@/db/statement";
import { storedBatches } from "@/lib/taxonomy/batches";
import { countTaxonomy } from "@/lib/taxonomy/count";
import { type TaxonomyParams, taxonomyParams } from "@/lib/taxonomy/settings";
import { isCalm } from "./discovery";
import { replay } from "./replay";

/**
 * Ends a build: types with at least `keepShare` of the error steps that got an answer are kept as misbehaviors, the rest
 * is the long tail; ranks follow counts. One transaction, safe to call again.
 */
export function finishBuild(db: Db, taxonomyId: number): { kept: number; tail: number; answered: number } {
  return db.$client
    .transaction(() => {
      const row = one<{ params: string }>(db, "select params from taxonomy where id = ?", taxonomyId);
      const params = taxonomyParams.parse(JSON.parse(row?.params ?? "{}"));
      if (!params.build) throw new Error(`taxonomy ${taxonomyId} was not built by a job`);
      const statuses = all<{ status: string; n: number }>(
        db,
        "select status, count(*) as n from assignment where taxonomy_id = ? group by status",
        taxonomyId,
      );
      const of = (status: string) => statuses.find((s) => s.status === status)?.n ?? 0;
      const answered = of("labelled") + of("none");
      const types = all<{ id: number; status: string; n: number }>(
        db,
        `select e.id, e.status, (select count(distinct l.step_id) from label l
           where l.error_type_id = e.id and l.current = 1 and l.value = 'yes') as n
         from error_type e where e.taxonomy_id = ? order by n desc, e.rank`,
        taxonomyId,
      );
      const place = statement(db, "update error_type set rank = ?, named = ?, status = ? where id = ?");
      let kept = 0;
      types.forEach(({ id, n }, i) => {
        const keeps = n > 0 && n >= (params.build?.keepShare ?? 0) * answered;
        if (keeps) kept++;
        place.run(i + 1, keeps ? 1 : 0, keeps ? "kept" : "tail", id);
      });
      const { sightings } = replay(storedBatches(db, taxonomyId));
      const refine = sightings.filter((s) => s.phase === "refine");
      const shares = refine.map((s) => (s.steps === 0 ? null : s.newPattern / s.steps));
      const calm = isCalm(shares, params.build.newShare, params.build.calmBatches);
      const result: TaxonomyParams["result"] = {
        errorSteps: answered + of("failed") + of("unparsed"),
        labelled: of("labelled"),
        none: of("none"),
        failed: of("failed"),
        unparsed: of("unparsed"),
        refineBatches: refine.length,
        refineEnded: calm ? "calm" : refine.length < params.build.maxRefine ? "used-up" : "most",
      };
      statement(db, "update taxonomy set status = 'done', params = ? where id = ?").run(
        JSON.stringify({ ...params, result }),
        taxonomyId,
      );
      countTaxonomy(db, taxonomyId);
      return { kept, tail: types.length - kept, answered };
    })
    .immediate();
}
