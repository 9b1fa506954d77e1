import type { JobView } from "@/db/queries/jobs";
import { formatCount } from "@/lib/text/format";

/** How far a job is: items through of items known, and that the list may still grow. */
export function JobProgress({ job }: { job: JobView }) {
  const through = job.done + job.failed;
  const ended = job.finishedAt !== null;
  const known = job.listed || ended;
  const label =
    through === 0 && job.total === 0 && !known
      ? job.status === "queued"
        ? "not begun"
        : "finding out what there is to do"
      : `${formatCount(through)} of ${formatCount(job.total)}${known ? "" : "+"} items${job.failed > 0 ? `, ${formatCount(job.failed)} failed` : ""}`;
  return (
    <div className="flex min-w-40 items-center gap-2">
      <div
        role="progressbar"
        aria-label={`Progress of ${job.title}`}
        aria-valuemin={0}
        aria-valuemax={job.total}
        aria-valuenow={through}
        aria-valuetext={label}
        className="h-1.5 min-w-16 flex-1 overflow-hidden rounded-full bg-raised"
      >
        <div
          className={job.failed > 0 ? "h-full bg-warn" : "h-full bg-accent"}
          style={{ width: `${job.total > 0 ? (100 * through) / job.total : job.status === "done" ? 100 : 0}%` }}
        />
      </div>
      <span className="text-xs whitespace-nowrap text-muted tabular-nums">{label}</span>
    </div>
  );
}
