import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { one } from "@/db/queries/prepared";
import { getTaxonomy } from "@/db/queries/taxonomies";
import { statement } from "@/db/statement";
import { type Actor, requireRole } from "@/lib/people/actor";
import { drawSchema, goldSchema, QUESTIONS, queueSettings } from "@/lib/review/types";
import { cellsOf } from "./cells";
import { type Drawn, drawItems, spread } from "./draw";
import { catchItems, type KnownItem, knowable, settledItems, someKnown } from "./gold";
import { auditQueue, queueName, ReviewRefused, recordEvent } from "./queue";
import { filterOfSource } from "./reach";
import {
  type About,
  isMeasurement,
  type QueueSource,
  type Subject,
  stratumLabel,
  subjectsOf,
  taxonomyFor,
} from "./source";

/** What a new queue is, apart from where its subjects come from. */
export const newQueueSchema = z.object({
  name: queueName,
  question: z.enum(QUESTIONS),
  /** Version whose types are offered; null: the one in force. */
  taxonomyId: z.number().int().positive().nullable().default(null),
  evaluationId: z.number().int().positive().nullable().default(null),
  raters: z.number().int().min(1).max(50),
  mode: z.enum(["queue", "norming"]).default("queue"),
  draw: drawSchema,
  guideline: z.string().trim().max(50_000).default(""),
  blindToOthers: z.boolean().default(true),
  blindToModel: z.boolean().default(true),
  reason: queueSettings.shape.reason,
  leaseMinutes: queueSettings.shape.leaseMinutes,
  /** Known items to mix in: of those people have settled, of catch trials, and given ones. */
  gold: z.number().int().min(0).max(1000).default(0),
  catches: z.number().int().min(0).max(1000).default(0),
  given: z
    .array(goldSchema.extend({ subjectId: z.number().int().positive() }))
    .max(1000)
    .default([]),
});
export type NewQueue = z.input<typeof newQueueSchema>;
type Parsed = z.output<typeof newQueueSchema>;

/** What a draw would give. */
export interface QueuePlan {
  /** Everything the queue is about. */
  population: number;
  /** Of it, subjects that localizers, judges or reruns say different things of. */
  split: number;
  /** Of it, those that people have settled for this question before. */
  labelled: number;
  /** Items by stratum: in the population and drawn. `label`: the name with its misbehavior by name. */
  strata: { name: string; label: string; population: number; drawn: number }[];
  items: number;
  random: number;
  /** Known items mixed in, and how many there would be. */
  gold: { mixed: number; available: number };
  catches: { mixed: number; available: number };
  /** Answers it takes in all. */
  answers: number;
}

interface Planned extends QueuePlan {
  about: About;
  rows: (Drawn & { known: KnownItem | null })[];
}

function aboutOf(db: Db, input: Parsed): About {
  const taxonomyId = taxonomyFor(db, input.taxonomyId);
  const { question, evaluationId } = input;
  if (question === "types" && getTaxonomy(db, taxonomyId)?.status !== "done")
    throw new ReviewRefused(`there is no finished taxonomy version ${taxonomyId} to take types from`, "not-found");
  if (question === "window" && (evaluationId === null || !isMeasurement(db, evaluationId)))
    throw new ReviewRefused("windows come from a measurement of misbehavior rates; name one", "not-found");
  return { question, taxonomyId, evaluationId };
}

function knownItems(db: Db, input: Parsed, about: About) {
  for (const { verdict } of input.given)
    if (!knowable(about.question, { verdict }))
      throw new ReviewRefused(`"${verdict}" is no known answer to this question`, "wrong-answer");
  const given = input.given.map(({ subjectId, ...answer }): KnownItem => ({ subjectId, kind: "gold", answer }));
  const there = new Set(
    given.length === 0
      ? []
      : subjectsOf(db, { kind: "ids", ids: given.map((g) => g.subjectId) }, about).map((s) => s.subjectId),
  );
  const missing = given.find((g) => !there.has(g.subjectId));
  if (missing) throw new ReviewRefused(`there is nothing with the id ${missing.subjectId} to ask about`, "not-found");
  const settled = settledItems(db, about);
  const trials = catchItems(db, about);
  return { given, settled, trials };
}

