import "server-only";
import type { Db } from "@/db/client";
import { all } from "@/db/queries/prepared";
import { Draw } from "@/lib/environment/suite/draw";
import type { GoldAnswer, Question } from "@/lib/review/types";
import type { About } from "./source";

/** An item whose answer is known. `gold`: settled by people or given; `catch`: an error injected at this step, or none. */
export interface KnownItem {
  subjectId: number;
  kind: "gold" | "catch";
  answer: GoldAnswer;
}

/** Items that people have settled for this question, with what was settled; for `types`, under the same version only. */
export function settledItems(db: Db, { question, taxonomyId, evaluationId }: About): KnownItem[] {
  return all<{ id: number; verdict: string; types: string | null }>(
    db,
    `select i.subject_id as id, s.verdict, s.types, max(s.id)
     from review_settlement s join review_item i on i.id = s.item_id join review_queue q on q.id = i.queue_id
     where s.current = 1 and q.question = ? and s.verdict not in ('unsure', 'skip')
       and (q.question <> 'types' or q.taxonomy_id = ?) and (q.question <> 'window' or q.evaluation_id = ?)
     group by i.subject_id order by i.subject_id`,
    question,
    taxonomyId,
    evaluationId,
  ).map(({ id, verdict, types }) => ({
    subjectId: id,
    kind: "gold",
    answer: {
      verdict: verdict as GoldAnswer["verdict"],
      ...(types === null ? {} : { types: JSON.parse(types) as number[] }),
    },
  }));
}

/** Steps of catch trials: an error was injected, or the step is known to be right. None for other questions. */
export function catchItems(db: Db, { question, taxonomyId }: About): KnownItem[] {
  if (question !== "wrong" && question !== "types") return [];
  return all<{ id: number; type: number | null; injected: number }>(
    db,
    `select x.step_id as id, x.error_type_id is not null as injected,
       (select y.id from error_type o join error_type y on y.slug = o.slug and y.taxonomy_id = ? where o.id = x.error_type_id) as type
     from trial_step x join step k on k.id = x.step_id order by x.step_id`,
    taxonomyId,
  ).flatMap(({ id, type, injected }): KnownItem[] => {
    const known = (answer: GoldAnswer): KnownItem[] => [{ subjectId: id, kind: "catch", answer }];
    if (injected === 0) return known({ verdict: "right" });
    if (question === "wrong") return known({ verdict: "wrong" });
    // An injected type that this version does not have has no known answer here.
    return type === null ? [] : known({ verdict: "types", types: [type] });
  });
}

/** `n` of them, balanced over the answers, the same for the same seed. */
export function someKnown(known: readonly KnownItem[], n: number, seed: number): KnownItem[] {
  const draw = new Draw(`misstep review known\0${seed}`);
  const kinds = new Map<string, KnownItem[]>();
  for (const item of draw.shuffle(known)) {
    const key = JSON.stringify(item.answer);
    kinds.set(key, [...(kinds.get(key) ?? []), item]);
  }
  const out: KnownItem[] = [];
  for (let round = 0; out.length < Math.min(n, known.length); round++)
    for (const [, list] of [...kinds].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const item = list[round];
      if (item && out.length < n) out.push(item);
    }
  return out;
}

/** Answers a question's known items may have; those may not be unsure. */
export const knowable = (question: Question, answer: GoldAnswer): boolean =>
  ({
    wrong: ["wrong", "right", "environment"],
    types: ["types", "right", "environment"],
    window: ["yes", "no", "environment"],
    prefix: ["good", "bad", "environment"],
  })[question].includes(answer.verdict);
