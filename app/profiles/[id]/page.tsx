import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { ModeBadge } from "@/app/profiles/mode";
import { listHref } from "@/app/trajectories/search-params";
import { DistributionChart } from "@/components/charts/distribution";
import { profileDistribution, publishedNote } from "@/components/charts/distribution-rows";
import { FollowJob } from "@/components/jobs/follow";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { getDb } from "@/db/client";
import { confusion } from "@/db/queries/confusion";
import { getJobView } from "@/db/queries/jobs";
import { listMisbehaviors } from "@/db/queries/misbehaviors";
import { profileRollouts, profileRow, profileSummary } from "@/db/queries/profiles";
import { formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { ConfusionTable } from "./confusion-table";
import { CorrectionsTable, Voids } from "./corrections-table";
import { Rollouts } from "./rollouts";
import { loadProfileParams, profileHref } from "./search-params";
import { Settings } from "./settings";
import { Tiles } from "./tiles";

export const dynamic = "force-dynamic";

const PAGE = 50;

const idOf = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);

export async function generateMetadata({ params }: PageProps<"/profiles/[id]">): Promise<Metadata> {
  const row = profileRow(getDb(), idOf((await params).id));
  return { title: row ? visible(row.name) : "Not found" };
}

export default async function ProfilePage({ params, searchParams }: PageProps<"/profiles/[id]">) {
  const db = getDb();
  const profile = profileSummary(db, idOf((await params).id));
  if (!profile) notFound();
  const search = await loadProfileParams(searchParams);
  const job = getJobView(db, profile.jobId);
  const rows = profileRollouts(db, profile.id, {
    after: search.after ?? 0,
    limit: PAGE + 1,
    ...(search.status === null ? {} : { status: search.status }),
  });
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  return (
    <Page
      title={<span className="foreign">{visible(profile.name)}</span>}
      note={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <ModeBadge mode={profile.mode} />
          <span>
            policy{" "}
            <Link href={`/models/${profile.checkpointId}`} className="foreign text-accent hover:underline">
              {visible(profile.checkpoint)}
            </Link>
          </span>
          <span>seed {profile.seed}</span>
          <span>asked for {formatTime(profile.createdAt)} UTC</span>
        </span>
      }
      actions={
        <Button asChild variant="primary">
          <Link href={listHref({ profile: profile.id })}>Read the rollouts</Link>
        </Button>
      }
    >
      {job ? (
        <FollowJob key={job.id} initial={job} />
      ) : (
        <p className="text-sm text-muted">Its job is no longer kept; what it made is.</p>
      )}
      <Tiles profile={profile} />
      {profile.mode === "plain" ? null : (
        <p className="text-sm text-muted">
          {profile.mode === "profile"
            ? "Passed is no score of the policy: its error steps were replaced by a teacher's."
            : "Passed is no score of the policy: errors were injected into its rollouts."}{" "}
          For scores see{" "}
          <Link href="/evaluate" className="text-accent underline">
            Evaluate
          </Link>
          .
        </p>
      )}
      <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,2fr)_minmax(20rem,1fr)]">
        <div className="flex min-w-0 flex-col gap-3">
          {profile.mode === "catch" ? <ConfusionTable confusion={confusion(db, profile.id)} /> : null}
          <DistributionChart
            rows={profileDistribution(listMisbehaviors(db), profile)}
            published={publishedNote}
            own="this profile"
            note={`${profile.errorSteps} error steps in ${profile.environments} environments; the published shares are of another suite and policy`}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          {profile.mode === "profile" ? <CorrectionsTable profile={profile} /> : null}
          <Voids voids={profile.voids} />
          <Settings settings={profile.settings} />
        </div>
      </div>
      <Rollouts
        id={profile.id}
        rows={shown}
        params={search}
        counts={{ finished: profile.finished, discarded: profile.discarded, void: profile.void }}
        next={rows.length > PAGE && last ? profileHref(profile.id, { status: search.status, after: last.id }) : null}
      />
    </Page>
  );
}
