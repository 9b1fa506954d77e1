import { type Db, openMemoryDb } from "@/db/client";
import type { Actor } from "@/lib/people/actor";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import type { Question } from "./types";

/** An index for tests with the built-in types and three people: 1 ada, 2 bob, 3 lea (admin). */
export function reviewIndex(): Db {
  const db = openMemoryDb();
  seedBuiltinTypes(db);
  const person = db.$client.prepare("insert into person (id, name, role) values (?, ?, ?)");
  person.run(1, "ada", "annotator");
  person.run(2, "bob", "annotator");
  person.run(3, "lea", "admin");
  return db;
}

export const LEAD: Actor = { personId: 3, name: "lea", role: "admin" };
export const ADA: Actor = { personId: 1, name: "ada", role: "annotator" };

/** A queue over these subjects, its items in order. Returns its id; items have ids queue * 100 + position. */
export function makeQueue(
  db: Db,
  question: Question,
  subjects: readonly number[],
  over: { raters?: number; mode?: string; phase?: string; evaluationId?: number; random?: number } = {},
): number {
  const { raters = 2, mode = "queue", phase = "open", evaluationId = null, random = 0 } = over;
  const settings = { draw: { strategy: "all", n: Math.max(1, subjects.length) } };
  const id = Number(
    db.$client
      .prepare(
        "insert into review_queue (name, question, taxonomy_id, evaluation_id, raters, settings, mode, phase) values (?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        `queue ${question} ${subjects.join(" ").slice(0, 40)} ${mode} ${phase}`,
        question,
        question === "types" ? 1 : null,
        evaluationId,
        raters,
        JSON.stringify(settings),
        mode,
        phase,
      ).lastInsertRowid,
  );
  const guideline = db.$client.prepare("insert into review_guideline (queue_id, version, text) values (?, 1, 'Look.')");
  guideline.run(id);
  const item = db.$client.prepare(
    "insert into review_item (id, queue_id, position, subject_id, random) values (?, ?, ?, ?, ?)",
  );
  subjects.forEach((subject, i) => {
    item.run(id * 100 + i + 1, id, i + 1, subject, random);
  });
  return id;
}

/** Stores an answer as the service does: the counters of its item follow. */
export function answer(
  db: Db,
  item: number,
  person: number,
  verdict: string,
  over: { types?: number[]; round?: number; reason?: string; durationMs?: number; tooFast?: 0 | 1 } = {},
): void {
  const { types, round = 1, reason = null, durationMs = 5000, tooFast = 0 } = over;
  db.$client
    .prepare(
      "insert into review_answer (item_id, person_id, round, verdict, types, reason, duration_ms, too_fast) values (?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .run(item, person, round, verdict, types ? JSON.stringify(types) : null, reason, durationMs, tooFast);
  if (verdict === "skip" || round > 1) return;
  db.$client
    .prepare(
      `update review_item set answers = answers + 1,
         status = case when answers + 1 >= (select raters from review_queue where id = queue_id) then 'answered' else status end where id = ?`,
    )
    .run(item);
}
