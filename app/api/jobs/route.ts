import { z } from "zod";
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
export function GET(request: Request) {
  const parsed = query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!parsed.success) return Response.json({ error: "before must be a job id" }, { status: 400 });
  return Response.json(listJobs(getDb(), { ...parsed.data, limit: PAGE }));
}
