import { FlaskConical } from "lucide-react";
import Link from "next/link";
import type { Db } from "@/db/client";
import { studyReport } from "@/lib/study/report/cached";
import { headlineOf } from "@/lib/study/report/headline";
import { finishedPhases, PHASES, readStudy } from "@/lib/study/state";

/** The study of this index in its headline numbers; nothing where there is none. */
export function StudyCard({ db }: { db: Db }) {
  const state = readStudy(db);
  if (!state) return null;
  const finished = finishedPhases(state).length;
  const of = PHASES.length;
  // The report of an unfinished study would be made at every visit.
  const lines = finished === of ? headlineOf(studyReport(db, state)) : [];
  return (
    <section aria-labelledby="study" className="flex flex-col gap-1 rounded-lg border bg-surface p-3">
      <h2 id="study" className="flex items-center gap-2 font-medium">
        <FlaskConical className="size-4 text-muted" aria-hidden />
        <Link href="/study" className="text-accent hover:underline">
          Study
        </Link>
        <span className="text-sm font-normal text-muted">
          {finished === of ? "the whole method on this machine" : `${finished} of ${of} phases ended`}
        </span>
      </h2>
      {lines.length > 0 ? (
        <ul className="flex flex-col gap-0.5 text-sm">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : (
        <p className="text-sm text-muted">Nothing is measured yet.</p>
      )}
    </section>
  );
}
