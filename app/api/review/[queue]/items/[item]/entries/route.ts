import { z } from "zod";
import { parse, wholeNumber } from "@/app/api/reply";
import { replyToRater } from "@/app/api/review/reply";
import { entryView } from "@/app/trajectories/[id]/entry-view";
import { blindEntries, blindItem } from "@/lib/review/serve/view";

const MOST = 100;
const query = z.object({
  from: wholeNumber.default(0),
  count: wholeNumber.max(MOST).default(40),
  whole: z.enum(["0", "1"]).default("0"),
});

/** Entries [from, from + count) around an item, as far as they may be read by now. `whole=1` sends long texts unfolded. */
export async function GET(request: Request, { params }: RouteContext<"/api/review/[queue]/items/[item]/entries">) {
  return replyToRater(params, async (db, actor, queueId) => {
    const { from, count, whole } = parse(query, Object.fromEntries(new URL(request.url).searchParams));
    const item = blindItem(db, actor, queueId, parse(wholeNumber, (await params).item));
    return blindEntries(db, item, from, count).map((row) => entryView(row, whole === "1"));
  });
}
