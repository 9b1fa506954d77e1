import { z } from "zod";
import { CallError, reply } from "@/app/api/reply";
import { getDb } from "@/db/client";
import { listJobs } from "@/db/queries/jobs";

export const dynamic = "force-dynamic";

const query = z.object({
  before: z.coerce.number().int().positive().optional(),
  status: z.string().max(20).optional(),
});
/** Jobs on one page of the list. */
const PAGE = 50;

/** A page of jobs, newest first. */
export async function GET(request: Request) {
  return reply(() => {
    const parsed = query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    if (!parsed.success) throw new CallError(400, "before must be a job id");
    return listJobs(getDb(), { ...parsed.data, limit: PAGE });
  });
}
