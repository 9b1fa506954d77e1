"use client";
import { Ban, GraduationCap } from "lucide-react";
import { useMemo } from "react";
import type { Flag } from "@/db/queries/reader-flags";
import { visible } from "@/lib/text/glyphs";
import { changedWords } from "@/lib/text/words";
import type { Stretches } from "./code-lines";
import { Command } from "./command";
import { useReader } from "./context";
import { Tries } from "./tries";
import type { CallView, EntryView } from "./types";

const plainCall = (command: string): CallView => ({
  name: "bash",
  command: [["", command]],
  commandText: command,
  args: null,
});

const PANE = "flex min-w-0 flex-col gap-1";
const PANE_HEAD = "flex flex-wrap items-center gap-x-1.5 text-xs";

/** Who stopped the step, as far as the index says. */
const localizersOf = (flag: Flag | undefined): string | null => {
  const names = [...new Set(flag?.reasons.map((reason) => reason.by) ?? [])];
  return names.length > 0 ? names.map(visible).join(", ") : null;
};

/** The policy's step that did not run, beside the teacher's that ran in its place, as a difference of words. */
export function Rejected({ entry, flag }: { entry: EntryView; flag: Flag | undefined }) {
  const { triesOf, entryAt } = useReader();
  const tries = triesOf(entry.index);
  const after = entryAt(entry.index + 1);
  const correction = after?.note === "correction" ? after : undefined;
  const accepted = tries.find((one) => one.accepted === 1);
  const own = entry.call?.commandText ?? null;
  const other = correction?.call ?? (accepted && accepted.command !== "" ? plainCall(accepted.command) : null);
  const otherText = other?.commandText ?? null;
  const [out, into] = useMemo<[Stretches, Stretches] | [undefined, undefined]>(() => {
    if (own === null || otherText === null) return [undefined, undefined];
    const { a, b } = changedWords(own, otherText);
    return [
      { ranges: a, look: "diff-out" },
      { ranges: b, look: "diff-in" },
    ];
  }, [own, otherText]);
  const localizer = localizersOf(flag);
  const teacher = accepted?.sourceName ?? tries[0]?.sourceName ?? correction?.actor ?? null;
  const ran = other !== null || correction !== undefined;
  return (
    <section aria-label="Rejected step and its correction" className="flex flex-col gap-1.5">
      <div className="grid gap-2 md:grid-cols-2">
        <div className={PANE}>
          <p className={PANE_HEAD}>
            <Ban className="size-3.5 text-bad" aria-hidden />
            <span className="font-medium">The policy wrote, not run</span>
            <span className="foreign text-muted">stopped by {localizer ?? "a localizer that is not named"}</span>
          </p>
          {entry.call && own !== null ? (
            <Command entry={entry.index} call={entry.call} struck changed={out} />
          ) : (
            <p className="rounded-md border border-dashed px-3 py-1.5 text-sm text-muted">No command.</p>
          )}
        </div>
        <div className={PANE}>
          <p className={PANE_HEAD}>
            <GraduationCap className="size-3.5 text-good" aria-hidden />
            <span className="font-medium">{ran ? "The teacher wrote, ran in its place" : "No correction ran"}</span>
            <span className="foreign text-muted">{teacher === null ? "" : visible(teacher)}</span>
          </p>
          {other ? (
            <Command entry={entry.index + 1} call={other} changed={into} whole />
          ) : (
            <p className="rounded-md border border-dashed px-3 py-1.5 text-sm text-muted">
              {correction
                ? "No command."
                : tries.length > 0
                  ? `None of ${tries.length} tries was accepted: the rollout was discarded here.`
                  : "No try of a teacher is kept for this step."}
            </p>
          )}
        </div>
      </div>
      {tries.length > 0 ? <Tries entry={entry.index} tries={tries} teacher={teacher} localizer={localizer} /> : null}
    </section>
  );
}
