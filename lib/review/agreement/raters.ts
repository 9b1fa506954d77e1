import { quantile } from "simple-statistics";
import type { AnswerRow } from "@/db/queries/reviewAnswers";
import { groupBy } from "@/lib/evaluate/groupBy";
import { type Counted, counted } from "./gold";
import { categoryOf } from "./ratings";

/** One rater's work and how far they agree with the others. */
export interface RaterRow {
  personId: number;
  person: string;
  answers: number;
  skipped: number;
  unsure: number;
  environment: number;
  /** Of their answers with a known time, seconds; null where none has one. */
  medianSeconds: number | null;
  /** Answers given faster than their text can be read, of those with a known time. */
  tooFast: Counted;
  /** Came from a file. */
  imported: number;
  /** Pairs of one of their answers with another's to the same item that are the same. */
  withOthers: Counted;
}

/** Pairs of an answer of one person with every other's to the same item; the interval is not of independent trials. */
function pairsOf(answers: readonly AnswerRow[], all: Map<number, AnswerRow[]>): { same: number; of: number } {
  let same = 0;
  let of = 0;
  for (const answer of answers)
    for (const other of all.get(answer.itemId) ?? []) {
      if (other.personId === answer.personId) continue;
      of++;
      if (categoryOf(other) === categoryOf(answer)) same++;
    }
  return { same, of };
}

const given = (answers: readonly AnswerRow[]) => answers.filter((a) => a.verdict !== "skip");

/** Raters by how much they answered. */
export function ratersOf(answers: readonly AnswerRow[]): RaterRow[] {
  const all = groupBy(given(answers), (a) => a.itemId);
  const rows = [...groupBy(answers, (a) => a.personId).values()].map((own): RaterRow => {
    const first = own[0] as AnswerRow;
    const timed = own.filter((a) => a.durationMs !== null);
    const { same, of } = pairsOf(given(own), all);
    const saying = (verdict: string) => own.filter((a) => a.verdict === verdict).length;
    return {
      personId: first.personId,
      person: first.person,
      answers: given(own).length,
      skipped: saying("skip"),
      unsure: saying("unsure"),
      environment: saying("environment"),
      medianSeconds:
        timed.length === 0
          ? null
          : quantile(
              timed.map((a) => (a.durationMs as number) / 1000),
              0.5,
            ),
      tooFast: counted(timed.filter((a) => a.tooFast === 1).length, timed.length),
      imported: own.filter((a) => a.origin === "import").length,
      withOthers: { ...counted(same, of), interval: null },
    };
  });
  return rows.sort((a, b) => b.answers - a.answers || a.personId - b.personId);
}

/** Agreement in one stretch of the work. */
export interface DriftPoint {
  /** 1 to `parts`, in the order the answers were given. */
  part: number;
  /** Share of pairs that agree; null without a pair. */
  share: number | null;
  pairs: number;
}

const PARTS = 10;

/**
 * Agreement with the others over a rater's own work, in tenths of their answers in the order they were given. A rater with
 * fewer than ten answers that somebody else answered, too, has no line.
 */
export function driftOf(answers: readonly AnswerRow[]): { personId: number; person: string; points: DriftPoint[] }[] {
  const all = groupBy(given(answers), (a) => a.itemId);
  return [...groupBy(given(answers), (a) => a.personId).values()].flatMap((own) => {
    const shared = own.filter((a) => (all.get(a.itemId)?.length ?? 0) > 1).sort((a, b) => a.id - b.id);
    if (shared.length < PARTS) return [];
    const { personId, person } = own[0] as AnswerRow;
    const points = Array.from({ length: PARTS }, (_, i): DriftPoint => {
      const from = Math.floor((i * shared.length) / PARTS);
      const { same, of } = pairsOf(shared.slice(from, Math.floor(((i + 1) * shared.length) / PARTS)), all);
      return { part: i + 1, share: of === 0 ? null : same / of, pairs: of };
    });
    return [{ personId, person, points }];
  });
}
