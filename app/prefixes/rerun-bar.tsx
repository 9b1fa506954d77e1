"use client";
import { RotateCcw, X } from "lucide-react";
import Link from "next/link";
import { useState, useTransition } from "react";
import { RerunOptions, useRerunOptions } from "@/components/prefix/rerun-options";
import { Button } from "@/components/ui/button";
import { formatCount, plural } from "@/lib/text/format";
import { rerunPrefixesAction } from "./actions";

type Outcome = { ok: true; jobId: number; prefixes: number } | { ok: false; error: string; field?: string };

/** Reruns the selected prefixes, or all that the filters let through. */
export function RerunBar({
  selected,
  total,
  clear,
  slurm,
}: {
  selected: number[];
  total: number;
  clear: () => void;
  slurm: boolean;
}) {
  const [busy, startTransition] = useTransition();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const options = useRerunOptions();
  const run = (what: { ids: number[] } | { matching: string }) =>
    startTransition(async () => {
      const result = await rerunPrefixesAction({ ...what, ...options.value });
      setOutcome(result.ok ? { ok: true, ...result.value } : result);
      if (result.ok) clear();
    });
  const atPlace = outcome?.ok === false && outcome.field === "place" ? outcome.error : null;
  return (
    <section
      aria-label="Rerun"
      className="sticky top-0 z-10 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border bg-surface px-2.5 py-1.5 text-sm"
    >
      <Button
        size="sm"
        variant="primary"
        disabled={busy || selected.length === 0}
        title={selected.length === 0 ? "Select prefixes in the table" : undefined}
        onClick={() => run({ ids: selected })}
      >
        <RotateCcw aria-hidden /> Rerun selected{selected.length > 0 ? ` (${selected.length})` : ""}
      </Button>
      <Button size="sm" disabled={busy || total === 0} onClick={() => run({ matching: location.search })}>
        Rerun all {formatCount(total)}
      </Button>
      <RerunOptions options={options} slurm={slurm} placeError={atPlace} />
      {selected.length > 0 ? (
        <Button size="sm" variant="ghost" onClick={clear}>
          <X aria-hidden /> Clear selection
        </Button>
      ) : null}
      <span aria-live="polite" className="min-w-0">
        {outcome === null || atPlace !== null ? null : outcome.ok ? (
          <>
            {plural(outcome.prefixes, "prefix", "prefixes")} queued:{" "}
            <Link href={`/jobs/${outcome.jobId}`} className="text-accent hover:underline">
              job {outcome.jobId}
            </Link>
          </>
        ) : (
          <span className="foreign text-bad">{outcome.error}</span>
        )}
      </span>
    </section>
  );
}
