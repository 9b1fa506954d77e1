"use client";
import Link from "next/link";
import { ReaderProvider } from "@/components/reader/context";
import { EntryCard } from "@/components/reader/entry-card";
import { RawDialog } from "@/components/reader/raw-dialog";
import { useStillReader } from "@/components/reader/use-still";
import { visible } from "@/lib/text/glyphs";

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
  const { list, context, raw, setRaw } = useStillReader({ trajectoryId, entries, corrections, at: entry });
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
            <EntryCard key={one.index} entry={one} flag={undefined} sameTurn={false} marked={one.index === entry} />
          ))}
          {list.length === 0 ? <p className="p-3 text-sm text-muted">Nothing is recorded here.</p> : null}
        </div>
        <RawDialog trajectoryId={trajectoryId} entry={raw} onClose={() => setRaw(null)} />
      </ReaderProvider>
    </section>
  );
}
