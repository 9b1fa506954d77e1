import Link from "next/link";
import { JobStatusBadge } from "@/components/jobs/status";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { MeasurementRow } from "@/db/queries/measurements";
import { formatCount, formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { measurementHref } from "./search-params";

/** Measurements of misbehavior rates with how far they are. */
export function MeasurementTable({ rows }: { rows: MeasurementRow[] }) {
  return (
    <TableFrame label="Measurements">
      <thead>
        <tr>
          <Th>Measurement</Th>
          <Th>State</Th>
          <Th>
            Checkpoints <Term name="checkpoint" />
          </Th>
          <Th>Judges</Th>
          <Th className="text-right">Samples</Th>
          <Th className="text-right">Void</Th>
          <Th className="text-right" title="Windows that people judged too">
            Labelled
          </Th>
          <Th className="text-right">Asked for (UTC)</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="hover:bg-raised/60">
            <Td className="min-w-52">
              <Link
                href={measurementHref({ m: row.id })}
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
            <Td className="foreign min-w-72">{visible(row.checkpoints.join(", "))}</Td>
            <Td className="foreign">
              {row.judges.length === 0 ? (
                <span className="text-muted">none yet</span>
              ) : (
                <span className="inline-block min-w-36">{visible(row.judges.join(", "))}</span>
              )}
            </Td>
            <Td className="text-right">{formatCount(row.samples)}</Td>
            <Td className="text-right">{formatCount(row.void)}</Td>
            <Td className="text-right">{formatCount(row.labels)}</Td>
            <Td className="text-right whitespace-nowrap text-muted">{formatTime(row.createdAt)}</Td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
