import "server-only";
import type { z } from "zod";
import type { Db } from "@/db/client";
import { people } from "@/db/queries/people";
import { queueItems } from "@/db/queries/reviewAnswers";
import { getTaxonomy } from "@/db/queries/taxonomies";
import { statement } from "@/db/statement";
import { type Actor, requireRole } from "@/lib/people/actor";
import { addPerson } from "@/lib/people/add";
import { auditQueue, getQueue, type Queue, ReviewRefused, recordEvent, roundOf } from "@/lib/review/queue/queue";
import { checkAnswer, recount } from "@/lib/review/serve/answer";
import { said, saidKey } from "@/lib/review/settle/standing";
import { answerSchema, type ReviewAnswerInput } from "@/lib/review/types";
import { slugsOf } from "./export";
import { answerLine, headLine, itemLine, settlementLine } from "./format";

export interface BadLine {
  line: number;
  reason: string;
}

/** The person has another answer to the item here: theirs stays, the file's was not taken. */
export interface Conflict {
  line: number;
  item: number;
  person: string;
  here: string;
  file: string;
}

export interface ImportedReview {
  taken: number;
  /** Said here already. */
  present: number;
  /** Items without an answer in the file. */
  open: number;
  /** Settlements in the file: they are not taken over. */
  settlements: number;
  /** People who were new here. */
  people: string[];
  conflicts: Conflict[];
  /** Not empty: nothing was taken. */
  bad: BadLine[];
}

interface Given {
  line: number;
  itemId: number;
  position: number;
  person: string;
  answer: ReviewAnswerInput;
  durationMs: number | null;
  tooFast: boolean;
  guidelineId: number | null;
  createdAt: number;
}

class Bad extends Error {}

/** Why answers given under this head do not belong to the queue; null when they do. */
function strange(db: Db, queue: Queue, head: z.infer<typeof headLine>): string | null {
  if (head.question !== queue.question) return `the file asks "${head.question}", the queue "${queue.question}"`;
  const taxonomy = queue.taxonomyId === null ? undefined : getTaxonomy(db, queue.taxonomyId);
  const [theirs, ours] = [head.taxonomy, taxonomy].map((t) => (t ? `${t.name} ${t.version}` : "no taxonomy"));
  if (theirs !== ours) return `the file is of ${theirs}, the queue of ${ours}: types of one are not those of the other`;
  const guideline = statement(db, "select text from review_guideline where queue_id = ? and version = ?").get(
    queue.id,
    head.guideline.version,
  ) as { text: string } | undefined;
  if (!guideline) return `the queue has no guideline version ${head.guideline.version}`;
  if (guideline.text !== head.guideline.text)
    return `guideline version ${head.guideline.version} of the file says something else than that of the queue`;
  return null;
}

const first = (error: z.ZodError): string => {
  const issue = error.issues[0];
  return `${issue?.path.join(".") || "line"}: ${issue?.message}`;
};

/** Reads one line after the first; what it holds. Throws Bad. */
function readLine(value: unknown) {
  if (typeof value === "object" && value !== null && "settlement" in value) {
    const read = settlementLine.safeParse(value);
    if (!read.success) throw new Bad(first(read.error));
    return { kind: "settlement" as const };
  }
  if (typeof value === "object" && value !== null && "answer" in value) {
    const read = answerLine.safeParse(value);
    if (!read.success) throw new Bad(first(read.error));
    return { kind: "answer" as const, ...read.data.answer };
  }
  const read = itemLine.safeParse(value);
  if (!read.success) throw new Bad(first(read.error));
  const { person, verdict } = read.data;
  if (verdict === null || verdict === undefined) return { kind: "open" as const };
  if (person === null || person === undefined) throw new Bad("person: an answer is always somebody's");
  return {
    kind: "answer" as const,
    ...read.data,
    person,
    verdict,
    round: null,
    tooFast: false,
    guideline: null,
    at: null,
  };
}

/**
 * Takes in answers of people who worked elsewhere: a blind export with its blanks filled in, or another export of the same
 * queue. The first line has to fit the queue: question, taxonomy and guideline version. Any bad line, and nothing is taken;
 * an answer that differs from the same person's here is a conflict, reported and left out. New people become annotators.
 * Throws NotAllowed, and ReviewRefused where the queue takes no answers now or the first line does not fit.
 */
export function importReview(db: Db, actor: Actor, queueId: number, text: string): ImportedReview {
  requireRole(actor, "admin");
  return db.$client
    .transaction((): ImportedReview => {
      const queue = getQueue(db, queueId);
      const round = roundOf(queue);
      if (round === null) throw new ReviewRefused(`${queue.name} takes no answers now: it is ${queue.phase}`, "closed");
      const result: ImportedReview = {
        ...{ taken: 0, present: 0, open: 0, settlements: 0 },
        ...{ people: [], conflicts: [], bad: [] },
      };
      const given = readFile(db, queue, round, text, result);
      if (result.bad.length > 0) return result;
      store(db, actor, queue, round, given, result);
      if (result.taken > 0) {
        const { taken, present, conflicts } = result;
        const details = { taken, present, conflicts: conflicts.length };
        recordEvent(db, { queueId, personId: actor.personId, kind: "import", details });
        auditQueue(db, actor, "import", queueId, details);
      }
      return result;
    })
    .immediate();
}