function plan(db: Db, source: QueueSource, input: Parsed, without: ReadonlySet<number> = new Set()): Planned {
  const about = aboutOf(db, input);
  const { given, settled, trials } = knownItems(db, input, about);
  const gold = someKnown(settled, input.gold, input.draw.seed);
  const catches = someKnown(trials, input.catches, input.draw.seed);
  const known = new Map([...catches, ...gold, ...given].map((item) => [item.subjectId, item]));
  const population = subjectsOf(db, source, about);
  const open: Subject[] = population.filter((s) => !without.has(s.subjectId) && !known.has(s.subjectId));
  const drawn = drawItems(open, input.draw, cellsOf(db, population, about));
  const strata = new Map<string, { population: number; drawn: number }>();
  const count = (name: string, what: "population" | "drawn") => {
    const of = strata.get(name) ?? { population: 0, drawn: 0 };
    of[what]++;
    strata.set(name, of);
  };
  for (const { stratum } of population) count(stratum, "population");
  for (const { stratum } of drawn) count(stratum, "drawn");
  const rows = spread(
    drawn.map((d) => ({ ...d, known: null as KnownItem | null })),
    [...known.values()]
      .filter((k) => !without.has(k.subjectId))
      .map((k) => ({ subjectId: k.subjectId, stratum: k.kind, random: false, known: k })),
  );
  return {
    about,
    rows,
    population: population.length,
    split: population.filter((s) => s.split).length,
    labelled: population.filter((s) => s.labelled).length,
    strata: [...strata]
      .map(([name, n]) => ({ name, label: stratumLabel(db, about, name), ...n }))
      .sort((a, b) => b.population - a.population),
    items: rows.length,
    random: rows.filter((r) => r.random).length,
    gold: { mixed: rows.filter((r) => r.known?.kind === "gold").length, available: settled.length },
    catches: { mixed: rows.filter((r) => r.known?.kind === "catch").length, available: trials.length },
    answers: rows.length * input.raters,
  };
}

/** What creating would draw, with nothing written. Throws NotAllowed and ReviewRefused. */
export function planQueue(db: Db, actor: Actor, source: QueueSource, input: NewQueue): QueuePlan {
  requireRole(actor, "admin");
  const { about: _, rows: __, ...said } = plan(db, source, newQueueSchema.parse(input));
  return said;
}

function writeItems(db: Db, queueId: number, from: number, rows: Planned["rows"]): void {
  const insert = statement(
    db,
    "insert into review_item (queue_id, position, subject_id, stratum, random, gold, gold_kind) values (?, ?, ?, ?, ?, ?, ?)",
  );
  rows.forEach(({ subjectId, stratum, random, known }, i) => {
    insert.run(
      ...[queueId, from + i, subjectId, stratum, random ? 1 : 0],
      known ? JSON.stringify(known.answer) : null,
      known?.kind ?? null,
    );
  });
}

/**
 * Makes a queue: draws its items, writes them in the order they are given out, its first guideline, the event and the audit
 * row, in one transaction. Throws NotAllowed, and ReviewRefused when there is nothing to ask about or the name is taken.
 */
export function createQueue(
  db: Db,
  actor: Actor,
  source: QueueSource,
  given: NewQueue,
): { queueId: number } & Pick<QueuePlan, "items" | "random" | "gold" | "catches"> {
  requireRole(actor, "admin");
  const input = newQueueSchema.parse(given);
  return db.$client
    .transaction(() => {
      if (one(db, "select 1 as taken from review_queue where name = ?", input.name))
        throw new ReviewRefused(`a queue named "${input.name}" is there already; give it another name`);
      const { rows, about, random, gold, catches } = plan(db, source, input);
      if (rows.length === 0) throw new ReviewRefused("nothing was drawn: the filter or the strategy leaves no item");
      const { blindToOthers, blindToModel, reason, leaseMinutes } = input;
      const draw = { ...input.draw, filter: { ...filterOfSource(source), ...input.draw.filter } };
      const queueId = Number(
        statement(
          db,
          `insert into review_queue (name, question, taxonomy_id, evaluation_id, raters, settings, mode, phase, created_by)
           values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(
          ...[input.name, input.question, input.question === "types" ? about.taxonomyId : null],
          ...[input.question === "window" ? about.evaluationId : null, input.raters],
          JSON.stringify(queueSettings.parse({ draw, blindToOthers, blindToModel, reason, leaseMinutes })),
          ...[input.mode, input.mode === "norming" ? "blind" : "open", actor.personId],
        ).lastInsertRowid,
      );
      writeItems(db, queueId, 1, rows);
      statement(db, "insert into review_guideline (queue_id, version, text, person_id) values (?, 1, ?, ?)").run(
        ...[queueId, input.guideline, actor.personId],
      );
      const details = { items: rows.length, random, draw, by: source.kind };
      recordEvent(db, { queueId, personId: actor.personId, kind: "create", details });
      auditQueue(db, actor, "create", queueId, { name: input.name, ...details });
      return { queueId, items: rows.length, random, gold, catches };
    })
    .immediate();
}

export { plan as planItems, writeItems };
