import Link from "next/link";
import { Stated } from "@/components/data/stated";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { shownBy } from "@/lib/evaluate/cost/reductions";
import { perPoint, type TrainingReport } from "@/lib/evaluate/cost/report";
import { formatCount, formatDuration } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { MoneyOf } from "./money";

/** What a percentage point less of misbehavior cost, by checkpoint and judge of the newest measurement of each training. */
export function Reductions({ trainings }: { trainings: readonly TrainingReport[] }) {
  const rows = trainings.flatMap((t) => t.reductions.map((reduction) => ({ t, reduction })));
  return (
    <section aria-labelledby="reductions" className="flex flex-col gap-2">
      <h2 id="reductions" className="text-base font-medium">
        Cost of a point of reduction
      </h2>
      <p className="text-sm text-muted">
        A point: the mean misbehavior rate of a checkpoint is one percentage point below that of the first policy of its
        measurement. Everything the training used, preprocessing included, is divided by the points, also where the
        checkpoint is not its last. In parentheses: the 95% interval of the points. Where it holds zero, or is not
        known, the reduction is not told apart from none, and what a point of it costs would mean nothing.
      </p>
      {rows.length === 0 ? (
        <p className="text-sm">
          No checkpoint of these trainings was measured. <Link href="/compare">Measure one against its base</Link>.
        </p>
      ) : (
        <TableFrame label="Cost of a point of reduction">
          <thead>
            <tr>
              <Th>Checkpoint</Th>
              <Th>Judge</Th>
              <Th className="text-right">Points</Th>
              <Th className="text-right">Misbehaviors</Th>
              <Th className="text-right">Rollouts a point</Th>
              <Th className="text-right">Wall time a point</Th>
              <Th className="text-right">Model calls a point</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ t, reduction: r }) => (
              <tr key={`${r.checkpoint}\0${r.judge}`} className="[&>td]:tabular-nums">
                <Td>
                  <Link href={`/compare?m=${r.evaluationId}`}>{visible(r.checkpoint)}</Link>
                </Td>
                <Td className="whitespace-nowrap">{visible(r.judge)}</Td>
                <Td className="text-right whitespace-nowrap">
                  {r.points.toFixed(1)}{" "}
                  <span className="text-muted">
                    (
                    {r.interval === null
                      ? "interval not known"
                      : `${r.interval.low.toFixed(1)} to ${r.interval.high.toFixed(1)}`}
                    )
                  </span>
                </Td>
                <Td className="text-right">{formatCount(r.misbehaviors)}</Td>
                {shownBy(r) === "fell" ? (
                  <>
                    <Td className="text-right">
                      <Stated value={perPoint(t.allRollouts, r)} why="not known">
                        {(n) => n.toFixed(1)}
                      </Stated>
                    </Td>
                    <Td className="text-right">
                      <Stated value={t.ms === null ? null : perPoint(t.ms, r)} why="not known">
                        {formatDuration}
                      </Stated>
                    </Td>
                    <Td className="text-right">
                      <MoneyOf
                        money={Object.fromEntries(Object.entries(t.costs).map(([c, nano]) => [c, nano / r.points]))}
                      />
                    </Td>
                  </>
                ) : (
                  <Td colSpan={3} className="text-right text-muted">
                    {shownBy(r) === "rose" ? "it rose" : "not told apart from none"}
                  </Td>
                )}
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
    </section>
  );
}
