"use client";
import { Equal, EqualNot, Minus } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { causeName } from "@/components/data/prefix-status";
import { DiffView } from "@/components/prefix/diff-view";
import { ReaderProvider } from "@/components/reader/context";
import { EntryCard } from "@/components/reader/entry-card";
import { RawDialog } from "@/components/reader/raw-dialog";
import { useStillReader } from "@/components/reader/use-still";
import { Badge } from "@/components/ui/badge";
import type { Flag } from "@/db/queries/reader-flags";
import { EXPLANATIONS } from "@/lib/prefix/explain";
import { formatDuration } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import type { CommandView } from "./view";

interface Props {
  trajectoryId: number;
  /** EntryView[] as JSON text: it keeps lone surrogates, which the page's own transport does not. */
  entries: string;
  flags: Flag[];
  commands: CommandView[];
  /** A rerun is chosen; without one there is nothing to set beside the commands. */
  compared: boolean;
  /** Entry the prefix ends before. */
  end: number;
  /** CorrectionView[] of that entry, as JSON text. */
  corrections: string;
  /** Entries before the first that is shown. */
  omitted: number;
}

/** The steps of a prefix, folded, with what the rerun showed under each command; then the step it ends before. */
export function PrefixSteps({ trajectoryId, entries, flags, commands, compared, end, corrections, omitted }: Props) {
  const router = useRouter();
  const jump = useCallback(
    (entry: number) => router.push(`/trajectories/${trajectoryId}?entry=${entry}`),
    [router, trajectoryId],
  );
  const { list, context, numberOf, raw, setRaw } = useStillReader({
    trajectoryId,
    entries,
    corrections,
    at: end,
    jump,
  });
  const byEntry = useMemo(() => new Map(commands.map((c) => [c.entry, c])), [commands]);
  const flagOf = useMemo(() => new Map(flags.map((f) => [f.entry, f])), [flags]);
  const first = commands.find((c) => c.state === "different")?.entry ?? null;
  const flagged = list.find((e) => e.index === end);
  return (
    <ReaderProvider value={context}>
      {flagged ? (
        <section aria-labelledby="ends-before" className="flex flex-col gap-2">
          <h2 id="ends-before" className="font-medium">
            The step it ends before
          </h2>
          <div className="overflow-hidden rounded-lg border bg-surface pt-px">
            <EntryCard entry={flagged} flag={flagOf.get(end)} sameTurn={false} marked={false} />
          </div>
        </section>
      ) : null}
      <section aria-labelledby="commands" className="flex flex-col gap-2">
        <h2 id="commands" className="font-medium">
          {compared ? "Recorded against rerun, command by command" : "Steps of the prefix"}
        </h2>
        {omitted > 0 ? (
          <p className="text-sm text-muted">
            The first {omitted} entries are left out here:{" "}
            <Link href={`/trajectories/${trajectoryId}`} className="text-accent hover:underline">
              read them in the trajectory
            </Link>
            .
          </p>
        ) : null}
        {end === 0 ? <p className="text-sm text-muted">Nothing happened before this step.</p> : null}
        <ol className="overflow-hidden rounded-lg border bg-surface">
          {list
            .filter((e) => e.index !== end)
            .map((entry) => {
              const command = byEntry.get(entry.index);
              return (
                <li key={entry.index}>
                  <EntryCard entry={entry} flag={flagOf.get(entry.index)} sameTurn={false} marked={false} />
                  {compared && command ? (
                    <Compared command={command} isFirst={entry.index === first} numberOf={numberOf} />
                  ) : null}
                </li>
              );
            })}
        </ol>
      </section>
      <RawDialog trajectoryId={trajectoryId} entry={raw} onClose={() => setRaw(null)} />
    </ReaderProvider>
  );
}

function Compared({
  command,
  isFirst,
  numberOf,
}: {
  command: CommandView;
  isFirst: boolean;
  numberOf: (entry: number) => number | null;
}) {
  const ref = useRef<HTMLDivElement>(null);
  const asked = useRef(false);
  useEffect(() => {
    if (isFirst && !asked.current && location.hash === "#first-difference")
      ref.current?.scrollIntoView({ block: "center" });
    asked.current = true;
  }, [isFirst]);
  const exits =
    command.recordedExit !== null && command.rerunExit !== null && command.recordedExit !== command.rerunExit;
  if (command.state === "not-run")
    return (
      <p className="flex items-center gap-1.5 px-3 pb-1.5 text-xs text-muted sm:pl-15">
        <Minus className="size-3" aria-hidden /> not run: the rerun had stopped before
      </p>
    );
  if (command.state === "same")
    return (
      <p className="flex items-center gap-1.5 px-3 pb-1.5 text-xs text-good sm:pl-15">
        <Equal className="size-3" aria-hidden /> equal
        {command.durationMs === null ? null : (
          <span className="text-muted">in {formatDuration(command.durationMs)}</span>
        )}
      </p>
    );
  return (
    <div
      ref={ref}
      id={isFirst ? "first-difference" : undefined}
      className="flex scroll-mt-16 flex-col gap-1.5 px-3 pb-3 sm:pl-15"
    >
      <p className="flex flex-wrap items-center gap-1.5 text-sm">
        <Badge tone="bad">
          <EqualNot aria-hidden /> {isFirst ? "first difference" : "different"}
        </Badge>
        {command.cause ? <Badge>{causeName(command.cause)}</Badge> : null}
        {exits ? (
          <Badge tone="bad">
            exit {command.recordedExit} recorded, {command.rerunExit} now
          </Badge>
        ) : null}
        {command.normalised ? (
          <Badge title="Equal once what the normalised rule sets aside is taken away. The exact rule decides.">
            equal by the normalised rule
          </Badge>
        ) : null}
      </p>
      {command.cause ? <Explained command={command} numberOf={numberOf} /> : null}
      {command.difference ? <DiffView difference={command.difference} /> : null}
      {command.difference === null ? (
        <p className="text-xs text-muted">Only the first differences of a rerun are set out.</p>
      ) : null}
    </div>
  );
}

function Explained({ command, numberOf }: { command: CommandView; numberOf: (entry: number) => number | null }) {
  if (!command.cause) return null;
  const { sentence, fix } = EXPLANATIONS[command.cause];
  const { diagnosis, throughEntry } = command;
  const shown = (text: string) => (
    <code className="foreign rounded bg-raised px-1 font-mono text-xs">{visible(text)}</code>
  );
  return (
    <p className="max-w-[90ch] text-sm text-pretty">
      {sentence}
      {diagnosis?.recorded && diagnosis.rerun ? (
        <>
          {" "}
          Recorded {shown(diagnosis.recorded)}, now {shown(diagnosis.rerun)}.
        </>
      ) : null}
      {throughEntry === null
        ? null
        : ` It came in by ${numberOf(throughEntry) === null ? `entry ${throughEntry}` : `step ${numberOf(throughEntry)}`}.`}{" "}
      <span className="text-muted">To make it deterministic: {fix}</span>
    </p>
  );
}
