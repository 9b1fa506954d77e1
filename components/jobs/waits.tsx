import Link from "next/link";
import { Fragment } from "react";
import type { JobView } from "@/db/queries/jobs";

/** What a queued job waits for; nothing where nothing holds it up. */
export function WaitsFor({ job, className }: { job: JobView; className?: string }) {
  if (job.status !== "queued" || job.waitsFor.length === 0) return null;
  return (
    <p className={className}>
      {job.waitsFor.length > 1 ? "Starts when one of these has ended: " : "Starts when this has ended: "}
      {job.waitsFor.map((other, i) => (
        <Fragment key={other.id}>
          {i > 0 ? "; " : ""}
          <Link href={`/jobs/${other.id}`} className="foreign text-accent hover:underline">
            job {other.id}, {other.title}
          </Link>
        </Fragment>
      ))}
    </p>
  );
}
