import Link from "next/link";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { PooledEstimate } from "@/lib/study/report/pool";
import { judgeWord, percent } from "@/lib/study/report/say";
import type { PooledRecipe, StudyReport } from "@/lib/study/report/types";
import type { StudyState } from "@/lib/study/state";
import { plural, UNKNOWN } from "@/lib/text/format";

const BASE = "base";

/** One quantity of the study: its head, and of base and each recipe the value. */
interface Column {
  key: string;
  head: React.ReactNode;
  base: PooledEstimate;
  recipes: readonly PooledRecipe[];
  /** What stands behind it. */
  href: string | null;
  /** The reduction against base is told too. */
  reduction: boolean;
}

function columnsOf({ rates, scores, ends }: StudyReport, made: StudyState["made"]): Column[] {
  const measurement = made.rates ? `/compare?m=${made.rates.evaluationId}` : null;
  const columns: Column[] = rates.map((r) => ({
    key: r.judge,
    head: `Misbehavior rate, ${judgeWord(r.judge)}`,
    base: r.base,
    recipes: r.recipes,
    href: measurement,
    reduction: true,
  }));
  if (scores) columns.push({ key: "score", head: "Held-out score", ...scores, href: "/evaluate", reduction: false });
  if (ends)
    columns.push({ key: "ends", head: "Passed, from the prefixes on", ...ends, href: measurement, reduction: false });
  return columns;
}

/** The reduction as a word beside a rate: an increase is called one. */
const changed = ({ value }: PooledEstimate): string | null =>
  value === null ? null : `${percent(Math.abs(value))} ${value < 0 ? "more" : "fewer"}`;

function Value({ of, against }: { of: PooledEstimate | undefined; against: PooledEstimate | null }) {
  if (!of || of.value === null) return <span className="text-muted">{of ? UNKNOWN : "not measured"}</span>;
  const told = against && changed(against);
  return (
    <>
      <span className="tabular-nums">{percent(of.value)}</span>{" "}
      <span className="text-xs whitespace-nowrap text-muted tabular-nums">
        {of.interval === null ? "" : `${(100 * of.interval.low).toFixed(1)}–${(100 * of.interval.high).toFixed(1)}`}
      </span>
      {told ? <span className="block text-xs whitespace-nowrap">{told}</span> : null}
    </>
  );
}

/** The study in one table: base and each recipe by misbehavior rate under each judge, and by score. Nothing where nothing is measured. */
export function StudySummary({ report, made }: { report: StudyReport; made: StudyState["made"] }) {
  const columns = columnsOf(report, made);
  const first = columns[0];
  if (!first) return null;
  const { rates, scores } = report;
  const over = [
    rates[0] ? `rates over ${rates[0].prefixes} unseen prefixes of ${rates[0].misbehaviors.length} misbehaviors` : null,
    scores ? `score over ${plural(scores.environments, "held-out environment")}` : null,
  ].filter((part) => part !== null);
  return (
    <div className="flex flex-col gap-1">
      <TableFrame label="The study in one table">
        <thead>
          <tr>
            <Th className="align-bottom">
              Recipe <Term name="recipe" />
            </Th>
            <Th className="text-right align-bottom">Seeds</Th>
            {columns.map((c) => (
              <Th key={c.key} className="max-w-44 py-1 text-right align-bottom whitespace-normal">
                {c.href === null ? (
                  c.head
                ) : (
                  <Link href={c.href} prefetch={false} className="text-accent hover:underline">
                    {c.head}
                  </Link>
                )}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <Td className="min-w-32">{BASE}</Td>
            <Td className="text-right text-muted">—</Td>
            {columns.map((c) => (
              <Td key={c.key} className="text-right">
                <Value of={c.base} against={null} />
              </Td>
            ))}
          </tr>
          {first.recipes.map((r) => (
            <tr key={r.recipe} className={r.recipe === "mirl" ? "bg-raised/60 font-medium" : undefined}>
              <Td className="min-w-32">{r.title}</Td>
              <Td className="text-right">{r.seeds.length}</Td>
              {columns.map((c) => {
                const row = c.recipes.find((x) => x.recipe === r.recipe);
                return (
                  <Td key={c.key} className="text-right">
                    <Value of={row?.mean} against={c.reduction && row ? row.against : null} />
                  </Td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </TableFrame>
      <p className="text-xs text-muted">
        Means with 95% intervals; {over.join(", ")}. “Fewer” is against base. With one seed the interval leaves out how
        far training again would move the value.
      </p>
    </div>
  );
}
