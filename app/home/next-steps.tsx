import Link from "next/link";
import type { CorpusOverview } from "@/db/queries/overview";

/** What to do next, from what is there. */
export function NextSteps({ totals }: { totals: CorpusOverview }) {
  return (
    <section className="flex flex-col gap-1 rounded-lg border bg-surface p-3">
      <h2 className="font-medium">What to do next</h2>
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
        {totals.errorSteps > 0 ? (
          <li>
            <Link href="/misbehaviors" className="text-accent hover:underline">
              See which wrong steps recur
            </Link>{" "}
            and read a few of each: the reason names the fact behind every flag.
          </li>
        ) : (
          <li>The rules flagged nothing. They are narrow on purpose; read a trajectory to judge for yourself.</li>
        )}
        <li>
          <Link href="/trajectories?group=task" className="text-accent hover:underline">
            Compare runs of one task
          </Link>
          : choose two to four and see the first command where they part.
        </li>
        <li>
          <Link href="/import" className="text-accent hover:underline">
            Import your own trajectories
          </Link>
          , from a folder or by dropping files.
        </li>
      </ul>
    </section>
  );
}
