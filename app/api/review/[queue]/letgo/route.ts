import { z } from "zod";
import { parse } from "@/app/api/reply";
import { bodyOf, replyToRater } from "@/app/api/review/reply";
import { letGo } from "@/lib/review/serve/claim";

const body = z.object({ items: z.array(z.number().int().positive()).max(10) });

/** Lets go of items, so that others may have them at once. */
export async function POST(request: Request, { params }: RouteContext<"/api/review/[queue]/letgo">) {
  return replyToRater(params, async (db, actor, queueId) => {
    letGo(db, actor, queueId, parse(body, await bodyOf(request)).items);
    return { ok: true };
  });
}
