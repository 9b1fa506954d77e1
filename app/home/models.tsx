import Link from "next/link";
import { filterOn, listHref } from "@/app/trajectories/search-params";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { ModelCorpus } from "@/db/queries/misbehaviors";
import { formatCount, formatRate, formatShare } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

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
            <Th className="text-right">Error steps per 100</Th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN).map((row) => {
            return (
              <tr key={row.model ?? ""}>
                <Td className="foreign">
                  <Link
                    href={listHref({ model: filterOn(row.model) })}
                    prefetch={false}
                    className="text-accent hover:underline"
                  >
                    {row.model === null ? "not stated" : visible(row.model)}
                  </Link>
                </Td>
                <Td className="text-right">{formatCount(row.trajectories)}</Td>
                <Td
                  className="text-right"
                  title={`${row.passed} of ${row.trajectories - row.unknown} with a known outcome`}
                >
                  {formatShare(row.passed, row.trajectories - row.unknown)}
                </Td>
                <Td className="text-right" title={`${row.errorSteps} of ${row.steps} steps`}>
                  {formatRate(row.errorSteps, row.steps)}
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
