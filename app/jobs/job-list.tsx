"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ListChecks } from "lucide-react";
import Link from "next/link";
import { JobProgress } from "@/components/jobs/progress";
import { JobStatusBadge } from "@/components/jobs/status";
import { countsText } from "@/components/jobs/summary";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { JobView } from "@/db/queries/jobs";
import { formatDuration, formatTime } from "@/lib/text/format";

const PAGE = 50;

async function fetchJobs(before: number | null): Promise<JobView[]> {
  const response = await fetch(`/api/jobs${before === null ? "" : `?before=${before}`}`);
  if (!response.ok) throw new Error(`the job list could not be read (${response.status})`);
  return response.json();
}

const isLive = (job: JobView) => job.status === "queued" || job.status === "running";

/** The job table; follows running jobs by polling. */
export function JobList({ initial }: { initial: JobView[] }) {
  const jobs = useInfiniteQuery({
    queryKey: ["jobs"],
    queryFn: ({ pageParam }) => fetchJobs(pageParam),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => (last.length === PAGE ? (last.at(-1)?.id ?? null) : null),
    initialData: { pages: [initial], pageParams: [null] },
    refetchInterval: (query) => (query.state.data?.pages.flat().some(isLive) ? 1000 : 5000),
    retry: true,
  });
  const rows = jobs.data.pages.flat();
  if (rows.length === 0) {
    return (
      <StateMessage
        icon={<ListChecks />}
        title="No job yet"
        actions={
          <Button asChild variant="primary">
            <Link href="/import">Import trajectories</Link>
          </Button>
        }
      >
        Imports, profiles, trainings and measurements appear here while they run and after.
      </StateMessage>
    );
  }
  return (
    <>
      {jobs.isError ? (
        <p role="alert" className="text-sm text-bad">
          The server does not answer; trying again.
        </p>
      ) : null}
      <TableFrame label="Jobs">
        <thead>
          <tr>
            <Th>Job</Th>
            <Th>What</Th>
            <Th>State</Th>
            <Th>Progress</Th>
            <Th>Result</Th>
            <Th>Started</Th>
            <Th className="text-right">Took</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((job) => (
            <tr key={job.id} className="hover:bg-raised/60">
              <Td className="tabular-nums">{job.id}</Td>
              <Td className="max-w-96 min-w-44">
                <Link href={`/jobs/${job.id}`} className="foreign text-accent hover:underline">
                  {job.title}
                </Link>
              </Td>
              <Td>
                <JobStatusBadge status={job.status} cancelling={job.cancelRequested} pausing={job.pauseRequested} />
              </Td>
              <Td>
                <JobProgress job={job} />
              </Td>
              <Td className="min-w-56 text-muted">{countsText(job.counts, job.finishedAt !== null)}</Td>
              <Td className="whitespace-nowrap text-muted">
                {job.startedAt === null ? "not yet" : `${formatTime(job.startedAt)} UTC`}
              </Td>
              <Td className="text-right whitespace-nowrap text-muted">
                {job.startedAt !== null && job.finishedAt !== null
                  ? formatDuration(job.finishedAt - job.startedAt)
                  : "—"}
              </Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      {jobs.hasNextPage ? (
        <Button className="self-center" onClick={() => jobs.fetchNextPage()} disabled={jobs.isFetchingNextPage}>
          Older jobs
        </Button>
      ) : null}
    </>
  );
}
