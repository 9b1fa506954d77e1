import type { Metadata } from "next";
import { Page } from "@/components/shell/page";
import { getDb } from "@/db/client";
import { listJobs } from "@/db/queries/jobs";
import { JobList } from "./job-list";

export const metadata: Metadata = { title: "Jobs" };
export const dynamic = "force-dynamic";

export default function JobsPage() {
  return (
    <Page
      title="Jobs"
      note="All that runs in the background, newest first: imports, profiles, trainings, measurements and what follows them. A job survives a restart and redoes nothing that finished."
    >
      <JobList initial={listJobs(getDb(), { limit: 50 })} />
    </Page>
  );
}
