import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { PrefixStatusBadge } from "@/components/data/prefix-status";
import type { PrefixRow } from "@/db/queries/prefixes";
import { EXPLANATIONS } from "@/lib/prefix/explain";
import type { Cause } from "@/lib/prefix/types";
import { formatShare, plural, UNKNOWN } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import type { ComparisonView } from "./view";

const rule = (kept: number | null): string => (kept === null ? UNKNOWN : kept === 1 ? "kept" : "not kept");

const SENTENCES: Record<string, (row: PrefixRow) => string> = {
  pending: (row) =>
    row.reruns === 0
      ? "It has not been rerun yet."
      : `${plural(row.exact, "rerun")} so far, not as many as were asked for.`,
  kept: (row) =>
    `The state can be reached again: all of ${plural(row.reruns, "rerun")} showed exactly what was recorded.`,
  different: (row) =>
    `The state is not reached again: ${row.reruns === 1 ? "its rerun" : `all ${row.reruns} reruns`} differed.`,
  flaky: (row) =>
    `Reruns disagree: ${row.exact} of ${row.reruns} exact, ${formatShare(row.reruns - row.exact, row.reruns)} not. A flaky prefix is not kept.`,
  void: () => "There is no statement: it could not be rerun. That is no verdict on the prefix.",
};

/** What the reruns say of the prefix, in words, by every rule, with the cause and what would make it deterministic. */
export function Summary({
  row,
  comparison,
  missing,
}: {
  row: PrefixRow;
  comparison: ComparisonView;
  /** Why there is no environment to rerun in; null when there is. */
  missing: string | null;
}) {
  const cause = row.status === "different" || row.status === "flaky" ? (row.cause as Cause | null) : null;
  const stated = row.status === "kept" || row.status === "different" || row.status === "flaky";
  const hindrance = comparison.unable ?? missing ?? row.voidReason;
  return (
    <section aria-label="Rerun check" className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <p className="flex flex-wrap items-center gap-2">
        <PrefixStatusBadge status={row.status} />
        <span>{(SENTENCES[row.status] ?? SENTENCES.pending)?.(row)}</span>
      </p>
      {cause ? (
        <p className="max-w-[100ch] text-sm text-pretty">
          <strong className="font-medium">Cause: {EXPLANATIONS[cause].name}.</strong> {EXPLANATIONS[cause].sentence}{" "}
          <span className="text-muted">To make it deterministic: {EXPLANATIONS[cause].fix}</span>
        </p>
      ) : null}
      {hindrance && !stated ? (
        <p className="foreign flex items-start gap-1.5 text-sm text-warn">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
          <span>
            {visible(hindrance)}
            {missing && !comparison.unable ? (
              <>
                {" · "}
                <Link href="/environments" className="text-accent hover:underline">
                  Environments
                </Link>
              </>
            ) : null}
          </span>
        </p>
      ) : null}
      {stated ? (
        <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
          <Rule name="Exact rule (decides)" value={row.status === "kept" ? "kept" : "not kept"} />
          <Rule
            name="Normalised rule"
            value={rule(row.normalisedKept)}
            title={row.normalisedKept === null ? "Not known: reruns stopped at the first difference" : undefined}
          />
          <Rule
            name="Exit codes alone"
            value={rule(row.exitCodeKept)}
            title={row.exitCodeKept === null ? "Not known: reruns stopped at the first difference" : undefined}
          />
        </dl>
      ) : null}
      {comparison.basis === "output" ? (
        <p className="text-sm text-muted">
          Recorded by another harness: its own words around the output are left out, and only what the terminal said and
          the exit code are compared.
        </p>
      ) : null}
    </section>
  );
}

function Rule({ name, value, title }: { name: string; value: string; title?: string }) {
  return (
    <div className="flex gap-1.5" title={title}>
      <dt className="text-muted">{name}</dt>
      <dd className="font-medium">{value}</dd>
    </div>
  );
}
