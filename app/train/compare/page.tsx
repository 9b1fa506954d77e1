import { ChartSpline } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { METRICS, metricName } from "@/app/train/metrics";
import { LOOKS } from "@/components/charts/marks";
import { isZeroToRounding } from "@/components/charts/rounding";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { trainingRow, trainingSteps } from "@/db/queries/trainings";
import { plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { stepMetrics } from "@/lib/train/run/metrics";
import { Choices } from "./choices";
import { Differing } from "./differing";
import { Overlay } from "./overlay";
import { AXIS_NAMES, overlayRows, pointsOf, smoothingName } from "./overlay-rows";
import { loadCompareParams } from "./search-params";

export const metadata: Metadata = { title: "Compare trainings" };
export const dynamic = "force-dynamic";

/** As many as there are looks of lines. */
const MOST = LOOKS.length;

const names = (rows: { name: string }[]) => rows.map((row) => visible(row.name)).join(", ");

export default async function CompareTrainingsPage({ searchParams }: PageProps<"/train/compare">) {
  const { ids, metric: key, x, smooth } = await loadCompareParams(searchParams);
  const db = getDb();
  const asked = [...new Set(ids ?? [])];
  const found = asked.flatMap((id) => trainingRow(db, id) ?? []);
  const [drawn, more] = [found.slice(0, MOST), found.slice(MOST)];
  const metric = METRICS.find((m) => m.key === key) ?? (METRICS[0] as (typeof METRICS)[number]);
  const lines = drawn.map(({ id }) =>
    pointsOf(
      trainingSteps(db, id).map((row) => {
        const metrics = stepMetrics.parse(row.metrics);
        return { step: row.step, rollouts: metrics.rollouts, ms: metrics.ms.total, value: metric.of(metrics) };
      }),
    ),
  );
  const zeroBelow =
    metric.zeroBelow !== undefined &&
    isZeroToRounding(
      lines.flatMap((points) => points.map((p) => p.value)),
      metric.zeroBelow,
    )
      ? metric.zeroBelow
      : null;
  const without = drawn.filter((_, k) => !lines[k]?.some((p) => p.value !== null && p[x] !== null));
  const back = (
    <Button asChild size="sm">
      <Link href="/train">Choose trainings</Link>
    </Button>
  );
  return (
    <Page title="Compare trainings" note={plural(drawn.length, "training")} actions={back}>
      {asked.length > found.length ? (
        <p className="text-sm text-warn">
          {plural(asked.length - found.length, "training")} of the address is not there.
        </p>
      ) : null}
      {more.length > 0 ? (
        <p className="text-sm text-warn">
          {MOST} trainings fit on a chart. Left out: <span className="foreign">{names(more)}</span>.
        </p>
      ) : null}
      {drawn.length === 0 ? (
        <StateMessage icon={<ChartSpline aria-hidden />} title="No training chosen" actions={back}>
          Tick trainings in the list and press “Compare the chosen”.
        </StateMessage>
      ) : (
        <>
          <Choices />
          <Overlay
            title={metricName(metric)}
            note={`${zeroBelow === null ? "" : `All of it is zero to rounding (below ${zeroBelow.toExponential()}). `}Over ${AXIS_NAMES[x]}, ${smoothingName(smooth)}. A click on a point opens that training’s groups of the step; so do the numbers of the table.`}
            x={AXIS_NAMES[x]}
            trainings={drawn.map(({ id, name }) => ({ id, name }))}
            rows={overlayRows(lines, x, smooth)}
            zeroBelow={zeroBelow}
          />
          {without.length > 0 ? (
            <p className="text-sm text-muted">
              Nothing to draw of <span className="foreign">{names(without)}</span>: no step has this number yet.
            </p>
          ) : null}
          <Differing trainings={drawn} />
        </>
      )}
    </Page>
  );
}
