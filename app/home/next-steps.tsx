import Link from "next/link";
import type { CorpusOverview } from "@/db/queries/overview";

const LINK = "text-accent hover:underline";

/** What to do next, from what is there. */
export function NextSteps({ totals, study }: { totals: CorpusOverview; study: boolean }) {
  return (
    <section className="flex flex-col gap-1 rounded-lg border bg-surface p-3">
      <h2 className="font-medium">What to do next</h2>
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
        {study ? (
          <li>
            <Link href="/study" className={LINK}>
              Read the report of the study
            </Link>
            : what the method found and changed, beside the published numbers.
          </li>
        ) : null}
        {totals.errorSteps > 0 ? (
          <li>
            <Link href="/misbehaviors" className={LINK}>
              See which error steps recur
            </Link>{" "}
            and read a few of each: the reason names the fact behind every flag.
          </li>
        ) : (
          <li>The rules flagged nothing. They are narrow on purpose; read a trajectory to judge for yourself.</li>
        )}
        {totals.errorSteps > 0 ? (
          <li>
            <Link href="/review" className={LINK}>
              Check them with people
            </Link>
            : one key an answer, blind to what was said before.
          </li>
        ) : null}
        {totals.prefixes.drawn > 0 ? (
          <li>
            <Link href="/prefixes" className={LINK}>
              Audit the prefixes
            </Link>
            : why the step was flagged, and where a rerun differs first.
          </li>
        ) : null}
        {totals.trainings > 0 ? (
          <li>
            <Link href="/compare" className={LINK}>
              Compare the checkpoints
            </Link>
            : how often each still misbehaves.
          </li>
        ) : null}
        <li>
          <Link href="/trajectories?group=task" className={LINK}>
            Compare rollouts of one environment
          </Link>
          : choose two to four and see the first command where they part.
        </li>
        <li>
          <Link href="/import" className={LINK}>
            Import your own trajectories
          </Link>
          , from a folder or by dropping files.
        </li>
      </ul>
    </section>
  );
}