/** Lines of the file that are answers; counts and bad lines go into `result`. */
function readFile(db: Db, queue: Queue, round: number, text: string, result: ImportedReview): Given[] {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((raw, i) => ({ raw, line: i + 1 }))
    .filter(({ raw }) => raw.trim() !== "");
  const parsed = lines.map(({ raw, line }) => {
    try {
      return { line, value: JSON.parse(raw) as unknown };
    } catch {
      return { line, value: undefined };
    }
  });
  const head = headLine.safeParse(parsed[0]?.value);
  if (!head.success)
    throw new ReviewRefused(`the first line is no head of a review export: ${first(head.error)}`, "wrong-answer");
  const why = strange(db, queue, head.data);
  if (why !== null) throw new ReviewRefused(why, "wrong-answer");
  const items = new Map(queueItems(db, queue.id).map((i) => [i.position, i]));
  const types = new Map([...slugsOf(db, queue.taxonomyId)].map(([id, slug]) => [slug, id]));
  const guideline = statement(db, "select id from review_guideline where queue_id = ? and version = ?");
  const seen = new Map<string, number>();
  return parsed.slice(1).flatMap(({ line, value }): Given[] => {
    try {
      if (value === undefined) throw new Bad("is no JSON");
      const read = readLine(value);
      if (read.kind === "open" || read.kind === "settlement") {
        if (read.kind === "open") result.open++;
        else result.settlements++;
        return [];
      }
      const item = items.get(read.item);
      if (item?.subjectId !== read.subject)
        throw new Bad(
          `item ${read.item} of the queue does not ask about ${read.subject}: the file is of another queue`,
        );
      if (read.round !== null && read.round !== round)
        throw new Bad(`round: an answer of round ${read.round}, and the queue is in round ${round}`);
      const key = `${read.item}\0${read.person.toLowerCase()}`;
      if (seen.has(key))
        throw new Bad(`${read.person} has answered item ${read.item} in line ${seen.get(key)} already`);
      seen.set(key, line);
      const unknown = (read.types ?? []).find((slug) => !types.has(slug));
      if (unknown !== undefined) throw new Bad(`types: there is no type "${unknown}"`);
      const answer = answerSchema.safeParse({
        verdict: read.verdict,
        ...(read.verdict === "types" ? { types: (read.types ?? []).map((slug) => types.get(slug)) } : {}),
        ...(read.reason ? { reason: read.reason } : {}),
      });
      if (!answer.success) throw new Bad(first(answer.error));
      checkAnswer(db, queue, answer.data);
      const version = read.guideline ?? head.data.guideline.version;
      const under = guideline.get(queue.id, version) as { id: number } | undefined;
      if (!under) throw new Bad(`guideline: the queue has no version ${version}`);
      const at = read.at ? Date.parse(read.at) : Number.NaN;
      return [
        {
          ...{ line, itemId: item.id, position: read.item, person: read.person, answer: answer.data },
          durationMs: read.seconds === null || read.seconds === undefined ? null : Math.round(1000 * read.seconds),
          tooFast: read.tooFast === true,
          guidelineId: under.id,
          createdAt: Number.isNaN(at) ? Date.now() : at,
        },
      ];
    } catch (error) {
      if (!(error instanceof Bad) && !(error instanceof ReviewRefused)) throw error;
      result.bad.push({ line, reason: error.message });
      return [];
    }
  });
}

function store(
  db: Db,
  actor: Actor,
  queue: Queue,
  round: number,
  given: readonly Given[],
  result: ImportedReview,
): void {
  const known = new Map(people(db).map((p) => [p.name.toLowerCase(), p.id]));
  const now = statement(
    db,
    "select verdict, types from review_answer where item_id = ? and person_id = ? and round = ? and current = 1",
  );
  const insert = statement(
    db,
    `insert into review_answer (item_id, person_id, round, verdict, types, reason, duration_ms, too_fast, guideline_id, origin, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'import', ?)`,
  );
  for (const { line, itemId, position, person, answer, ...more } of given) {
    let id = known.get(person.toLowerCase());
    if (id === undefined) {
      id = addPerson(db, actor, { name: person, role: "annotator" });
      known.set(person.toLowerCase(), id);
      result.people.push(person);
    }
    const before = now.get(itemId, id, round) as { verdict: string; types: string | null } | undefined;
    const file = said({ verdict: answer.verdict, types: answer.types ?? null });
    if (before) {
      const here = said({ verdict: before.verdict, types: JSON.parse(before.types ?? "[]") as number[] });
      if (saidKey(here) === saidKey(file)) result.present++;
      else result.conflicts.push({ line, item: position, person, here: saidKey(here), file: saidKey(file) });
      continue;
    }
    insert.run(
      ...[itemId, id, round, file.verdict, file.verdict === "types" ? JSON.stringify(file.types) : null],
      ...[answer.reason ?? null, more.durationMs, more.tooFast ? 1 : 0, more.guidelineId, more.createdAt],
    );
    statement(db, "delete from review_claim where item_id = ? and person_id = ?").run(itemId, id);
    recordEvent(db, { queueId: queue.id, itemId, personId: id, kind: "answer", details: { origin: "import", line } });
    recount(db, queue, itemId);
    result.taken++;
  }
}
