import { z } from "zod";
import { parse } from "@/app/api/reply";
import { bodyOf, replyToRater } from "@/app/api/review/reply";
import { nextView } from "@/app/review/seat-item";
import type { AnsweredView } from "@/app/review/types";
import { one } from "@/db/queries/prepared";
import { getQueue } from "@/lib/review/queue/queue";
import { answerItem, givenSchema } from "@/lib/review/serve/answer";
import { subjectOf } from "@/lib/review/serve/subject";

const body = givenSchema.extend({ inHand: z.array(z.number().int().positive()).max(10).default([]) });

/** Takes an answer and gives what comes next, in one round trip. */
export async function POST(request: Request, { params }: RouteContext<"/api/review/[queue]/answer">) {
  return replyToRater(params, async (db, actor, queueId): Promise<AnsweredView> => {
    const { inHand, ...given } = parse(body, await bodyOf(request));
    const queue = getQueue(db, queueId);
    const item = one<{ id: number }>(
      db,
      "select subject_id as id from review_item where id = ? and queue_id = ?",
      ...[given.itemId, queueId],
    );
    const words = item ? subjectOf(db, queue.question, item.id).words : 0;
    const answered = answerItem(db, actor, queueId, given, { words });
    return { answered, ...nextView(db, actor, queue, inHand) };
  });
}
