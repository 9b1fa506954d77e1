import { z } from "zod";
import { CallError, parse, reply, streamed, wholeNumber } from "@/app/api/reply";
import { getDb } from "@/db/client";
import { trainingRow } from "@/db/queries/trainings";
import { EXPORT_TABLES, trainingCsv, trainingJsonl } from "@/lib/train/export";

const query = z.discriminatedUnion("format", [
  z.object({ format: z.literal("jsonl") }),
  z.object({ format: z.literal("csv"), table: z.enum(EXPORT_TABLES) }),
]);

/** All of a training as JSON lines, or one of its tables as CSV. */
export async function GET(request: Request, { params }: RouteContext<"/api/trainings/[id]/export">) {
  return reply(async () => {
    const id = parse(wholeNumber, (await params).id);
    const wanted = parse(query, Object.fromEntries(new URL(request.url).searchParams));
    const db = getDb();
    const name = trainingRow(db, id)?.name;
    const lines = wanted.format === "jsonl" ? trainingJsonl(db, id) : trainingCsv(db, id, wanted.table);
    if (name === undefined || !lines) throw new CallError(404, `There is no training ${id}.`);
    const file = wanted.format === "jsonl" ? `${name}.jsonl` : `${name}-${wanted.table}.csv`;
    return new Response(streamed(lines), {
      headers: {
        "content-type": wanted.format === "jsonl" ? "application/jsonl" : "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="${file.replace(/[^\w.+-]/g, "_")}"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  }, "annotator");
}
