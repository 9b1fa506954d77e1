import type { IndexWait } from "@/db/queries/search";
import { plural } from "@/lib/text/format";

function until({ job, followed }: IndexWait): string {
  switch (job?.status) {
    case "running":
      return `are being taken into the index by job ${job.id}.`;
    case "queued":
      return `wait for job ${job.id}, which is queued.`;
    case "paused":
      return `wait for job ${job.id}, which is paused: resume it.`;
    case undefined:
      return followed
        ? "wait for an index job, which is queued when a job that is open now ends."
        : "wait for an index job, and none is queued: the end of the next job queues one, and so does the next start.";
    default:
      return `are not in the index, for job ${job?.id} ended without them: retry it.`;
  }
}

/** Says that the search does not see everything yet, and until when; null: it does. */
export const indexWaitText = (wait: IndexWait): string | null =>
  wait.trajectories === 0
    ? null
    : `${plural(wait.trajectories, "new trajectory is", "new trajectories are")} not searched yet: their texts ${until(wait)}`;
