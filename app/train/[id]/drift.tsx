import { CurvesChart } from "@/components/charts/curves";
import { Stated } from "@/components/data/stated";
import { Badge } from "@/components/ui/badge";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import { getDb } from "@/db/client";
import { driftRows } from "@/db/queries/drift";
import { kappaText, percentText, pointsText, rangeText } from "@/lib/evaluate/behavior/view";
import { type DriftStretch, driftOf } from "@/lib/evaluate/drift";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { DriftForm } from "./drift-form";

/** The judge that pays against one that does not, on the same rollouts: a gap that opens is the sign of a gamed judge. */
export function Drift({ trainingId, judges }: { trainingId: number; judges: string[] }) {
  const drifts = driftOf(driftRows(getDb(), trainingId));
  return (
    <section aria-labelledby="drift" className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center gap-1">
        <h2 id="drift" className="font-medium">
          Judge drift
        </h2>
        <Term name="behavior judge" />
      </div>
      <p className="text-sm text-muted">
        A policy that is paid by a judge may learn what this judge overlooks. A second judge that pays nothing reads the
        same rollouts; where it finds the misbehavior more and more often than the paying one, the reward is no longer
        what it seems.
      </p>
      {drifts.map((drift) => (
        <div key={drift.judge} className="flex min-w-0 flex-col gap-2">
          <CurvesChart
            title={`Misbehavior found, by the paying judge and by ${visible(drift.judge)}`}
            name={`training-${trainingId}-drift`}
            xLabel="step"
            yLabel="% of rollouts"
            note={`The same ${plural(
              drift.steps.reduce((sum, s) => sum + s.n, 0),
              "rollout",
            )}${drift.unjudged > 0 ? `; on ${formatCount(drift.unjudged)} more the second judge gave no verdict` : ""}.`}
            curves={(["paying", "other"] as const).map((who) => ({
              name: who === "paying" ? "paying judge" : visible(drift.judge),
              points: drift.steps.map((s) => ({
                x: s.step,
                y: 100 * s[who],
                says: `step ${s.step}: ${percentText(s[who])} of ${plural(s.n, "rollout")}`,
                href: `/train/${trainingId}?step=${s.step}`,
              })),
            }))}
          />
          <TableFrame label={`Drift against ${visible(drift.judge)}`}>
            <thead>
              <tr>
                <Th>Steps</Th>
                <Th className="text-right">Both yes</Th>
                <Th className="text-right">Paying alone</Th>
                <Th className="text-right">Second alone</Th>
                <Th className="text-right">Both no</Th>
                <Th className="text-right">Kappa</Th>
                <Th className="text-right">Gap, points</Th>
                <Th className="text-right">95% interval</Th>
              </tr>
            </thead>
            <tbody>
              <Stretch stretch={drift.early} />
              <Stretch stretch={drift.late} />
            </tbody>
          </TableFrame>
          <p className="text-sm">
            {drift.widening ? (
              <>
                <Badge tone="warn">widening</Badge> The second judge finds more than the paying one, and more so in the
                second half.
              </>
            ) : (
              "The gap did not widen beyond its interval."
            )}
          </p>
        </div>
      ))}
      <DriftForm trainingId={trainingId} judges={judges} />
    </section>
  );
}

function Stretch({ stretch: { from, to, table, kappa, gap } }: { stretch: DriftStretch }) {
  return (
    <tr className="[&>td]:text-right [&>td]:tabular-nums">
      <Td className="text-left! whitespace-nowrap">
        {from} to {to}
      </Td>
      <Td>{formatCount(table.bothBad)}</Td>
      <Td>{formatCount(table.firstBad)}</Td>
      <Td>{formatCount(table.secondBad)}</Td>
      <Td>{formatCount(table.bothGood)}</Td>
      <Td>
        <Stated value={kappa} why="not known">
          {kappaText}
        </Stated>
      </Td>
      <Td>
        <Stated value={gap.value} why="not known">
          {pointsText}
        </Stated>
      </Td>
      <Td className="whitespace-nowrap">{rangeText(gap.interval, pointsText)}</Td>
    </tr>
  );
}
