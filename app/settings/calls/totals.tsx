import { TableFrame, Td, Th } from "@/components/ui/table";
import type { CallTotals } from "@/db/queries/calls";
import { formatCount, formatMoney, formatShort, UNKNOWN } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const NUMBER = "text-right tabular-nums whitespace-nowrap";

/** What is not in a sum, in words. */
function leftOut(row: CallTotals): string {
  return [
    row.unknownTokens > 0 ? `tokens of ${formatCount(row.unknownTokens)} not stated` : "",
    row.unknownCost > 0 ? `cost of ${formatCount(row.unknownCost)} not known` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

/** Sums of the calls shown, by model, role and currency. */
export function Totals({ rows }: { rows: CallTotals[] }) {
  const sums = new Map<string, number>();
  for (const row of rows)
    if (row.currency !== null) sums.set(row.currency, (sums.get(row.currency) ?? 0) + row.costNano);
  const unknown = rows.reduce((n, row) => n + row.unknownCost, 0);
  const total = [...sums].map(([currency, nano]) => formatMoney(nano, currency)).join(" + ");
  return (
    <section className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="font-medium">Totals</h2>
        <p className="text-sm text-muted">
          {total === "" ? "No call has a known cost" : `${total} known`}
          {unknown > 0 ? `; the cost of ${formatCount(unknown)} is not known and in no sum` : ""}
        </p>
      </div>
      <TableFrame label="Totals by model and role">
        <thead>
          <tr>
            <Th>Model</Th>
            <Th>Role</Th>
            <Th className="text-right">Calls</Th>
            <Th className="text-right">Failed</Th>
            <Th className="text-right">Repaired</Th>
            <Th className="text-right">Unparsed</Th>
            <Th className="text-right">From cache</Th>
            <Th className="text-right">Input</Th>
            <Th className="text-right">of it cached</Th>
            <Th className="text-right">Output</Th>
            <Th className="text-right">of it reasoning</Th>
            <Th className="text-right">Cost</Th>
            <Th>Not in the sums</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.model} ${row.role} ${row.currency}`}>
              <Td className="foreign">{visible(row.model)}</Td>
              <Td className="whitespace-nowrap">{row.role}</Td>
              <Td className={NUMBER}>{formatCount(row.calls)}</Td>
              <Td className={NUMBER}>{formatCount(row.failed)}</Td>
              <Td className={NUMBER}>{formatCount(row.repaired)}</Td>
              <Td className={NUMBER}>{formatCount(row.unparsed)}</Td>
              <Td className={NUMBER}>{formatCount(row.fromCache)}</Td>
              <Td className={NUMBER}>{formatShort(row.input)}</Td>
              <Td className={NUMBER}>{formatShort(row.cached)}</Td>
              <Td className={NUMBER}>{formatShort(row.output)}</Td>
              <Td className={NUMBER}>{formatShort(row.reasoning)}</Td>
              <Td className={NUMBER}>
                {row.currency === null
                  ? row.unknownCost > 0
                    ? UNKNOWN
                    : "0"
                  : formatMoney(row.costNano, row.currency)}
              </Td>
              <Td className="text-muted">{leftOut(row)}</Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </section>
  );
}
