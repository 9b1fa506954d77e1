import { FlaskConical } from "lucide-react";
import Link from "next/link";
import { StudySummary } from "@/app/study/summary";
import type { Db } from "@/db/client";
import { studyReport } from "@/lib/study/report/cached";
import { finishedPhases, PHASES, readStudy } from "@/lib/study/state";

/** The study of this index: its answer and its table; nothing where there is none. */
export function StudyCard({ db }: { db: Db }) {
  const state = readStudy(db);
  if (!state) return null;
  const finished = finishedPhases(state).length;
  const of = PHASES.length;
  // The report of an unfinished study would be made at every visit.
  const report = finished === of ? studyReport(db, state) : null;
  return (
    <section aria-labelledby="study" className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <h2 id="study" className="flex items-center gap-2 font-medium">
        <FlaskConical className="size-4 text-muted" aria-hidden />
        <Link href="/study" className="text-accent hover:underline">
          Study
        </Link>
        <span className="text-sm font-normal text-muted">
          {finished === of ? "the whole method on this machine" : `${finished} of ${of} phases ended`}
        </span>
      </h2>
      {report === null || report.answer === null ? (
        <p className="text-sm text-muted">Nothing is measured yet.</p>
      ) : (
        <>
          <p className="max-w-[110ch] text-sm text-pretty">{report.answer}</p>
          <StudySummary report={report} made={state.made} />
        </>
      )}
    </section>
  );
}
