import { parse, wholeNumber } from "@/app/api/reply";
import { replyToRater } from "@/app/api/review/reply";
import { seatItem } from "@/app/review/seat-item";
import { revealed } from "@/lib/review/serve/reveal";

/** An item the caller holds or has answered, and what may be seen of it by now. */
export async function GET(_: Request, { params }: RouteContext<"/api/review/[queue]/items/[item]">) {
  return replyToRater(params, async (db, actor, queueId) => {
    const itemId = parse(wholeNumber, (await params).item);
    const item = seatItem(db, actor, queueId, itemId);
    return { item, revealed: revealed(db, actor, queueId, itemId) };
  });
}
