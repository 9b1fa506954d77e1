import { z } from "zod";
import { parse } from "@/app/api/reply";
import { bodyOf, replyToRater } from "@/app/api/review/reply";
import { renewClaims } from "@/lib/review/serve/claim";

const body = z.object({ inHand: z.array(z.number().int().positive()).max(10) });

/** Keeps items in hand; tells which of them are no longer. */
export async function POST(request: Request, { params }: RouteContext<"/api/review/[queue]/renew">) {
  return replyToRater(params, async (db, actor, queueId) =>
    renewClaims(db, actor, queueId, parse(body, await bodyOf(request)).inHand),
  );
}
