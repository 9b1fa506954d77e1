import { z } from "zod";
import { parse, reply, wholeNumber } from "@/app/api/reply";
import { entryView } from "@/app/trajectories/[id]/entry-view";
import { getDb } from "@/db/client";
import { entryWindow } from "@/db/queries/reader-entries";

const MOST = 200;
const query = z.object({
  from: wholeNumber.default(0),
  count: wholeNumber.max(MOST).default(40),
  whole: z.enum(["0", "1"]).default("0"),
});

/** Entries [from, from + count) as the reader shows them. `whole=1` sends long texts unfolded. */
export async function GET(request: Request, { params }: RouteContext<"/api/trajectories/[id]/steps">) {
  return reply(async () => {
    const id = parse(wholeNumber, (await params).id);
    const { from, count, whole } = parse(query, Object.fromEntries(new URL(request.url).searchParams));
    return entryWindow(getDb(), id, from, count).map((row) => entryView(row, whole === "1"));
  });
}
