import { z } from "zod";
import { CallError, parse, reply, wholeNumber } from "@/app/api/reply";
import { getDb } from "@/db/client";
import { entryWindow } from "@/db/queries/reader-entries";
import { restoreSource } from "@/lib/trajectory/residual";

const query = z.object({ entry: wholeNumber });

/** The objects of the file an entry was made from. */
export async function GET(request: Request, { params }: RouteContext<"/api/trajectories/[id]/raw">) {
  return reply(async () => {
    const id = parse(wholeNumber, (await params).id);
    const { entry } = parse(query, Object.fromEntries(new URL(request.url).searchParams));
    const [row] = entryWindow(getDb(), id, entry, 1);
    if (!row) throw new CallError(404, `Trajectory ${id} has no entry ${entry}.`);
    return { source: restoreSource(row.body) };
  });
}
