import { ChartSpline } from "lucide-react";
import Link from "next/link";
import { JobStatusBadge } from "@/components/jobs/status";
import { Button } from "@/components/ui/button";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { TrainingRow } from "@/db/queries/trainings";
import { formatCount, formatMeanReward, formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const planned = (settings: unknown): number => Number((settings as { steps?: number }).steps ?? 0);

const mean = (value: number | null) =>
  value === null ? <span className="text-muted">none</span> : formatMeanReward(value);

/** Trainings with how far they are and what they are paid now. */
export function TrainingTable({ rows }: { rows: TrainingRow[] }) {
  return (
    <form action="/train/compare" className="flex flex-col gap-2">
      <TableFrame label="Trainings">
        <thead>
          <tr>
            <Th>
              <span className="sr-only">Choose</span>
            </Th>
            <Th>Training</Th>
            <Th>State</Th>
            <Th>Recipe</Th>
            <Th>From</Th>
            <Th className="text-right">Steps</Th>
            <Th className="text-right" title="mean over the last ten steps">
              Reward now
            </Th>
            <Th className="text-right" title="r_o, mean over the last ten steps">
              Outcome <Term name="outcome reward" />
            </Th>
            <Th className="text-right" title="r_e, mean over the last ten steps">
              Behavior <Term name="behavior reward" />
            </Th>
            <Th className="text-right">Asked for (UTC)</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="hover:bg-raised/60">
              <Td>
                <input
                  type="checkbox"
                  name="ids"
                  value={row.id}
                  aria-label={`Choose ${visible(row.name)}`}
                  className="size-4 accent-(--accent)"
                />
              </Td>
              <Td className="min-w-40">
                <Link
                  href={`/train/${row.id}`}
                  prefetch={false}
                  className="foreign font-medium text-accent hover:underline"
                >
                  {visible(row.name)}
                </Link>
              </Td>
              <Td>
                {row.jobStatus === null ? (
                  <span className="text-muted">job not kept</span>
                ) : (
                  <JobStatusBadge status={row.jobStatus} />
                )}
              </Td>
              <Td className="foreign min-w-32">{visible(row.recipe)}</Td>
              <Td className="min-w-28">
                {row.baseId === null ? (
                  <span className="text-muted">not stated</span>
                ) : (
                  <Link href={`/models/${row.baseId}`} prefetch={false} className="foreign hover:underline">
                    {visible(row.base ?? String(row.baseId))}
                  </Link>
                )}
              </Td>
              <Td className="text-right whitespace-nowrap">
                {formatCount(row.steps)}{" "}
                <span className="text-xs text-muted">of {formatCount(planned(row.settings))}</span>
              </Td>
              <Td className="text-right">{mean(row.reward)}</Td>
              <Td className="text-right">{mean(row.outcomeReward)}</Td>
              <Td className="text-right">{mean(row.behaviorReward)}</Td>
              <Td className="text-right whitespace-nowrap text-muted">{formatTime(row.createdAt)}</Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      <Button type="submit" size="sm" className="self-start">
        <ChartSpline aria-hidden /> Compare the chosen
      </Button>
    </form>
  );
}
