import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { all } from "./prepared";
import { taxonomyInForce } from "./taxonomies";

/** A place a reason points at: an entry, and where it matters a range (UTF-16) of one of its texts. */
export interface EvidenceLink {
  /** Its place among the evidence of a reason. */
  index: number;
  entry: number | null;
  /** How the entry is named in a sentence: by its step; a correction by the rejected step it stands for; null: it has neither. */
  place: string | null;
  /** thinking | message | command | output. Offsets of `output` count over the contents of all observations, joined by line feeds. */
  part: string | null;
  start: number | null;
  end: number | null;
  note: string | null;
}

export interface FlagLabel {
  id: number;
  slug: string;
  name: string;
  named: boolean;
  value: string;
  source: string;
  /** Rule set and version, model, person, or data set. */
  by: string;
  reason: string | null;
}

export interface FlagReason {
  id: number;
  reason: string | null;
  source: string;
  by: string;
  evidence: EvidenceLink[];
}

/** What a localizer says of an error step that it does not call bad. */
export interface OtherVerdict {
  id: number;
  /** good | failed | unparsed */
  verdict: string;
  reason: string | null;
  source: string;
  by: string;
}

/** Everything said about one error step. */
export interface Flag {
  entry: number;
  number: number | null;
  active: boolean;
  labels: FlagLabel[];
  reasons: FlagReason[];
  others: OtherVerdict[];
}

const whole = z.number().int().nonnegative();
const evidenceSchema = z.array(
  z
    .looseObject({
      step: whole.nullish(),
      part: z.string().nullish(),
      start: whole.nullish(),
      end: whole.nullish(),
      note: z.string().nullish(),
    })
    .transform(
      (e): Omit<EvidenceLink, "index" | "place"> => ({
        entry: e.step ?? null,
        part: e.part ?? null,
        start: e.start ?? null,
        end: e.end ?? null,
        note: e.note ?? null,
      }),
    ),
);

const range = (id: number): [number, number] => [id * SPAN, id * SPAN + SPAN - 1];
const byOf = (name: string | null, version: string | null, person: string | null): string =>
  person ?? [name, version && `v${version.replace(/^v/, "")}`].filter(Boolean).join(" ");

/** Names of entries of a trajectory by their steps; entries that belong to none are not there. */
function placesOf(db: Db, id: number, entries: readonly number[]): Map<number, string> {
  const rows = all<{ entry: number; number: number | null; rejected: number | null }>(
    db,
    `select v.value as entry, s.number, case s.note when 'correction' then r.number end as rejected
     from json_each(?) v join step s on s.id = ? + v.value left join step r on r.id = s.id - 1 and r.note = 'rejected'`,
    JSON.stringify(entries),
    id * SPAN,
  );
  return new Map(
    rows.flatMap(({ entry, number, rejected }): [number, string][] => {
      if (number !== null) return [[entry, `step ${number}`]];
      return rejected === null ? [] : [[entry, `the correction of step ${rejected}`]];
    }),
  );
}

/** Error steps of a trajectory with what every source says of them, in order of the steps. Older verdicts are left out. */
export function flagsOf(db: Db, id: number): Flag[] {
  const steps = all<{ stepId: number; number: number | null; active: number }>(
    db,
    `select e.step_id as stepId, s.number, e.active from error_step e join step s on s.id = e.step_id
     where e.trajectory_id = ? order by e.step_id`,
    id,
  );
  if (steps.length === 0) return [];
  const flags = new Map<number, Flag>(
    steps.map((s) => [
      s.stepId,
      { entry: s.stepId - id * SPAN, number: s.number, active: s.active === 1, labels: [], reasons: [], others: [] },
    ]),
  );
  const labels = all<
    FlagLabel & { stepId: number; named: never } & {
      isNamed: number;
      name_: string | null;
      version: string | null;
      person: string | null;
    }
  >(
    db,
    `select b.id, b.step_id as stepId, e.slug, e.name, e.named as isNamed, b.value, b.source, b.reason, z.name as name_, z.version, p.name as person
     from label b join error_type e on e.id = b.error_type_id join taxonomy x on x.id = e.taxonomy_id and (x.id = ? or x.origin = 'dataset')
       left join localizer z on z.id = b.localizer_id left join person p on p.id = b.person_id
     where b.current = 1 and b.step_id between ? and ? order by b.step_id, e.rank, b.id`,
    taxonomyInForce(db),
    ...range(id),
  );
  for (const { stepId, isNamed, name_, version, person, ...label } of labels) {
    flags.get(stepId)?.labels.push({ ...label, named: isNamed === 1, by: byOf(name_, version, person) });
  }
  const reasons = all<{
    id: number;
    stepId: number;
    reason: string | null;
    evidence: string | null;
    source: string;
    name: string;
    version: string;
    verdict: string;
  }>(
    db,
    `select l.id, l.step_id as stepId, l.verdict, l.reason, l.evidence, z.kind as source, z.name, z.version
     from localization l join localizer z on z.id = l.localizer_id
     where l.current = 1 and l.step_id between ? and ? order by l.step_id, l.id`,
    ...range(id),
  );
  const pointed = new Map(
    reasons.map((row) => [row.id, row.evidence === null ? [] : evidenceSchema.parse(JSON.parse(row.evidence))]),
  );
  const places = placesOf(db, id, [...new Set([...pointed.values()].flat().flatMap(({ entry }) => entry ?? []))]);
  for (const row of reasons) {
    if (row.verdict !== "bad") {
      const { id: rowId, verdict, reason, source } = row;
      flags.get(row.stepId)?.others.push({ id: rowId, verdict, reason, source, by: byOf(row.name, row.version, null) });
      continue;
    }
    flags.get(row.stepId)?.reasons.push({
      id: row.id,
      reason: row.reason,
      source: row.source,
      by: byOf(row.name, row.version, null),
      evidence: (pointed.get(row.id) ?? []).map((e, index) => ({
        ...e,
        index,
        place: e.entry === null ? null : (places.get(e.entry) ?? null),
      })),
    });
  }
  return [...flags.values()];
}
