import { FlaskConical } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { createLoader, parseAsInteger } from "nuqs/server";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { listProfiles } from "@/db/queries/profiles";
import { hasSlurm } from "@/lib/jobs/place/refusal";
import { modelChoices, policyChoices } from "./policies";
import { ProfileTable } from "./profile-table";
import { StartForm } from "./start-form";

export const metadata: Metadata = { title: "Profiles" };
export const dynamic = "force-dynamic";

const PAGE = 50;
const loadParams = createLoader({ before: parseAsInteger });

export default async function ProfilesPage({ searchParams }: PageProps<"/profiles">) {
  const { before } = await loadParams(searchParams);
  const db = getDb();
  const rows = listProfiles(db, { limit: PAGE + 1, ...(before === null ? {} : { before }) });
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  return (
    <Page
      title="Profiles"
      term="policy"
      note="A policy rolled out under a localizer and a teacher: where it goes wrong, and what was right instead"
    >
      <section aria-label="Start" className="rounded-lg border bg-surface p-3">
        <StartForm policies={policyChoices(db)} models={modelChoices().models} slurm={hasSlurm()} open />
      </section>
      {shown.length === 0 ? (
        <StateMessage
          icon={<FlaskConical aria-hidden />}
          title={before === null ? "No profile yet" : "No older profile"}
        >
          Start one above: it runs as a job and its numbers appear while it runs.
        </StateMessage>
      ) : (
        <ProfileTable rows={shown} />
      )}
      <div className="flex gap-2">
        {before === null ? null : (
          <Button asChild size="sm">
            <Link href="/profiles">Newest</Link>
          </Button>
        )}
        {rows.length > PAGE && last ? (
          <Button asChild size="sm">
            <Link href={`/profiles?before=${last.id}`}>Older</Link>
          </Button>
        ) : null}
      </div>
    </Page>
  );
}
