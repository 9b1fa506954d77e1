import "server-only";
import type { Db } from "@/db/client";
import { currentAnswers, queueItems } from "@/db/queries/reviewAnswers";
import { getTaxonomy } from "@/db/queries/taxonomies";
import { statement } from "@/db/statement";
import { type Actor, requireRole } from "@/lib/people/actor";
import { getQueue, newestGuideline, type Queue, recordEvent } from "@/lib/review/queue/queue";
import { ANYWHERE, VERDICTS } from "@/lib/review/types";
import type { AnswerLine, HeadLine, ItemLine, SettlementLine } from "./format";
import { itemText } from "./text";

/** Slugs of a taxonomy version's types by id. */
export const slugsOf = (db: Db, taxonomyId: number | null): Map<number, string> =>
  new Map(
    (
      statement(db, "select id, slug from error_type where taxonomy_id = ?").all(taxonomyId ?? 0) as {
        id: number;
        slug: string;
      }[]
    ).map((t) => [t.id, t.slug]),
  );

/** The first line of a queue's file. */
export function headOf(db: Db, queue: Queue): HeadLine {
  const taxonomy = queue.taxonomyId === null ? undefined : getTaxonomy(db, queue.taxonomyId);
  const guideline = newestGuideline(db, queue.id);
  const types = statement(
    db,
    "select slug, name, definition from error_type where taxonomy_id = ? and status <> 'retired' order by rank, id",
  ).all(queue.taxonomyId ?? 0) as { slug: string; name: string; definition: string }[];
  return {
    ...{ misstep: "review", format: 1, queue: queue.name, question: queue.question },
    taxonomy: taxonomy ? { name: taxonomy.name, version: taxonomy.version, types } : null,
    guideline: { version: guideline?.version ?? 0, text: guideline?.text ?? "" },
    verdicts: [...VERDICTS[queue.question], ...ANYWHERE],
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * A queue as JSON lines: head, items, answers, settlements. `blind`: head and items only, each with its text and with
 * nothing that anybody said; known answers are in neither. Noted in the queue's events. Throws NotAllowed, ReviewRefused.
 */
export function* exportReview(db: Db, actor: Actor, queueId: number, { blind }: { blind: boolean }): Generator<object> {
  requireRole(actor, "admin");
  const queue = getQueue(db, queueId);
  const items = queueItems(db, queueId);
  recordEvent(db, { queueId, personId: actor.personId, kind: "export", details: { blind, items: items.length } });
  yield headOf(db, queue);
  const slugs = slugsOf(db, queue.taxonomyId);
  const named = (types: readonly number[]) => types.map((id) => slugs.get(id) ?? String(id));
  for (const { position, subjectId } of items) {
    const own = { item: position, subject: subjectId };
    if (!blind) yield own;
    else
      yield {
        ...own,
        ...itemText(db, queue.question, subjectId),
        ...{ person: null, verdict: null, types: null, reason: null, seconds: null },
      } satisfies ItemLine;
  }
  if (blind) return;
  const place = new Map(items.map((i) => [i.id, { item: i.position, subject: i.subjectId }]));
  const versions = new Map(
    (
      statement(db, "select id, version from review_guideline where queue_id = ?").all(queueId) as {
        id: number;
        version: number;
      }[]
    ).map((g) => [g.id, g.version]),
  );
  const under = statement(db, "select guideline_id as id from review_answer where id = ?");
  for (const a of currentAnswers(db, queueId))
    yield {
      answer: {
        ...(place.get(a.itemId) as { item: number; subject: number }),
        ...{ person: a.person, round: a.round, verdict: a.verdict, reason: a.reason },
        types: a.verdict === "types" ? named(a.types) : null,
        seconds: a.durationMs === null ? null : a.durationMs / 1000,
        tooFast: a.tooFast === 1,
        guideline: versions.get((under.get(a.id) as { id: number | null }).id ?? 0) ?? null,
        at: iso(a.createdAt),
      },
    } satisfies AnswerLine;
  for (const i of items) {
    if (i.settlementId === null) continue;
    yield {
      settlement: {
        ...{ item: i.position, subject: i.subjectId, verdict: i.verdict as string, method: i.method as string },
        types: i.verdict === "types" ? named(i.types) : null,
        ...{ comment: i.comment, person: i.settledBy, at: iso(i.settledAt as number) },
      },
    } satisfies SettlementLine;
  }
}
