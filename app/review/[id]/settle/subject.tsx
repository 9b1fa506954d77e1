"use client";
import Link from "next/link";
import { useMemo, useState } from "react";
import { type Detail, type ReaderContextValue, ReaderProvider } from "@/components/reader/context";
import { EntryCard } from "@/components/reader/entry-card";
import { RawDialog } from "@/components/reader/raw-dialog";
import type { EntryView } from "@/components/reader/types";
import type { CorrectionView } from "@/db/queries/corrections";
import { visible } from "@/lib/text/glyphs";

const NO_FIND = { pattern: null, active: null };

/** What an item is about, with the entries before it folded to a line. */
export function Subject({
  trajectoryId,
  entries,
  corrections,
  entry,
  title,
  about,
  href,
}: {
  trajectoryId: number;
  /** EntryView[] as JSON text: it keeps lone surrogates, which the page's own transport does not. */
  entries: string;
  /** CorrectionView[] of the subject, as JSON text. */
  corrections: string;
  /** The subject among them; null: all of them are. */
  entry: number | null;
  title: string;
  about: string | null;
  href: string;
}) {
  const list = useMemo(() => JSON.parse(entries) as EntryView[], [entries]);
  const tries = useMemo(() => JSON.parse(corrections) as CorrectionView[], [corrections]);
  const [details, setDetails] = useState<ReadonlyMap<number, Detail>>(new Map());
  const [switched, setSwitched] = useState<ReadonlySet<string>>(new Set());
  const [raw, setRaw] = useState<number | null>(null);
  const context = useMemo<ReaderContextValue>(
    () => ({
      trajectoryId,
      wrap: true,
      raw: false,
      thinking: true,
      find: NO_FIND,
      evidence: null,
      detailOf: (one) => details.get(one) ?? (entry === null || one === entry ? "folded" : "line"),
      setDetail: (one, next) => setDetails((now) => new Map(now).set(one, next)),
      isOn: (key) => switched.has(key),
      toggle: (key) =>
        setSwitched((now) => {
          const next = new Set(now);
          if (!next.delete(key)) next.add(key);
          return next;
        }),
      jump: () => undefined,
      showRaw: setRaw,
      triesOf: (one) => (one === entry ? tries : []),
      entryAt: (one) => list.find((e) => e.index === one),
    }),
    [trajectoryId, details, switched, entry, list, tries],
  );
  const numberOf = (one: number) => list.find((e) => e.index === one)?.number ?? null;
  return (
    <section aria-labelledby="subject" className="flex min-w-0 flex-col gap-1.5">
      <h2 id="subject" className="text-sm font-medium">
        <Link href={href} className="foreign text-accent hover:underline">
          {visible(title)}
        </Link>
        {about === null ? null : <span className="text-muted"> · asked about: {visible(about)}</span>}
      </h2>
      <ReaderProvider value={context}>
        <div className="overflow-hidden rounded-lg border bg-surface">
          {list.map((one) => (
            <EntryCard
              key={one.index}
              entry={one}
              flag={undefined}
              sameTurn={false}
              marked={one.index === entry}
              numberOf={numberOf}
            />
          ))}
          {list.length === 0 ? <p className="p-3 text-sm text-muted">Nothing is recorded here.</p> : null}
        </div>
        <RawDialog trajectoryId={trajectoryId} entry={raw} onClose={() => setRaw(null)} />
      </ReaderProvider>
    </section>
  );
}
