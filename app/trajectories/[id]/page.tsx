import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { WINDOW } from "@/components/reader/fetching";
import type { Walk } from "@/components/reader/walk";
import { getDb } from "@/db/client";
import { correctionsOfTrajectory, rejectedEntries } from "@/db/queries/corrections";
import { prefixesOfTrajectory } from "@/db/queries/prefixes";
import { rolloutOfTrajectory } from "@/db/queries/profiles";
import { entryWindow, overview } from "@/db/queries/reader-entries";
import { flagsOf } from "@/db/queries/reader-flags";
import { childTrajectories, entryOfStep, neighbours, trajectoryDetail, trajectoryHead } from "@/db/queries/reader-head";
import { whyNoRerun } from "@/lib/prefix/target";
import { visible } from "@/lib/text/glyphs";
import { Artifacts } from "./artifacts";
import { entryView } from "./entry-view";
import { Head } from "./head";
import { MetadataTab } from "./metadata-tab";
import { ReaderWithPrefixes } from "./reader-with-prefixes";
import { loadReaderParams } from "./search-params";

const idOf = (text: string): number => {
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id < 1) notFound();
  return id;
};

export async function generateMetadata({ params }: PageProps<"/trajectories/[id]">): Promise<Metadata> {
  const head = trajectoryHead(getDb(), idOf((await params).id));
  return { title: head ? visible(head.name ?? `Trajectory ${head.id}`) : "Not found" };
}

export default async function TrajectoryPage({ params, searchParams }: PageProps<"/trajectories/[id]">) {
  const id = idOf((await params).id);
  const { step, entry, find, tab, walk } = await loadReaderParams(searchParams);
  const db = getDb();
  const head = trajectoryHead(db, id);
  if (!head) notFound();
  const detail = trajectoryDetail(db, id);
  const noRerun = whyNoRerun(db, id);
  const artifacts = detail?.artifacts ?? [];
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Head
        head={head}
        exception={detail?.exception ?? null}
        tab={tab}
        artifacts={artifacts.length}
        related={childTrajectories(db, id)}
        neighbours={neighbours(db, id)}
        rollout={rolloutOfTrajectory(db, id)}
        noRerun={noRerun}
        rejected={rejectedEntries(db, id).length > 0}
      />
      <div className="min-h-0 flex-1">
        {tab === "tests" ? <Artifacts id={id} artifacts={artifacts} /> : null}
        {tab === "metadata" ? <MetadataTab head={head} detail={detail} /> : null}
        {tab === "steps" ? (
          <Steps
            id={id}
            step={step}
            entry={entry}
            find={find}
            walk={walk}
            count={head.entries}
            rerun={noRerun === null}
          />
        ) : null}
      </div>
    </div>
  );
}

function Steps({
  id,
  step,
  entry,
  find,
  walk,
  count,
  rerun,
}: {
  id: number;
  step: number | null;
  entry: number | null;
  find: string;
  walk: Walk;
  count: number;
  /** Its environment is here, so states of it can be reached again. */
  rerun: boolean;
}) {
  const db = getDb();
  const byNumber = step === null ? null : entryOfStep(db, id, step);
  const target = byNumber ?? (entry !== null && entry >= 0 && entry < count ? entry : null);
  const window = Math.floor((target ?? 0) / WINDOW);
  const entries = entryWindow(db, id, window * WINDOW, WINDOW).map((row) => entryView(row));
  const { marks, lines } = overview(db, id);
  return (
    <>
      {step !== null && byNumber === null ? <Missing what={`step ${step}`} /> : null}
      {entry !== null && target === null ? <Missing what={`entry ${entry}`} /> : null}
      <ReaderWithPrefixes
        key={id}
        prefixes={Object.fromEntries(prefixesOfTrajectory(db, id))}
        rerun={rerun}
        trajectoryId={id}
        marks={marks}
        lines={lines}
        flags={flagsOf(db, id)}
        first={{ window, json: JSON.stringify(entries) }}
        target={target}
        find={find}
        walk={walk}
        corrections={JSON.stringify([...correctionsOfTrajectory(db, id)])}
      />
    </>
  );
}

function Missing({ what }: { what: string }) {
  return (
    <p role="alert" className="bg-warn-soft px-3 py-1 text-sm text-warn">
      This trajectory has no {what}; it is shown from its start.
    </p>
  );
}
