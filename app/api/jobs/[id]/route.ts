import { z } from "zod";
import { getDb } from "@/db/client";
import { getJobView, jobEvents } from "@/db/queries/jobs";

export const dynamic = "force-dynamic";

const input = z.object({
  id: z.coerce.number().int().positive(),
  after: z.coerce.number().int().nonnegative().default(0),
});
const LOG_PAGE = 500;

/** One job with the log lines after `after`. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }) {
  const parsed = input.safeParse({
    id: (await params).id,
    after: new URL(request.url).searchParams.get("after") ?? undefined,
  });
  if (!parsed.success) return Response.json({ error: "a job id is a whole number" }, { status: 400 });
  const job = getJobView(getDb(), parsed.data.id);
  if (!job) return Response.json({ error: `there is no job ${parsed.data.id}` }, { status: 404 });
  return Response.json({ job, events: jobEvents(getDb(), job.id, { after: parsed.data.after, limit: LOG_PAGE }) });
}
