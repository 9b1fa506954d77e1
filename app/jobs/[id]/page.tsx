import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { Page } from "@/components/shell/page";
import { getDb } from "@/db/client";
import { callsOfJob } from "@/db/queries/calls";
import { failedItems, getJobView, importFiles, jobEvents } from "@/db/queries/jobs";
import { profileOfJob } from "@/db/queries/profiles";
import { FileList } from "./file-list";
import { JobLive } from "./job-live";

export const dynamic = "force-dynamic";

const PAGE = 200;

type Props = {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ refusedAfter?: string; skippedAfter?: string }>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Job ${(await params).id}` };
}

const cursor = (value: string | undefined) => (value && /^\d+$/.test(value) ? Number(value) : 0);

export default async function JobPage({ params, searchParams }: Props) {
  const { id } = await params;
  const job = /^\d{1,15}$/.test(id) ? getJobView(getDb(), Number(id)) : undefined;
  if (!job) notFound();
  const search = await searchParams;
  const db = getDb();
  const refused = importFiles(db, job.id, { status: "refused", after: cursor(search.refusedAfter), limit: PAGE });
  const skipped = importFiles(db, job.id, { status: "skipped", after: cursor(search.skippedAfter), limit: PAGE });
  return (
    <Page title={<span className="foreign">{job.title}</span>} note={`Job ${job.id}, asked for by ${job.requestedBy}`}>
      <JobLive
        initial={{
          job,
          events: jobEvents(db, job.id, { limit: 500 }),
        }}
        profileId={job.kind === "profile" ? (profileOfJob(db, job.id) ?? null) : null}
        calls={callsOfJob(db, job.id)}
        failed={failedItems(db, job.id, { limit: PAGE })}
      />
      {job.kind === "import-environments" && (job.counts.refused ?? 0) > 0 ? (
        <FileList
          title="Refused"
          note="Look like task directories and could not be read. The rest of the import went on."
          files={refused}
          total={job.counts.refused ?? 0}
          more={refused.length === PAGE ? `/jobs/${job.id}?refusedAfter=${refused.at(-1)?.id}` : null}
          open
        />
      ) : null}
      {job.kind === "import-environments" || job.kind === "check-environments" ? (
        <Link href="/environments" className="self-start text-sm text-accent hover:underline">
          Environments
        </Link>
      ) : null}
      {job.kind === "import" ? (
        <>
          <FileList
            title="Refused"
            note="Look like trajectories and could not be read. The rest of the import went on."
            files={refused}
            total={job.counts.refused ?? 0}
            more={refused.length === PAGE ? `/jobs/${job.id}?refusedAfter=${refused.at(-1)?.id}` : null}
            open
          />
          <FileList
            title="Skipped"
            note="Not trajectories: companions, task files, readmes and the like."
            files={skipped}
            total={job.counts.skipped ?? 0}
            more={skipped.length === PAGE ? `/jobs/${job.id}?skippedAfter=${skipped.at(-1)?.id}` : null}
          />
        </>
      ) : null}
    </Page>
  );
}
