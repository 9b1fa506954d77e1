import Link from "next/link";
import { Stated } from "@/components/data/stated";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { TrainingReport } from "@/lib/evaluate/cost/report";
import { formatCount, formatDuration } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { MoneyOf } from "./money";

const percent = (share: number) => `${(100 * share).toFixed(1)}%`;

/** Trainings by what they used, measured beside the formula on their settings. */
export function Trainings({ trainings }: { trainings: readonly TrainingReport[] }) {
  return (
    <section aria-labelledby="trainings" className="flex flex-col gap-2">
      <h2 id="trainings" className="text-base font-medium">
        Trainings
      </h2>
      <p className="text-sm text-muted">
        Formula: steps x groups x rollouts a group / (1 - dead share), plus the rollouts of the profiles that its starts
        came from: prefixes, environments that prefixes chose, or accepted trajectories (RaR+: none, as the paper
        counts). Measured is what ran. 2/T: the paper’s estimate of the share of input that no cache holds, at the
        training’s own steps a rollout; rollouts of one step read everything anew, so it is at most 1.
      </p>
      <TableFrame label="Resources of trainings">
        <thead>
          <tr>
            <Th>Training</Th>
            <Th>Recipe</Th>
            <Th className="text-right">Steps</Th>
            <Th className="text-right">Rollouts</Th>
            <Th className="text-right">With profile</Th>
            <Th className="text-right">Formula</Th>
            <Th className="text-right">Void</Th>
            <Th className="text-right">Environments</Th>
            <Th className="text-right">
              Dead groups <Term name="dead group" />
            </Th>
            <Th className="text-right">Sampled tokens</Th>
            <Th className="text-right">Uncached, 2/T</Th>
            <Th className="text-right">Wall time</Th>
            <Th className="text-right">Model calls</Th>
          </tr>
        </thead>
        <tbody>
          {trainings.map((t) => (
            <tr key={t.id} className="[&>td]:text-right [&>td]:tabular-nums">
              <Td className="text-left!">
                <Link href={`/train/${t.id}`}>{visible(t.name)}</Link>
              </Td>
              <Td className="text-left!">{visible(t.recipe)}</Td>
              <Td>{formatCount(t.steps)}</Td>
              <Td>{formatCount(t.rollouts)}</Td>
              <Td>{formatCount(t.allRollouts)}</Td>
              <Td>
                <Stated value={t.estimatedRollouts} why="not known">
                  {(n) => formatCount(Math.round(n))}
                </Stated>
              </Td>
              <Td>{formatCount(t.void)}</Td>
              <Td>{formatCount(t.environments)}</Td>
              <Td title={`${t.dead} of ${t.groups} groups`}>{percent(t.deadShare)}</Td>
              <Td>
                <Stated value={t.tokens} why="not known">
                  {formatCount}
                </Stated>
              </Td>
              <Td>
                <Stated value={t.uncachedEstimate} why="not known">
                  {(u) => u.toFixed(2)}
                </Stated>
              </Td>
              <Td>
                <Stated value={t.ms} why="not known">
                  {formatDuration}
                </Stated>
              </Td>
              <Td title={t.unpriced > 0 ? `${t.unpriced} calls without a cost` : undefined}>
                <MoneyOf money={t.costs} />
                {t.unpriced > 0 ? <span className="text-muted"> + {formatCount(t.unpriced)} not priced</span> : null}
              </Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </section>
  );
}
