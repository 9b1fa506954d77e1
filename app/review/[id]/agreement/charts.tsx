import { type EstimateBar, EstimateBars } from "@/components/charts/estimates";
import { LinesChart } from "@/components/charts/lines";
import { two } from "@/components/data/agreement-numbers";
import type { Coefficient } from "@/lib/evaluate/stats/agreement/coefficient";
import type { DriftPoint } from "@/lib/review/agreement/raters";
import { plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const hundred = (n: number | null | undefined): number | null => (n === null || n === undefined ? null : 100 * n);

/** Coefficients as bars; 100 is full agreement, 0 what chance gives. */
export function CoefficientBars({
  title,
  note,
  name,
  of,
  rows,
}: {
  title: string;
  note: string;
  name: string;
  /** What a bar is of, in singular. */
  of: string;
  rows: readonly { name: string; of: Coefficient }[];
}) {
  const bars = rows.map(
    ({ name: row, of: agreement }): EstimateBar => ({
      name: visible(row),
      value: hundred(agreement.value),
      low: hundred(agreement.interval?.low),
      high: hundred(agreement.interval?.high),
      says:
        agreement.value === null
          ? "not defined"
          : `${two(agreement.value)} over ${plural(agreement.items, "item")}${agreement.interval === null ? "" : `, 95% ${two(agreement.interval.low)} to ${two(agreement.interval.high)}`}`,
      href: null,
    }),
  );
  return (
    <EstimateBars
      title={title}
      note={note}
      name={name}
      of={of}
      unit=""
      whisker="95% interval, bootstrap over items"
      bars={bars}
    />
  );
}

/** Agreement of each rater with the others over their own work. */
export function Drift({
  drift,
  name,
}: {
  drift: readonly { personId: number; person: string; points: DriftPoint[] }[];
  name: string;
}) {
  if (drift.length === 0)
    return (
      <p className="text-sm text-muted">
        Drift over time needs ten answers of one person that somebody else has answered, too.
      </p>
    );
  const rows = Array.from(
    { length: 10 },
    (_, i): Record<string, number | null> => ({
      part: i + 1,
      ...Object.fromEntries(drift.map((d) => [`p${d.personId}`, d.points[i]?.share ?? null])),
    }),
  );
  return (
    <LinesChart
      title="Agreement with the others over one’s own work"
      note="Share of pairs with the same answer, by tenths of a person’s answers in the order they were given. A fall says that somebody tires or reads the guideline anew."
      name={name}
      x={{ key: "part", label: "Tenth of the answers" }}
      panels={drift.map((d) => ({
        title: visible(d.person),
        series: [{ key: `p${d.personId}`, label: visible(d.person) }],
        share: true,
      }))}
      rows={rows}
    />
  );
}
