import { bodyOf, replyToRater } from "@/app/api/review/reply";
import { seatItem } from "@/app/review/seat-item";
import { getQueue } from "@/lib/review/queue/queue";
import { undoLast } from "@/lib/review/serve/answer";
import { progressOf } from "@/lib/review/serve/progress";

/** Takes back the caller's last answer; its item is in their hands again. `undone` null: there was none. */
export async function POST(request: Request, { params }: RouteContext<"/api/review/[queue]/undo">) {
  return replyToRater(params, async (db, actor, queueId) => {
    await bodyOf(request);
    const undone = undoLast(db, actor, queueId);
    const progress = progressOf(db, getQueue(db, queueId), actor.personId ?? 0);
    if (!undone) return { undone: null, item: null, progress };
    return { undone, item: seatItem(db, actor, queueId, undone.itemId, Date.now()), progress };
  });
}
