"use client";
import { useQuery } from "@tanstack/react-query";
import { Pause, Play, RotateCcw, Square } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, useTransition } from "react";
import { cancelJobAction, pauseJobAction, resumeJobAction, retryJobAction } from "@/app/jobs/actions";
import { cn } from "@/components/cn";
import { JobProgress } from "@/components/jobs/progress";
import { JobStatusBadge } from "@/components/jobs/status";
import { addedSomething, countsByFormat, countsText } from "@/components/jobs/summary";
import { WaitsFor } from "@/components/jobs/waits";
import { Button } from "@/components/ui/button";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { FailedItem, JobEvent, JobView } from "@/db/queries/jobs";
import { formatCount, formatDuration, formatTime, plural } from "@/lib/text/format";
import { Away } from "./away";

interface Live {
  job: JobView;
  events: JobEvent[];
}

/** Kinds that could also run elsewhere. */
const ELSEWHERE = new Set(["rerun", "profile", "train", "launch"]);

const isLive = (job: JobView) => job.status === "queued" || job.status === "running";

/** One job: state, progress, counts, log; follows it while it runs. */
export function JobLive({
  initial,
  failed,
  profileId,
  calls,
}: {
  initial: Live;
  failed: FailedItem[];
  /** The profile that the job makes; null for other jobs. */
  profileId: number | null;
  /** Model calls made for the job when the page was loaded. */
  calls: number;
}) {
  const router = useRouter();
  const id = initial.job.id;
  const log = useRef(initial.events);
  const query = useQuery<Live>({
    queryKey: ["job", id],
    queryFn: async () => {
      const response = await fetch(`/api/jobs/${id}?after=${log.current.at(-1)?.id ?? 0}`);
      if (!response.ok) throw new Error(`job ${id} could not be read (${response.status})`);
      const fresh = (await response.json()) as Live;
      log.current = [...log.current, ...fresh.events];
      return { job: fresh.job, events: log.current };
    },
    initialData: initial,
    refetchInterval: (q) => (q.state.data && isLive(q.state.data.job) ? 700 : false),
    retry: true,
  });
  const { job, events } = query.data;
  const wasLive = useRef(isLive(initial.job));
  useEffect(() => {
    // The lists of refused and skipped files are rendered on the server: fetch them once more when the job has ended.
    if (wasLive.current && !isLive(job)) router.refresh();
    wasLive.current = isLive(job);
  }, [job, router]);

  const [error, setError] = useState<string | null>(null);
  const [busy, startTransition] = useTransition();
  const call = (action: typeof cancelJobAction) =>
    startTransition(async () => {
      const result = await action({ id });
      setError(result.ok ? null : result.error);
      await query.refetch();
    });
  const formats = countsByFormat(job.counts);

  return (
    <div className="flex flex-col gap-3">
      <section aria-label="State" aria-live="polite" className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
        <div className="flex flex-wrap items-center gap-3">
          <JobStatusBadge status={job.status} cancelling={job.cancelRequested} pausing={job.pauseRequested} />
          <div className="min-w-48 flex-1">
            <JobProgress job={job} />
          </div>
          {isLive(job) ? (
            <Button
              size="sm"
              disabled={busy || job.cancelRequested || job.pauseRequested}
              onClick={() => call(pauseJobAction)}
            >
              <Pause aria-hidden /> Pause
            </Button>
          ) : null}
          {job.status === "paused" ? (
            <Button size="sm" disabled={busy} onClick={() => call(resumeJobAction)}>
              <Play aria-hidden /> Resume
            </Button>
          ) : null}
          {isLive(job) || job.status === "paused" ? (
            <Button
              variant="danger"
              size="sm"
              disabled={busy || job.cancelRequested}
              onClick={() => call(cancelJobAction)}
            >
              <Square aria-hidden /> Cancel
            </Button>
          ) : null}
          {job.status === "failed" || job.status === "partial" || job.status === "cancelled" ? (
            <Button size="sm" disabled={busy} onClick={() => call(retryJobAction)}>
              <RotateCcw aria-hidden /> Do the rest
            </Button>
          ) : null}
        </div>
        <p>{countsText(job.counts, job.finishedAt !== null)}</p>
        {job.status === "paused" && job.error === null ? (
          <p className="text-sm text-muted">Paused on request. Resume goes on with what is open.</p>
        ) : null}
        <p className="text-sm text-muted">
          {job.startedAt === null
            ? job.status === "paused"
              ? "Not started"
              : "Waiting for the worker"
            : `Started ${formatTime(job.startedAt)} UTC`}
          {job.startedAt !== null && job.finishedAt !== null
            ? `, took ${formatDuration(job.finishedAt - job.startedAt)}`
            : ""}
          {job.place === "local" && ELSEWHERE.has(job.kind) ? " · on this machine" : ""}
          {job.kind === "rerun" ? (
            <>
              {" · "}
              <Link href="/prefixes" className="text-accent hover:underline">
                Open the prefixes
              </Link>
            </>
          ) : null}
          {profileId === null ? null : (
            <>
              {" · "}
              <Link href={`/profiles/${profileId}`} className="text-accent hover:underline">
                Open the profile
              </Link>
            </>
          )}
          {calls === 0 ? null : (
            <>
              {" · "}
              <Link href={`/settings/calls?job=${id}`} className="text-accent hover:underline">
                {plural(calls, "model call")}
              </Link>
            </>
          )}
          {job.kind === "import" && job.finishedAt !== null ? (
            <>
              {" · "}
              <Link
                href={addedSomething(job.counts) ? `/trajectories?import=${id}` : "/trajectories"}
                className="text-accent hover:underline"
              >
                Open the trajectories
              </Link>
            </>
          ) : null}
        </p>
        <WaitsFor job={job} className="text-sm text-muted" />
        {query.isError ? <p className="text-sm text-bad">The server does not answer; trying again.</p> : null}
        {(error ?? job.error) ? (
          <p
            role="alert"
            className={
              error === null && job.status === "paused" ? "foreign text-sm text-warn" : "foreign text-sm text-bad"
            }
          >
            {error ?? job.error}
          </p>
        ) : null}
      </section>

      {job.placed === null ? null : <Away place={job.place} placed={job.placed} live={isLive(job)} />}

      {formats.length > 0 ? (
        <TableFrame label="Counts by format" className="max-w-xl">
          <thead>
            <tr>
              <Th>Format</Th>
              <Th className="text-right">Imported</Th>
              <Th className="text-right">Already there</Th>
            </tr>
          </thead>
          <tbody>
            {formats.map((row) => (
              <tr key={row.format}>
                <Td>{row.format}</Td>
                <Td className="text-right">{formatCount(row.imported)}</Td>
                <Td className="text-right">{formatCount(row.present)}</Td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      ) : null}

      {failed.length > 0 ? (
        <TableFrame label="Failed items">
          <thead>
            <tr>
              <Th>Failed item</Th>
              <Th>Error</Th>
              <Th className="text-right">Tries</Th>
            </tr>
          </thead>
          <tbody>
            {failed.map((item) => (
              <tr key={item.id}>
                <Td className="foreign font-mono text-xs">{item.key}</Td>
                <Td className="foreign">{item.error}</Td>
                <Td className="text-right">{item.attempts}</Td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      ) : null}

      {events.length > 0 ? (
        <section aria-label="Log, times in UTC" className="rounded-lg border bg-term p-3">
          <h2 className="mb-1 text-sm font-medium">
            Log <span className="text-xs font-normal text-muted">times in UTC</span>
          </h2>
          <ol className="max-h-80 overflow-y-auto font-mono text-xs">
            {events.map((event) => (
              <li
                key={event.id}
                className={cn(
                  // What a task or a trainer printed last has lines of its own.
                  "foreign whitespace-pre-wrap",
                  event.level === "error" ? "text-bad" : event.level === "warn" ? "text-warn" : "",
                )}
              >
                <time className="text-muted">{formatTime(event.createdAt, true).slice(11)}</time> {event.level}{" "}
                {event.message}
              </li>
            ))}
          </ol>
        </section>
      ) : null}
    </div>
  );
}
