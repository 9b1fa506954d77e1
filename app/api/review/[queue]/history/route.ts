import { z } from "zod";
import { parse, wholeNumber } from "@/app/api/reply";
import { replyToRater } from "@/app/api/review/reply";
import { requirePerson } from "@/lib/people/actor";
import { getQueue } from "@/lib/review/queue/queue";
import { ownHistory } from "@/lib/review/serve/progress";

const query = z.object({ before: wholeNumber.optional() });
const PAGE = 200;

/** The caller's own current answers, newest first; `before`: the last answer of the page before. */
export async function GET(request: Request, { params }: RouteContext<"/api/review/[queue]/history">) {
  return replyToRater(params, (db, actor, queueId) => {
    const personId = requirePerson(actor);
    getQueue(db, queueId);
    const { before } = parse(query, Object.fromEntries(new URL(request.url).searchParams));
    const rows = ownHistory(db, queueId, personId, {
      ...{ limit: PAGE, changed: false },
      ...(before === undefined ? {} : { before }),
    });
    return { rows, more: rows.length === PAGE };
  });
}
