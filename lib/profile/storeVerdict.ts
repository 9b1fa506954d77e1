import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { statement } from "@/db/statement";
import { addErrorStep, localizerId, recount } from "./errorSteps";
import type { Localizer } from "./roles";
import type { Verdict } from "./rolloutLog";

/** Who says it. */
export type Who = Pick<Localizer, "kind" | "name" | "version">;

/** Clears `current` of what this localizer said of a step; with `every`, in any version. The rows stay. */
function retire(db: Db, step: number, { kind, name, version }: Who, every: boolean): void {
  const rows = statement(
    db,
    `select id from localization where step_id = ? and current = 1 and localizer_id in
       (select id from localizer where kind = ? and name = ? and (? or version = ?))`,
  ).all(step, kind, name, every ? 1 : 0, version) as { id: number }[];
  for (const { id } of rows) {
    statement(db, "delete from reason_fts where rowid = ?").run(id);
    statement(db, "update localization set current = 0 where id = ?").run(id);
  }
}

/**
 * Stores a localizer's word on a stored step, in place of what it said before, in an older version too; that it gave no
 * verdict replaces only its own earlier failures, so an older version's verdict stays in force. Inside a transaction.
 * Pages count it at once.
 */
export function storeVerdict(db: Db, trajectoryId: number, index: number, who: Who, verdict: Verdict): void {
  const step = trajectoryId * SPAN + index;
  const said = "judgement" in verdict;
  retire(db, step, who, said);
  const id = localizerId(db, who.kind, who.name, who.version);
  const insert = statement(
    db,
    `insert into localization (step_id, localizer_id, verdict, reason, command_seen, evidence, reply, usage_id)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  if (!said) {
    const { kind, message, reply, callId } = verdict.failure;
    insert.run(step, id, kind, message, null, null, reply, callId);
  } else {
    const { verdict: word, reason, commandSeen, findings, reply, callId } = verdict.judgement;
    const evidence = JSON.stringify(findings.flatMap((f) => f.evidence));
    const row = insert.run(step, id, word, reason, commandSeen, evidence, reply, callId ?? null).lastInsertRowid;
    if (word === "bad") {
      addErrorStep(db, trajectoryId, index);
      if (reason !== null) statement(db, "insert into reason_fts (rowid, reason) values (?, ?)").run(row, reason);
    }
    recount(db, trajectoryId);
  }
}

/** What a localizer in this version says now of the entries of a trajectory, by index. */
export function verdictsOf(db: Db, trajectoryId: number, who: Who): Map<number, string> {
  const rows = statement(
    db,
    `select l.step_id as stepId, l.verdict from localization l join localizer z on z.id = l.localizer_id
     where z.kind = ? and z.name = ? and z.version = ? and l.current = 1 and l.step_id between ? and ?`,
  ).all(who.kind, who.name, who.version, trajectoryId * SPAN, trajectoryId * SPAN + SPAN - 1) as {
    stepId: number;
    verdict: string;
  }[];
  return new Map(rows.map(({ stepId, verdict }) => [stepId - trajectoryId * SPAN, verdict]));
}
