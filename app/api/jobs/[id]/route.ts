import { z } from "zod";
import { CallError, reply } from "@/app/api/reply";
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
  return reply(async () => {
    const parsed = input.safeParse({
      id: (await params).id,
      after: new URL(request.url).searchParams.get("after") ?? undefined,
    });
    if (!parsed.success) throw new CallError(400, "a job id is a whole number");
    const job = getJobView(getDb(), parsed.data.id);
    if (!job) throw new CallError(404, `there is no job ${parsed.data.id}`);
    return { job, events: jobEvents(getDb(), job.id, { after: parsed.data.after, limit: LOG_PAGE }) };
  });
}
