import Link from "next/link";
import { listHref } from "@/app/misbehaviors/links";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { ModelCorpus } from "@/db/queries/misbehaviors";
import { formatCount, formatShare, sharePercent } from "@/lib/text/format";

const SHOWN = 8;

/** Models with most trajectories: pass share and error steps per 100 steps. */
export function Models({ rows }: { rows: ModelCorpus[] }) {
  return (
    <section className="flex flex-col gap-1">
      <h2 className="font-medium">Models</h2>
      <TableFrame label="Models">
        <thead>
          <tr>
            <Th>Model</Th>
            <Th className="text-right">Trajectories</Th>
            <Th className="text-right">Passed</Th>
            <Th className="text-right">Error steps / 100</Th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN).map((row) => {
            const rate = sharePercent(row.errorSteps, row.steps);
            return (
              <tr key={row.model ?? ""}>
                <Td className="foreign">
                  {row.model === null ? (
                    <span className="text-muted">not stated</span>
                  ) : (
                    <Link href={listHref({ model: row.model })} className="text-accent hover:underline">
                      {row.model}
                    </Link>
                  )}
                </Td>
                <Td className="text-right">{formatCount(row.trajectories)}</Td>
                <Td
                  className="text-right"
                  title={`${row.passed} of ${row.trajectories - row.unknown} with a known outcome`}
                >
                  {formatShare(row.passed, row.trajectories - row.unknown)}
                </Td>
                <Td className="text-right" title={`${row.errorSteps} of ${row.steps} steps`}>
                  {rate === null ? "—" : rate.toFixed(1)}
                </Td>
              </tr>
            );
          })}
        </tbody>
      </TableFrame>
      {rows.length > SHOWN ? (
        <Link href="/misbehaviors" className="text-sm text-accent hover:underline">
          All {formatCount(rows.length)} models
        </Link>
      ) : null}
    </section>
  );
}
