import { formatCount, formatDuration, plural } from "@/lib/text/format";
import type { DryRun } from "@/lib/train/run/dryRun";

const between = (a: string, b: string): string => (a === b ? a : `${a} to ${b}`);

const STARTS: Record<DryRun["starts"]["kind"], (n: number) => string> = {
  prefix: (n) => plural(n, "kept prefix", "kept prefixes"),
  task: (n) => plural(n, "environment"),
  pivot: (n) => plural(n, "candidate turn"),
};

const PACE: Record<NonNullable<DryRun["paceOf"]>, string> = {
  here: "at the pace of trainings on this machine",
  study: "at the pace of the study's trainings, on the machine it was made on; none has run here yet",
};

/** What would be done, in a sentence. */
export function Estimate({ run }: { run: DryRun }) {
  const { starts, groups, rollouts, expectedMs, paceOf } = run;
  const range = ({ least, most }: { least: number; most: number }) => between(formatCount(least), formatCount(most));
  return (
    <p role="status" className="text-sm">
      {STARTS[starts.kind](starts.count)} to start from; {range(groups)} groups, {range(rollouts)} rollouts (more where
      groups have no spread and are replaced).{" "}
      {expectedMs === null || paceOf === null
        ? "How long it takes is not known: no training has run here yet."
        : `About ${between(formatDuration(expectedMs.least), formatDuration(expectedMs.most))} ${PACE[paceOf]}.`}
    </p>
  );
}
