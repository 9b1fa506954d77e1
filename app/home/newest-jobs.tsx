"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { JobProgress } from "@/components/jobs/progress";
import { JobStatusBadge } from "@/components/jobs/status";
import { countsText } from "@/components/jobs/summary";
import type { JobView } from "@/db/queries/jobs";

const SHOWN = 5;
const live = (jobs: JobView[]) => jobs.some((job) => job.status === "queued" || job.status === "running");

/** The newest jobs; when the last running one ends, the numbers of the page are read again. */
export function NewestJobs({ initial }: { initial: JobView[] }) {
  const router = useRouter();
  const { data: jobs } = useQuery<JobView[]>({
    queryKey: ["newest-jobs"],
    queryFn: async () => {
      const response = await fetch("/api/jobs");
      if (!response.ok) throw new Error(`the job list could not be read (${response.status})`);
      return ((await response.json()) as JobView[]).slice(0, SHOWN);
    },
    initialData: initial,
    refetchInterval: (query) => (live(query.state.data ?? []) ? 800 : 10_000),
    retry: true,
  });
  const was = useRef(live(initial));
  const now = live(jobs);
  useEffect(() => {
    if (was.current && !now) router.refresh();
    was.current = now;
  }, [now, router]);
  if (jobs.length === 0) return null;
  return (
    <section className="flex flex-col gap-1">
      <h2 className="font-medium">
        <Link href="/jobs" className="hover:underline">
          Newest jobs
        </Link>
      </h2>
      <ul className="flex flex-col divide-y rounded-lg border bg-surface">
        {jobs.map((job) => (
          <li key={job.id} className="flex flex-col gap-1 px-3 py-2 text-sm">
            <div className="flex items-baseline gap-2">
              <Link href={`/jobs/${job.id}`} className="foreign min-w-0 flex-1 text-accent hover:underline">
                {job.title}
              </Link>
              <JobStatusBadge status={job.status} cancelling={job.cancelRequested} pausing={job.pauseRequested} />
            </div>
            {job.finishedAt === null ? (
              <JobProgress job={job} />
            ) : (
              <span className="text-muted">{countsText(job.counts, true)}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
