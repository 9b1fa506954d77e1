import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { prefixesHref } from "@/app/prefixes/search-params";
import { entryView } from "@/app/trajectories/[id]/entry-view";
import { Page } from "@/components/shell/page";
import { getDb } from "@/db/client";
import { correctionsOf } from "@/db/queries/corrections";
import { openRerunJob, type RerunView, rerunsOf } from "@/db/queries/prefix-page";
import { type PrefixRow, prefixRow } from "@/db/queries/prefixes";
import { entryWindow } from "@/db/queries/reader-entries";
import { flagsOf } from "@/db/queries/reader-flags";
import { settledOfPrefix } from "@/db/queries/reviewSubjects";
import { usesOfPrefix } from "@/db/queries/trainings";
import { hasSlurm } from "@/lib/jobs/place/refusal";
import { prefixTarget } from "@/lib/prefix/target";
import { plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { Corrections } from "./corrections";
import { OpenFork } from "./fork/open-fork";
import { RerunPanel } from "./rerun-panel";
import { Reruns } from "./reruns";
import { Reviews } from "./reviews";
import { PrefixSteps } from "./steps";
import { Summary } from "./summary";
import { Trainings } from "./trainings";
import { comparisonView } from "./view";

export const dynamic = "force-dynamic";

/** Entries shown before the step; earlier ones are read in the trajectory. */
const MOST_ENTRIES = 200;
const MOST_RERUNS = 100;

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ rerun?: string }> };

const idOf = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Prefix ${idOf((await params).id)}` };
}

/** The rerun that tells most: the one asked for, else the newest that is different, else the newest that ran. */
function chosenOf(reruns: RerunView[], wanted: string | undefined): RerunView | null {
  const asked = reruns.find((r) => String(r.id) === wanted);
  const different = reruns.find((r) => r.verdict === "different");
  return asked ?? different ?? reruns.find((r) => r.verdict === "exact") ?? reruns[0] ?? null;
}

export default async function PrefixPage({ params, searchParams }: Props) {
  const id = idOf((await params).id);
  const db = getDb();
  const row = prefixRow(db, id);
  const target = row && prefixTarget(db, id);
  if (!row || !target) notFound();
  const reruns = rerunsOf(db, id, MOST_RERUNS);
  const chosen = chosenOf(reruns, (await searchParams).rerun);
  const comparison = comparisonView(db, target, chosen);
  const from = Math.max(0, row.entry - MOST_ENTRIES);
  const entries = entryWindow(db, row.trajectoryId, from, row.entry - from + 1).map((entry) => entryView(entry));
  const corrections = correctionsOf(db, row.stepId);
  return (
    <Page title={`Prefix ${id}`} term="prefix" note={<Note row={row} />}>
      <Summary row={row} comparison={comparison} missing={target.missing} />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <RerunPanel prefixId={id} openJob={openRerunJob(db, id)} slurm={hasSlurm()} />
        <OpenFork
          prefixId={id}
          refused={row.status === "kept" ? null : "Only the state of a kept prefix can be opened."}
        />
      </div>
      <Reviews rows={settledOfPrefix(db, id)} />
      <Trainings uses={usesOfPrefix(db, id)} />
      <Reruns reruns={reruns} chosen={chosen?.id ?? null} commands={row.commands} base={`/prefixes/${id}`} />
      {entries.at(-1)?.note === "rejected" ? null : <Corrections corrections={corrections} />}
      <PrefixSteps
        key={chosen?.id ?? 0}
        trajectoryId={row.trajectoryId}
        entries={JSON.stringify(entries)}
        flags={flagsOf(db, row.trajectoryId).filter((f) => f.entry >= from && f.entry <= row.entry)}
        commands={comparison.commands}
        compared={chosen !== null && chosen.ran > 0}
        end={row.entry}
        corrections={JSON.stringify(corrections)}
        omitted={from}
      />
    </Page>
  );
}

function Note({ row }: { row: PrefixRow }) {
  const place = row.number === null ? `entry=${row.entry}` : `step=${row.number}`;
  return (
    <>
      {plural(row.commands, "command")} before{" "}
      <Link href={`/trajectories/${row.trajectoryId}?${place}`} className="text-accent hover:underline">
        {row.number === null ? `entry ${row.entry}` : `step ${row.number}`} of trajectory {row.trajectoryId}
      </Link>
      {row.environment === null ? (
        ", which names no environment"
      ) : (
        <>
          {" "}
          in <span className="foreign">{visible(row.environment)}</span>
        </>
      )}
      {row.model === null ? null : (
        <>
          , by <span className="foreign">{visible(row.model)}</span>
        </>
      )}
      {row.misbehavior === null ? null : (
        <>
          {" · "}
          <Link
            href={`/misbehaviors/${encodeURIComponent(row.misbehaviorSlug ?? "")}`}
            className="foreign text-accent hover:underline"
          >
            {visible(row.misbehavior)}
          </Link>
        </>
      )}
      {" · "}
      {row.drawId === null ? (
        "made on demand"
      ) : (
        <Link href={prefixesHref({ draw: row.drawId })} className="text-accent hover:underline">
          draw {row.drawId}
        </Link>
      )}
      {row.split === null ? "" : `, ${row.split === "heldout" ? "held out" : row.split}`}
    </>
  );
}
