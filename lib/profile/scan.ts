import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { statement } from "@/db/statement";
import { loadSteps } from "@/lib/trajectory/load";
import type { FormatId } from "@/lib/trajectory/types";
import { judgedBeforeRun } from "./agent";
import { BUILTIN_TAXONOMY } from "./builtin";
import { addErrorStep, localizerId, recount } from "./errorSteps";
import { type LiveType, liveTypes } from "./liveTypes";
import { RULES_NAME } from "./roles/rulesLocalizer";
import { type Finding, localize, RULES_VERSION } from "./rules";

/** Ids of the eight misbehaviors by slug. */
export function errorTypeIds(db: Db): Map<string, number> {
  const rows = db.$client
    .prepare<[string], { id: number; slug: string }>(
      "select e.id, e.slug from error_type e join taxonomy t on t.id = e.taxonomy_id where t.name = ? and t.version = 1",
    )
    .all(BUILTIN_TAXONOMY);
  return new Map(rows.map((r) => [r.slug, r.id]));
}

/** Clears `current` of what earlier rule versions said about a trajectory. The rows stay; labels of people are not touched. */
function retireRules(db: Db, trajectoryId: number, types: readonly LiveType[]): void {
  const s = db.$client;
  const range = { from: trajectoryId * SPAN, to: trajectoryId * SPAN + SPAN - 1 };
  const byRules =
    "step_id between @from and @to and current = 1 and localizer_id in (select id from localizer where kind = 'rule')";
  s.prepare(`delete from reason_fts where rowid in (select id from localization where ${byRules})`).run(range);
  s.prepare(`update localization set current = 0 where ${byRules}`).run(range);
  // Versions that take no new findings keep what they say: their numbers can be had again.
  s.prepare(
    `update label set current = 0 where step_id between @from and @to and current = 1 and source = 'rule'
       and error_type_id in (select value from json_each(@types))`,
  ).run({ ...range, types: JSON.stringify(types.map((t) => t.id)) });
}

function storeFinding(db: Db, trajectoryId: number, localizer: number, types: readonly LiveType[], f: Finding): void {
  const step = trajectoryId * SPAN + f.step;
  addErrorStep(db, trajectoryId, f.step);
  const id = statement(
    db,
    "insert into localization (step_id, localizer_id, verdict, reason, command_seen, evidence) values (?, ?, 'bad', ?, ?, ?)",
  ).run(step, localizer, f.reason, f.commandSeen, JSON.stringify(f.evidence)).lastInsertRowid;
  statement(db, "insert into reason_fts (rowid, reason) values (?, ?)").run(id, f.reason);
  for (const type of types) {
    if (!type.detectors.includes(f.misbehavior)) continue;
    statement(
      db,
      `insert into label (step_id, error_type_id, source, localizer_id, localization_id, reason)
       select @step, @type, 'rule', @localizer, @id, @reason
       where not exists (select 1 from label where step_id = @step and error_type_id = @type and current = 1 and source = 'rule')`,
    ).run({ step, type: type.id, localizer, id, reason: f.reason });
    if (type.assigned)
      statement(
        db,
        `insert into assignment (taxonomy_id, step_id, localizer_id, status) values (?, ?, ?, 'labelled')
         on conflict do update set status = 'labelled'`,
      ).run(type.taxonomyId, step, localizer);
  }
}

/**
 * Stores what the rule localizer found in a trajectory, in place of what earlier versions found. Each finding labels the
 * types of every live taxonomy version whose detector made it. Inside a transaction.
 */
export function storeFindings(db: Db, trajectoryId: number, findings: readonly Finding[], isNew: boolean): void {
  const types = findings.length > 0 || !isNew ? liveTypes(db) : [];
  if (!isNew) retireRules(db, trajectoryId, types);
  // Also without findings: that the rules looked and found nothing is a statement, too.
  const localizer = localizerId(db, "rule", RULES_NAME, RULES_VERSION);
  if (findings.length > 0) {
    const known = new Set(types.flatMap((t) => t.detectors));
    for (const f of findings) {
      if (!known.has(f.misbehavior))
        throw new Error(`the index has no misbehavior "${f.misbehavior}"; start Misstep again to add it`);
      storeFinding(db, trajectoryId, localizer, types, f);
    }
  }
  statement(db, "update trajectory set rules_version = ? where id = ?").run(RULES_VERSION, trajectoryId);
  if (findings.length > 0 || !isNew) recount(db, trajectoryId);
}

/** Scans a stored trajectory with the present rules. Call inside a transaction. Returns the number of findings. */
export function scanTrajectory(db: Db, trajectoryId: number): number {
  const of = statement(db, "select format, agent from trajectory where id = ?").get(trajectoryId) as
    | { format: FormatId; agent: string | null }
    | undefined;
  const findings = localize(loadSteps(db, trajectoryId), { beforeRun: of !== undefined && judgedBeforeRun(of) });
  storeFindings(db, trajectoryId, findings, false);
  return findings.length;
}
