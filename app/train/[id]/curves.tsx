"use client";
import { useRouter } from "next/navigation";
import { KEPT, METRICS } from "@/app/train/metrics";
import { trainHref } from "@/app/train/search-params";
import { type LinePanel, LinesChart } from "@/components/charts/lines";
import { Term } from "@/components/ui/term";
import type { StepMetrics } from "@/lib/train/run/metrics";

interface Point {
  step: number;
  metrics: StepMetrics;
}

const PANELS: LinePanel[] = [...new Set(METRICS.map((m) => m.panel))].map((title) => {
  const own = METRICS.filter((m) => m.panel === title);
  const zeroBelow = own[0]?.zeroBelow;
  return {
    title,
    series: own.map(({ key, label }) => ({ key, label })),
    share: title === KEPT,
    ...(zeroBelow === undefined ? {} : { zeroBelow }),
  };
});

/** Column of the step itself; "steps" is a metric. */
const X = "at";

const rowOf = ({ step, metrics }: Point): Record<string, number | null> => ({
  [X]: step,
  ...Object.fromEntries(METRICS.map(({ key, of }) => [key, of(metrics)])),
});

/** Curves of a training; a click on a point opens the groups of its step. */
export function Curves({ id, steps, chosen }: { id: number; steps: Point[]; chosen: number | null }) {
  const router = useRouter();
  const rows = steps.map(rowOf);
  // Files of another engine do not say most of this: a panel that will stay empty is none.
  const elsewhere = steps.every(({ metrics }) => metrics.ms.total === null);
  const known = (panel: LinePanel) => panel.series.some(({ key }) => rows.some((row) => row[key] !== null));
  return (
    <LinesChart
      title="Curves"
      note={
        <>
          Means over a step’s rollouts: rewards <Term name="outcome reward" />, groups without spread{" "}
          <Term name="dead group" /> and the rest. A click on a step shows its groups below; the list there has every
          step too.
        </>
      }
      name={`training-${id}`}
      x={{ key: X, label: "step" }}
      panels={elsewhere ? PANELS.filter(known) : PANELS}
      rows={rows}
      chosen={chosen}
      onChoose={(step) => router.push(`${trainHref(id, { step })}#groups`, { scroll: false })}
    />
  );
}
