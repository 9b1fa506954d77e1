import type { Metadata } from "next";
import Link from "next/link";
import { JobStatusBadge } from "@/components/jobs/status";
import { countsText } from "@/components/jobs/summary";
import { Page } from "@/components/shell/page";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { listJobs } from "@/db/queries/jobs";
import { importRoots } from "@/lib/jobs/roots";
import { formatTime } from "@/lib/text/format";
import { ImportForm } from "./import-form";

export const metadata: Metadata = { title: "Import" };
export const dynamic = "force-dynamic";

export default function ImportPage() {
  const recent = listJobs(getDb(), { limit: 200 })
    .filter((job) => job.kind === "import")
    .slice(0, 10);
  return (
    <Page
      title="Import"
      note="mini-SWE-agent, Harbor and ATIF, SWE-agent, Inspect, OpenHands, Terminal-Bench, Docent, chat JSON and JSONL, Who&When, AgentRx: found by content, wherever they lie."
    >
      <ImportForm roots={importRoots()} />
      {recent.length > 0 ? (
        <section className="flex flex-col gap-2">
          <h2 className="font-medium">Last imports</h2>
          <TableFrame label="Last imports">
            <thead>
              <tr>
                <Th>What</Th>
                <Th>State</Th>
                <Th>Result</Th>
                <Th>When</Th>
              </tr>
            </thead>
            <tbody>
              {recent.map((job) => (
                <tr key={job.id}>
                  <Td className="max-w-96 min-w-44">
                    <Link href={`/jobs/${job.id}`} className="foreign text-accent hover:underline">
                      {job.title}
                    </Link>
                  </Td>
                  <Td>
                    <JobStatusBadge status={job.status} cancelling={job.cancelRequested} pausing={job.pauseRequested} />
                  </Td>
                  <Td className="min-w-56 text-muted">{countsText(job.counts, job.finishedAt !== null)}</Td>
                  <Td className="whitespace-nowrap text-muted">{formatTime(job.createdAt)} UTC</Td>
                </tr>
              ))}
            </tbody>
          </TableFrame>
        </section>
      ) : null}
    </Page>
  );
}
