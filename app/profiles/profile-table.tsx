import Link from "next/link";
import { listHref } from "@/app/trajectories/search-params";
import { JobStatusBadge } from "@/components/jobs/status";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { ProfileRow } from "@/db/queries/profiles";
import { formatCount, formatRate, formatShare, formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { ModeBadge } from "./mode";

/** Profiles with what came of them. */
export function ProfileTable({ rows }: { rows: ProfileRow[] }) {
  return (
    <TableFrame label="Profiles">
      <thead>
        <tr>
          <Th>Profile</Th>
          <Th>State</Th>
          <Th>Mode</Th>
          <Th>Policy</Th>
          <Th className="text-right">
            Rollouts <Term name="rollout" />
          </Th>
          <Th className="text-right">Passed</Th>
          <Th className="text-right">Steps</Th>
          <Th className="text-right">Error steps</Th>
          <Th className="text-right">Discarded</Th>
          <Th className="text-right">Void</Th>
          <Th className="text-right">Asked for (UTC)</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const ended = row.finished + row.discarded + row.void;
          return (
            <tr key={row.id} className="hover:bg-raised/60">
              <Td className="min-w-44">
                <Link
                  href={`/profiles/${row.id}`}
                  prefetch={false}
                  className="foreign font-medium text-accent hover:underline"
                >
                  {visible(row.name)}
                </Link>
              </Td>
              <Td>
                {row.jobStatus === null ? (
                  <span className="text-muted">job not kept</span>
                ) : (
                  <JobStatusBadge status={row.jobStatus} />
                )}
              </Td>
              <Td>
                <ModeBadge mode={row.mode} />
              </Td>
              <Td className="max-w-48 min-w-32">
                <Link href={`/models/${row.checkpointId}`} prefetch={false} className="foreign hover:underline">
                  {visible(row.checkpoint)}
                </Link>
              </Td>
              <Td className="text-right whitespace-nowrap">
                <Link href={listHref({ profile: row.id })} prefetch={false} className="text-accent underline">
                  {formatCount(ended)}
                </Link>{" "}
                <span className="text-xs text-muted">of {formatCount(row.planned)}</span>
              </Td>
              <Td className="text-right whitespace-nowrap">
                {formatShare(row.passed, row.scored)}{" "}
                <span className="text-xs text-muted">
                  {formatCount(row.passed)}/{formatCount(row.scored)}
                  {row.mode === "profile" ? " with a teacher" : row.mode === "catch" ? " with injected errors" : ""}
                </span>
              </Td>
              <Td className="text-right">{formatCount(row.steps)}</Td>
              <Td className="text-right whitespace-nowrap" title={`${row.errorSteps} of ${row.steps} steps`}>
                {formatCount(row.errorSteps)}{" "}
                <span className="text-xs text-muted">{formatRate(row.errorSteps, row.steps)} per 100</span>
              </Td>
              <Td className="text-right">{formatCount(row.discarded)}</Td>
              <Td className="text-right">{formatCount(row.void)}</Td>
              <Td className="text-right whitespace-nowrap text-muted">{formatTime(row.createdAt)}</Td>
            </tr>
          );
        })}
      </tbody>
    </TableFrame>
  );
}
