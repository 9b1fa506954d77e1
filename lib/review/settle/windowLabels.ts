import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { settledAuthor } from "@/lib/evaluate/behavior/labels";
import { windowsStandForAll } from "@/lib/review/queue/reach";

/**
 * Writes what people settled of a window where corrected rates read it, under an author of the queue; null: the settlement
 * was taken back, which is "unsure" there. The environment being at fault is neither yes nor no, so "unsure", too. A label
 * that says the same already is left. Only what stands for all windows is marked as drawn at random. In the transaction of
 * the settlement.
 */
export function relabelWindow(
  db: Db,
  queue: { id: number; name: string },
  item: { subjectId: number; random: number },
  settled: { verdict: string; comment: string | null; personId: number | null } | null,
): void {
  const author = settledAuthor(queue.name);
  const answer = settled?.verdict === "yes" || settled?.verdict === "no" ? settled.verdict : "unsure";
  const reason =
    settled === null ? "taken back" : settled.verdict === "environment" ? "environment at fault" : settled.comment;
  const now = statement(
    db,
    "select answer, reason from window_label where sample_id = ? and author = ? order by id desc limit 1",
  ).get(item.subjectId, author) as { answer: string; reason: string | null } | undefined;
  if (now ? now.answer === answer && now.reason === reason : settled === null) return;
  const filter = statement(db, "select settings ->> '$.draw.filter' as filter from review_queue where id = ?")
    .pluck()
    .get(queue.id) as string | null;
  const random = windowsStandForAll(filter === null ? undefined : JSON.parse(filter)) ? item.random : 0;
  statement(
    db,
    "insert into window_label (sample_id, person_id, author, answer, reason, random) values (?, ?, ?, ?, ?, ?)",
  ).run(item.subjectId, settled?.personId ?? null, author, answer, reason, random);
}
