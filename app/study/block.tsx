import Link from "next/link";
import { CurvesChart } from "@/components/charts/curves";
import { EstimateBars } from "@/components/charts/estimates";
import { StackedBars } from "@/components/charts/stacked-bars";
import { TaskStrip } from "@/components/charts/strip";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Block } from "@/lib/study/report/types";
import { visible } from "@/lib/text/glyphs";

/** A block of the report as the chart that draws such things everywhere. */
export function ReportBlock({ block: b }: { block: Block }) {
  const common = { title: visible(b.title), name: b.name, note: b.note };
  switch (b.kind) {
    case "bars":
      return (
        <EstimateBars
          {...common}
          of={barsOf(b.name)}
          unit={b.unit}
          whisker={b.whisker}
          bars={b.bars.map((bar) => ({ ...bar, name: visible(bar.name) }))}
        />
      );
    case "stacks":
      return (
        <StackedBars
          {...common}
          of={barsOf(b.name)}
          unit={b.unit}
          say={b.say}
          bars={b.bars.map((bar) => ({ ...bar, name: visible(bar.name) }))}
        />
      );
    case "curves":
      return (
        <CurvesChart
          {...common}
          xLabel={b.xLabel}
          yLabel={b.yLabel}
          log={b.log}
          curves={b.curves.map((curve) => ({ ...curve, name: visible(curve.name) }))}
        />
      );
    case "strip":
      return <TaskStrip {...common} tasks={b.tasks.map(visible)} rows={b.rows} />;
    case "table":
      return <PlainTable block={b} />;
  }
}

/** What the bars of a figure are of, by the name of its block. */
function barsOf(name: string): string {
  if (/^figure-4-/.test(name)) return "Misbehavior";
  if (/^figure-7-(misbehaviors|published)/.test(name)) return "Misbehavior and policy";
  if (/differences|^figure-6-steps/.test(name)) return "Comparison";
  if (/^figure-9-/.test(name)) return "Resource";
  if (/^figure-10-/.test(name)) return "Recipe";
  return /^figure-12/.test(name) ? "Policy and runs" : "Policy";
}

function PlainTable({ block: b }: { block: Extract<Block, { kind: "table" }> }) {
  const numeric = b.header.map((_, i) => b.rows.some((row) => typeof row[i] === "number"));
  return (
    <section className="flex min-w-0 flex-col gap-1.5 xl:col-span-2">
      <h3 className="font-medium">{visible(b.title)}</h3>
      {b.note ? <p className="text-sm text-muted">{b.note}</p> : null}
      <TableFrame label={b.title}>
        <thead>
          <tr>
            {b.header.map((h, i) => (
              <Th key={h} className={numeric[i] ? "text-right" : undefined}>
                {h}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {b.rows.map((row, r) => (
            <tr key={JSON.stringify(row)}>
              {row.map((value, i) => (
                <Td
                  key={b.header[i]}
                  className={numeric[i] ? "text-right tabular-nums" : i === 0 ? "min-w-40 foreign" : undefined}
                >
                  <Value value={value} href={i === 0 ? (b.links?.[r] ?? null) : null} />
                </Td>
              ))}
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </section>
  );
}

function Value({ value, href }: { value: string | number | null; href: string | null }) {
  if (value === null) return <span className="text-muted">not known</span>;
  const text = typeof value === "number" ? value.toLocaleString("en-US") : visible(value);
  if (href === null) return text;
  return (
    <Link href={href} prefetch={false} className="text-accent hover:underline">
      {text}
    </Link>
  );
}
