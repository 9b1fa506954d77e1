import { formatCount } from "@/lib/text/format";

const WORDS: Record<string, string> = {
  imported: "imported",
  updated: "grown",
  replaced: "replaced",
  present: "already there",
  refused: "refused",
  skipped: "other files skipped",
  steps: "steps",
  scanned: "scanned",
  findings: "flags",
  labels: "labels of people",
  noSteps: "without a step of the agent",
  indexed: "texts indexed",
  "environments-added": "environments added",
  "environments-attached": "environments given files",
  "environments-changed": "environments changed",
  "environments-present": "environments already there",
  expected: "checks as expected",
  unexpected: "checks not as expected",
  voidChecks: "checks void",
  rollouts: "rollouts",
  finished: "finished",
  discarded: "discarded",
  errorSteps: "error steps",
  corrections: "tries of the teacher",
  formatErrors: "not well-formed",
  samples: "samples",
  verdicts: "verdicts",
  unjudged: "without a verdict",
  good: "called good",
  bad: "called bad",
  failed: "failed",
  unparsed: "unreadable",
  teacherFailures: "failures of the teacher",
  scored: "with an outcome",
  passed: "passed",
  reruns: "reruns",
  exact: "exact",
  different: "different",
  void: "void",
  commands: "commands run",
  batches: "batches asked about",
  types: "types",
  seldom: "types seen too seldom",
  labelled: "error steps with a type",
  none: "error steps of no type",
  stillStale: "still to be relabelled",
};

/** Counts of a job in a sentence; counters that are absent did not occur. `ended`: nothing more will come. */
export function countsText(counts: Record<string, number>, ended: boolean): string {
  const parts = Object.entries(WORDS)
    .filter(([key]) => (counts[key] ?? 0) > 0)
    .map(([key, word]) => `${formatCount(counts[key] ?? 0)} ${word}`);
  return parts.length > 0 ? parts.join(", ") : ended ? "nothing to count" : "nothing yet";
}

/** An import put in, or read anew, at least one trajectory: its own list is not empty. */
export const addedSomething = (counts: Record<string, number>): boolean =>
  ["imported", "updated", "replaced"].some((key) => (counts[key] ?? 0) > 0);

/** Counts by format out of keys like "imported:atif". */
export function countsByFormat(
  counts: Record<string, number>,
): { format: string; imported: number; present: number }[] {
  const rows = new Map<string, { format: string; imported: number; present: number }>();
  for (const [key, n] of Object.entries(counts)) {
    const [what, format] = key.split(":");
    if (format === undefined || (what !== "imported" && what !== "present")) continue;
    const row = rows.get(format) ?? { format, imported: 0, present: 0 };
    row[what] += n;
    rows.set(format, row);
  }
  return [...rows.values()].sort((a, b) => (a.format < b.format ? -1 : 1));
}
