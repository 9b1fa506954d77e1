import "server-only";
import type { Db } from "@/db/client";
import { indexOf, trajectoryOf } from "@/db/ids";
import { type CorrectionView, correctionsOf } from "@/db/queries/corrections";
import { all, one } from "@/db/queries/prepared";
import { type Flag, flagsOf } from "@/db/queries/reader-flags";
import { type Actor, requireRole } from "@/lib/people/actor";
import { maySee } from "@/lib/review/blind";
import { getQueue, recordEvent } from "@/lib/review/queue/queue";
import { itemOf } from "./claim";

/** What another person said. */
export interface OthersAnswer {
  name: string;
  verdict: string;
  types: string[];
  reason: string | null;
  round: number;
  createdAt: number;
}

/** What models and rules said of an item's subject. */
export interface ModelWord {
  /** Localizers and annotators, of a step or of the step after a prefix. */
  flag: Flag | null;
  corrections: CorrectionView[];
  /** Judges, of a window. */
  verdicts: { judge: string; answer: string; reason: string | null }[];
  /** The rerun check, of a prefix. */
  rerun: { status: string; exact: number; reruns: number; cause: string | null } | null;
}

/** null: not to be seen (yet). */
export interface Revealed {
  others: OthersAnswer[] | null;
  model: ModelWord | null;
  settled: { verdict: string; types: string[]; comment: string | null } | null;
}

const typeNames = (db: Db, types: string | null): string[] =>
  types === null
    ? []
    : all<{ name: string }>(
        db,
        "select y.name from json_each(?) v join error_type y on y.id = v.value order by y.rank, y.id",
        types,
      ).map((t) => t.name);

function othersOf(db: Db, itemId: number, personId: number | null): OthersAnswer[] {
  return all<Omit<OthersAnswer, "types"> & { types: string | null }>(
    db,
    `select p.name, a.verdict, a.types, a.reason, a.round, a.created_at as createdAt
     from review_answer a join person p on p.id = a.person_id
     where a.item_id = ? and a.current = 1 and a.person_id is not ? and a.verdict <> 'skip' order by a.round, a.id`,
    itemId,
    personId,
  ).map((row) => ({ ...row, types: typeNames(db, row.types) }));
}

function stepWord(db: Db, stepId: number): Pick<ModelWord, "flag" | "corrections"> {
  const flag = flagsOf(db, trajectoryOf(stepId)).find((f) => f.entry === indexOf(stepId));
  return {
    // People's labels are people's word, which `settled` tells.
    flag: flag ? { ...flag, labels: flag.labels.filter((l) => l.source !== "person") } : null,
    corrections: correctionsOf(db, stepId),
  };
}

function modelWord(db: Db, question: string, subjectId: number): ModelWord {
  const none = { flag: null, corrections: [], verdicts: [], rerun: null };
  if (question === "window")
    return {
      ...none,
      verdicts: all(
        db,
        "select judge, answer, reason from behavior_verdict where sample_id = ? order by judge",
        subjectId,
      ),
    };
  if (question !== "prefix") return { ...none, ...stepWord(db, subjectId) };
  const prefix = one<{ stepId: number; status: string; exact: number; reruns: number; cause: string | null }>(
    db,
    "select step_id as stepId, status, exact, reruns, cause from prefix where id = ?",
    subjectId,
  );
  if (!prefix) return none;
  const { stepId, ...rerun } = prefix;
  return { ...none, ...stepWord(db, stepId), rerun };
}

/**
 * What others and models say of an item, as far as the acting person may see it now: after the own answer, or before it
 * where the queue is not blind to it. Gold is never among it. The first look is an event, so that an answer changed after
 * it can be told. Throws NotAllowed and ReviewRefused.
 */
export function revealed(db: Db, actor: Actor, queueId: number, itemId: number): Revealed {
  requireRole(actor, "annotator");
  const queue = getQueue(db, queueId);
  const item = itemOf(db, queueId, itemId);
  const sees = maySee(db, actor, itemId);
  const { blindToOthers, blindToModel } = queue.settings;
  const settled = sees
    ? one<{ verdict: string; types: string | null; comment: string | null }>(
        db,
        "select verdict, types, comment from review_settlement where item_id = ? and current = 1",
        itemId,
      )
    : undefined;
  const out: Revealed = {
    others: sees || !blindToOthers ? othersOf(db, itemId, actor.personId) : null,
    model: sees || !blindToModel ? modelWord(db, queue.question, item.subjectId) : null,
    settled: settled ? { ...settled, types: typeNames(db, settled.types) } : null,
  };
  if (actor.personId !== null && (out.others !== null || out.model !== null))
    noteReveal(db, queueId, itemId, actor.personId);
  return out;
}

function noteReveal(db: Db, queueId: number, itemId: number, personId: number): void {
  db.$client
    .transaction(() => {
      const before = one(
        db,
        "select 1 as seen from review_event where person_id = ? and item_id = ? and kind = 'reveal' limit 1",
        personId,
        itemId,
      );
      if (!before) recordEvent(db, { queueId, itemId, personId, kind: "reveal" });
    })
    .immediate();
}
