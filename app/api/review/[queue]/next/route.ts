import { z } from "zod";
import { parse } from "@/app/api/reply";
import { bodyOf, replyToRater } from "@/app/api/review/reply";
import { nextView } from "@/app/review/seat-item";
import { getQueue } from "@/lib/review/queue/queue";

const body = z.object({ inHand: z.array(z.number().int().positive()).max(10).default([]) });

/** Claims the next item. `inHand`: items the page holds already. */
export async function POST(request: Request, { params }: RouteContext<"/api/review/[queue]/next">) {
  return replyToRater(params, async (db, actor, queueId) => {
    const { inHand } = parse(body, await bodyOf(request));
    return nextView(db, actor, getQueue(db, queueId), inHand);
  });
}
