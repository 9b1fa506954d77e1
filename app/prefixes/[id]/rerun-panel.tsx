"use client";
import { useQuery } from "@tanstack/react-query";
import { RotateCcw, Square } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";
import { cancelJobAction } from "@/app/jobs/actions";
import { rerunPrefixesAction } from "@/app/prefixes/actions";
import { JobProgress } from "@/components/jobs/progress";
import { JobStatusBadge } from "@/components/jobs/status";
import { RerunOptions, useRerunOptions } from "@/components/prefix/rerun-options";
import { Button } from "@/components/ui/button";
import type { JobView } from "@/db/queries/jobs";

const isLive = (job: JobView) => job.status === "queued" || job.status === "running";

/** Starts a rerun of one prefix and follows it; the page is fetched anew when it ends. */
export function RerunPanel({ prefixId, openJob, slurm }: { prefixId: number; openJob: number | null; slurm: boolean }) {
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [jobId, setJobId] = useState(openJob);
  const [error, setError] = useState<{ error: string; field?: string } | null>(null);
  const options = useRerunOptions();
  useEffect(() => setJobId((now) => openJob ?? now), [openJob]);
  const job = useQuery<JobView>({
    queryKey: ["job", jobId, "row"],
    queryFn: async () => {
      const response = await fetch(`/api/jobs/${jobId}`);
      if (!response.ok) throw new Error(`job ${jobId} could not be read (${response.status})`);
      return ((await response.json()) as { job: JobView }).job;
    },
    enabled: jobId !== null,
    refetchInterval: (q) => (q.state.data && !isLive(q.state.data) ? false : 400),
    retry: true,
  }).data;
  const done = job && !isLive(job) ? job.id : null;
  useEffect(() => {
    if (done !== null) router.refresh();
  }, [done, router]);
  const start = () =>
    startTransition(async () => {
      const result = await rerunPrefixesAction({ ids: [prefixId], ...options.value });
      setError(result.ok ? null : result);
      if (result.ok) setJobId(result.value.jobId);
    });
  const live = jobId !== null && (!job || isLive(job));
  return (
    <section aria-label="Rerun" className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button variant="primary" disabled={busy || live} onClick={start}>
        <RotateCcw aria-hidden /> Rerun
      </Button>
      <RerunOptions options={options} slurm={slurm} placeError={error?.field === "place" ? error.error : null} />
      <div aria-live="polite" className="flex min-w-0 flex-wrap items-center gap-2 text-sm">
        {job ? (
          <>
            <JobStatusBadge status={job.status} cancelling={job.cancelRequested} pausing={job.pauseRequested} />
            {isLive(job) ? <JobProgress job={job} /> : null}
            <Link href={`/jobs/${job.id}`} className="text-accent hover:underline">
              job {job.id}
            </Link>
            {isLive(job) ? (
              <Button
                size="sm"
                variant="danger"
                disabled={job.cancelRequested}
                onClick={() => startTransition(async () => void (await cancelJobAction({ id: job.id })))}
              >
                <Square aria-hidden /> Cancel
              </Button>
            ) : null}
            {job.error ? <span className="foreign text-bad">{job.error}</span> : null}
          </>
        ) : null}
        {error && error.field !== "place" ? <span className="foreign text-bad">{error.error}</span> : null}
      </div>
    </section>
  );
}
