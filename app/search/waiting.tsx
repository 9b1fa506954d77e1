import Link from "next/link";
import type { IndexWait } from "@/db/queries/search";
import { indexWaitText } from "@/lib/jobs/indexWait";

/** Says that the search does not see everything yet, and until when. */
export function Waiting({ wait }: { wait: IndexWait }) {
  const text = indexWaitText(wait);
  if (text === null) return null;
  return (
    <p role="status" className="text-sm text-warn">
      {text}{" "}
      {wait.job ? (
        <Link href={`/jobs/${wait.job.id}`} className="text-accent hover:underline">
          See job {wait.job.id}
        </Link>
      ) : null}
    </p>
  );
}
