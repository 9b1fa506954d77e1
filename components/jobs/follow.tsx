"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import type { JobView } from "@/db/queries/jobs";
import { JobProgress } from "./progress";
import { JobStatusBadge } from "./status";
import { WaitsFor } from "./waits";

const POLL_MS = 1000;
/** The page's numbers are asked for again at most this often. */
const REFRESH_MS = 3000;

const isLive = (job: JobView) => job.status === "queued" || job.status === "running";

/** The job behind a page: follows it while it runs and keeps the page's numbers fresh. */
export function FollowJob({ initial }: { initial: JobView }) {
  const router = useRouter();
  const query = useQuery<JobView>({
    queryKey: ["job-state", initial.id],
    queryFn: async () => {
      const response = await fetch(`/api/jobs/${initial.id}?after=${Number.MAX_SAFE_INTEGER}`);
      if (!response.ok) throw new Error(`job ${initial.id} could not be read (${response.status})`);
      return ((await response.json()) as { job: JobView }).job;
    },
    initialData: initial,
    refetchInterval: (q) => (q.state.data && isLive(q.state.data) ? POLL_MS : false),
    retry: true,
  });
  const job = query.data;
  const through = job.done + job.failed;
  const shown = useRef({ through: initial.done + initial.failed, live: isLive(initial), at: 0 });
  useEffect(() => {
    const last = shown.current;
    const ended = last.live && !isLive(job);
    if (!ended && (through === last.through || Date.now() - last.at < REFRESH_MS)) return;
    shown.current = { through, live: isLive(job), at: Date.now() };
    router.refresh();
  }, [job, through, router]);
  return (
    <section
      aria-label="Job"
      className="flex flex-wrap items-center gap-3 rounded-lg border bg-surface px-3 py-2 text-sm"
    >
      <span aria-live="polite">
        <JobStatusBadge status={job.status} cancelling={job.cancelRequested} pausing={job.pauseRequested} />
      </span>
      <div className="min-w-48 flex-1">
        <JobProgress job={job} />
      </div>
      <Link href={`/jobs/${job.id}`} className="text-accent hover:underline">
        Job {job.id}: log, pause, cancel, retry
      </Link>
      {query.isError ? <span className="text-bad">The server does not answer; trying again.</span> : null}
      <WaitsFor job={job} className="w-full text-muted" />
      {job.error ? (
        <p role="alert" className="foreign w-full text-bad">
          {job.error}
        </p>
      ) : null}
    </section>
  );
}
