import "server-only";
import type { Db } from "@/db/client";
import { indexOf, trajectoryOf } from "@/db/ids";
import { COVERAGE } from "@/db/queries/taxonomies";
import { statement } from "@/db/statement";
import { addErrorStep, localizerId, recount } from "@/lib/profile/errorSteps";

/** The localizer that settled decisions of people are kept under. */
export const PEOPLE = { kind: "person", name: "people", version: "1" } as const;

interface Settled {
  id: number;
  verdict: string;
  types: string | null;
  comment: string | null;
  personId: number | null;
  taxonomyId: number | null;
}

const CURRENT = `select s.id, s.verdict, s.types, s.comment, s.person_id as personId, q.taxonomy_id as taxonomyId
  from review_queue q cross join review_item i on i.queue_id = q.id and i.subject_id = ?
    cross join review_settlement s on s.item_id = i.id and s.current = 1
  where q.question in ('wrong', 'types') and s.verdict in ('wrong', 'right', 'types') order by s.id desc`;

/** The newest statement on whether the step is wrong, as a localization of people. Returns its id, null without one. */
function localizeByPeople(db: Db, step: number, newest: Settled | undefined): number | null {
  const localizer = localizerId(db, PEOPLE.kind, PEOPLE.name, PEOPLE.version);
  const wanted = newest && { verdict: newest.verdict === "right" ? "good" : "bad", reason: newest.comment };
  const now = statement(
    db,
    "select id, verdict, reason from localization where step_id = ? and localizer_id = ? and current = 1",
  ).get(step, localizer) as { id: number; verdict: string; reason: string | null } | undefined;
  if (now && wanted && now.verdict === wanted.verdict && now.reason === wanted.reason) return now.id;
  if (now) {
    statement(db, "delete from reason_fts where rowid = ?").run(now.id);
    statement(db, "update localization set current = 0 where id = ?").run(now.id);
  }
  if (!wanted) return null;
  const id = Number(
    statement(db, "insert into localization (step_id, localizer_id, verdict, reason) values (?, ?, ?, ?)").run(
      step,
      localizer,
      wanted.verdict,
      wanted.reason,
    ).lastInsertRowid,
  );
  if (wanted.reason !== null)
    statement(db, "insert into reason_fts (rowid, reason) values (?, ?)").run(id, wanted.reason);
  return id;
}

/** Labels that people's newest settlement of each taxonomy version asks for, as `type` and why. */
function wantedLabels(rows: readonly Settled[]): { type: number; from: Settled }[] {
  // A newer "not an error at all" takes back the types that were settled before it.
  const right = rows.findIndex((row) => row.verdict === "right");
  const standing = right < 0 ? rows : rows.slice(0, right);
  const seen = new Set<number>();
  return standing.flatMap((row) => {
    if (row.verdict !== "types" || row.taxonomyId === null || seen.has(row.taxonomyId)) return [];
    seen.add(row.taxonomyId);
    return (JSON.parse(row.types ?? "[]") as number[]).map((type) => ({ type, from: row }));
  });
}

/**
 * Brings the labels that people gave a step in line with its current settlements: the newest over all queues says whether
 * it is wrong (localization by `people`), the newest of each taxonomy version which types it has (labels of source person).
 * What rules, models and data sets say is not touched; superseded rows stay, not current. Does nothing the second time. In
 * the transaction of the settlement.
 */
export function relabelStep(db: Db, step: number): void {
  const rows = statement(db, CURRENT).all(step) as Settled[];
  const trajectoryId = trajectoryOf(step);
  const localization = localizeByPeople(db, step, rows[0]);
  const wanted = wantedLabels(rows);
  const now = statement(
    db,
    `select id, error_type_id as type, reason, person_id as personId from label
     where step_id = ? and source = 'person' and current = 1 and carried_from is null`,
  ).all(step) as { id: number; type: number; reason: string | null; personId: number | null }[];
  const kept = (l: (typeof now)[number]) =>
    wanted.some((w) => w.type === l.type && w.from.comment === l.reason && w.from.personId === l.personId);
  for (const old of now.filter((l) => !kept(l)))
    statement(db, "update label set current = 0 where id = @id or (carried_from = @id and current = 1)").run({
      id: old.id,
    });
  if (rows[0] && rows[0].verdict !== "right") addErrorStep(db, trajectoryId, indexOf(step));
  const localizer = localizerId(db, PEOPLE.kind, PEOPLE.name, PEOPLE.version);
  const label = statement(
    db,
    `insert into label (step_id, error_type_id, source, localizer_id, person_id, localization_id, reason)
     values (?, ?, 'person', ?, ?, ?, ?)`,
  );
  for (const { type, from } of wanted)
    if (!now.some((l) => l.type === type && kept(l)))
      label.run(step, type, localizer, from.personId, localization, from.comment);
  lookedAt(db, step, localizer, rows);
  recount(db, trajectoryId);
}

/** Notes under versions that count only what was looked at that people looked at the step. */
function lookedAt(db: Db, step: number, localizer: number, rows: readonly Settled[]): void {
  statement(db, "delete from assignment where step_id = ? and localizer_id = ?").run(step, localizer);
  const assigned = statement(db, `select 1 from taxonomy x where x.id = ? and ${COVERAGE} = 'assigned'`);
  const note = statement(
    db,
    "insert or ignore into assignment (taxonomy_id, step_id, localizer_id, status) values (?, ?, ?, ?)",
  );
  for (const row of rows) {
    if (row.taxonomyId === null || !assigned.get(row.taxonomyId)) continue;
    note.run(row.taxonomyId, step, localizer, (row.types ?? "[]") === "[]" ? "none" : "labelled");
  }
}
