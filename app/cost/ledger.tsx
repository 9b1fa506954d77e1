import Link from "next/link";
import { Stated } from "@/components/data/stated";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { CostReport } from "@/lib/evaluate/cost/report";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { MoneyOf } from "./money";

const PHASES: Record<CostReport["ledger"][number]["phase"], string> = {
  before: "before training",
  training: "training",
  measuring: "measuring",
  other: "other",
};

/** Model calls by phase, kind of job, role and model. */
export function Ledger({ report }: { report: CostReport }) {
  const { ledger, kept, rerun, perKeptPrefix, unpricedBefore } = report;
  return (
    <section aria-labelledby="ledger" className="flex flex-col gap-2">
      <h2 id="ledger" className="text-base font-medium">
        Model calls
      </h2>
      <p className="text-sm text-muted">
        Measured by the <Link href="/settings/calls">ledger of calls</Link>; replies from the cache used nothing and are
        not in it. Kept prefixes: {formatCount(kept)} of {formatCount(rerun)} rerun. Calls before training, a kept
        prefix: <MoneyOf money={perKeptPrefix} />
        {unpricedBefore > 0
          ? `, without ${plural(unpricedBefore, "call")} that ${unpricedBefore === 1 ? "has" : "have"} no cost`
          : ""}
        .
      </p>
      {ledger.length === 0 ? (
        <p className="text-sm">No model was called.</p>
      ) : (
        <TableFrame label="Model calls by phase">
          <thead>
            <tr>
              <Th>Phase</Th>
              <Th>Job</Th>
              <Th>Role</Th>
              <Th>Model</Th>
              <Th className="text-right">Calls</Th>
              <Th className="text-right">Failed</Th>
              <Th className="text-right">Input tokens</Th>
              <Th className="text-right">Uncached</Th>
              <Th className="text-right">Output tokens</Th>
              <Th className="text-right">Cost</Th>
            </tr>
          </thead>
          <tbody>
            {ledger.map((row) => (
              <tr key={JSON.stringify([row.kind, row.role, row.model, row.currency])} className="[&>td]:tabular-nums">
                <Td>{PHASES[row.phase]}</Td>
                <Td>{row.kind ?? "none"}</Td>
                <Td>{row.role}</Td>
                <Td>{visible(row.model)}</Td>
                <Td className="text-right">{formatCount(row.calls)}</Td>
                <Td className="text-right">{formatCount(row.failed)}</Td>
                <Td
                  className="text-right"
                  title={row.unstated > 0 ? `${row.unstated} calls do not state tokens` : undefined}
                >
                  {formatCount(row.input)}
                  {row.unstated > 0 ? (
                    <span className="text-muted"> + {formatCount(row.unstated)} not stated</span>
                  ) : null}
                </Td>
                <Td className="text-right">
                  <Stated value={row.uncached} why="not known">
                    {(u) => `${(100 * u).toFixed(1)}%`}
                  </Stated>
                </Td>
                <Td className="text-right">{formatCount(row.output)}</Td>
                <Td className="text-right">
                  <MoneyOf
                    money={row.costNano === null || row.currency === null ? null : { [row.currency]: row.costNano }}
                  />
                  {row.unpriced > 0 ? (
                    <span className="text-muted"> + {formatCount(row.unpriced)} not priced</span>
                  ) : null}
                </Td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
    </section>
  );
}
