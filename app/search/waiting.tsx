import Link from "next/link";
import type { IndexWait } from "@/db/queries/search";
import { plural } from "@/lib/text/format";

/** What brings the missing texts in, as an end of "their texts …". */
function how({ job, followed }: IndexWait) {
  const link = job ? (
    <Link href={`/jobs/${job.id}`} className="text-accent hover:underline">
      job {job.id}
    </Link>
  ) : null;
  switch (job?.status) {
    case "running":
      return <>are being taken into the index by {link}.</>;
    case "queued":
      return <>wait for {link}, which is queued.</>;
    case "paused":
      return <>wait for {link}, which is paused: resume it.</>;
    case undefined:
      return followed ? (
        <>wait for an index job. It is queued when a job that is open now ends.</>
      ) : (
        <>wait for an index job, and none is queued. The next job that ends queues one, and so does the next start.</>
      );
    default:
      return <>are not in the index: {link} ended without them. Retry it.</>;
  }
}

/** Says that the search does not see everything yet, and until when. */
export function Waiting({ wait }: { wait: IndexWait }) {
  if (wait.trajectories === 0) return null;
  return (
    <p role="status" className="text-sm text-warn">
      {plural(wait.trajectories, "new trajectory is", "new trajectories are")} not searched yet: their texts {how(wait)}
    </p>
  );
}
