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

/** A sum of tokens; unknown where no call says. */
const sumOf = (row: CallTotals, key: "input" | "cached" | "output" | "reasoning"): string => {
  const sum = row[key];
  return sum === null ? UNKNOWN : formatShort(sum);
};

/** Known costs, each in its currency. */
function costWords(row: CallTotals): string {
  if (row.costs.length === 0) return row.unknownCost > 0 ? UNKNOWN : "0";
  return row.costs.map(({ currency, nano }) => formatMoney(nano, currency)).join(" + ");
}

/** Sums of the calls shown, by model and role. */
export function Totals({ rows }: { rows: CallTotals[] }) {
  const sums = new Map<string, number>();
  for (const row of rows)
    for (const { currency, nano } of row.costs) sums.set(currency, (sums.get(currency) ?? 0) + nano);
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
            <tr key={`${row.model} ${row.role}`}>
              <Td className="foreign min-w-28">{visible(row.model)}</Td>
              <Td className="whitespace-nowrap">{row.role}</Td>
              <Td className={NUMBER}>{formatCount(row.calls)}</Td>
              <Td className={NUMBER}>{formatCount(row.failed)}</Td>
              <Td className={NUMBER}>{formatCount(row.repaired)}</Td>
              <Td className={NUMBER}>{formatCount(row.unparsed)}</Td>
              <Td className={NUMBER}>{formatCount(row.fromCache)}</Td>
              <Td className={NUMBER}>{sumOf(row, "input")}</Td>
              <Td className={NUMBER}>{sumOf(row, "cached")}</Td>
              <Td className={NUMBER}>{sumOf(row, "output")}</Td>
              <Td className={NUMBER}>{sumOf(row, "reasoning")}</Td>
              <Td className={NUMBER}>{costWords(row)}</Td>
              <Td className="min-w-64 text-muted">{leftOut(row)}</Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </section>
  );
}
