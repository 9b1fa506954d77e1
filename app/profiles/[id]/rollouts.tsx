import { CircleCheck, CircleSlash2, OctagonX } from "lucide-react";
import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { RolloutRow } from "@/db/queries/profiles";
import { formatCount, formatDuration, formatReward } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { type ProfileParams, profileHref, STATUSES } from "./search-params";

const LOOKS = {
  finished: { tone: "neutral", Icon: CircleCheck },
  discarded: { tone: "warn", Icon: OctagonX },
  void: { tone: "warn", Icon: CircleSlash2 },
} as const;
const ENDED: Record<string, string> = {
  submitted: "submitted",
  steps: "steps ran out",
  context: "context full",
  format: "format errors",
};

function Status({ row }: { row: RolloutRow }) {
  const { tone, Icon } = LOOKS[row.status as keyof typeof LOOKS] ?? LOOKS.finished;
  return (
    <>
      <Badge tone={tone}>
        <Icon aria-hidden /> {row.status}
      </Badge>
      {row.ended ? <span className="ml-1.5 text-xs text-muted">{ENDED[row.ended] ?? row.ended}</span> : null}
      {row.voidReason ? <span className="foreign block text-xs text-muted">{visible(row.voidReason)}</span> : null}
    </>
  );
}

/** The rollouts of a profile, in the order in which they ended. */
export function Rollouts({
  id,
  rows,
  params,
  counts,
  next,
}: {
  id: number;
  rows: RolloutRow[];
  params: ProfileParams;
  counts: Record<(typeof STATUSES)[number], number>;
  next: string | null;
}) {
  return (
    <section aria-labelledby="rollouts" className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id="rollouts" className="font-medium">
          Rollouts
        </h2>
        <nav aria-label="Rollouts by status" className="flex flex-wrap gap-1">
          {[null, ...STATUSES].map((status) => (
            <Button key={status ?? "all"} asChild size="sm" variant="ghost">
              <Link
                href={profileHref(id, { status })}
                scroll={false}
                aria-current={params.status === status ? "true" : undefined}
                className={params.status === status ? "bg-accent-soft text-accent" : undefined}
              >
                {status === null ? "all" : `${status} ${formatCount(counts[status])}`}
              </Link>
            </Button>
          ))}
        </nav>
      </div>
      {rows.length === 0 ? (
        <p className="text-sm text-muted">None{params.status === null ? " yet" : ` is ${params.status}`}.</p>
      ) : (
        <TableFrame label="Rollouts">
          <thead>
            <tr>
              <Th>Environment</Th>
              <Th className="text-right" title="Each environment is rolled out several times, counted from 1">
                Rollout of it
              </Th>
              <Th>Status</Th>
              <Th className="text-right">Reward</Th>
              <Th className="text-right">Steps</Th>
              <Th className="text-right">Error steps</Th>
              <Th className="text-right">
                Tries of the teacher <Term name="teacher" />
              </Th>
              <Th className="text-right">Took</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id} className="hover:bg-raised/60">
                <Td className="min-w-40">
                  {row.trajectoryId === null ? (
                    <Link
                      href={`/environments/${row.environmentId}`}
                      prefetch={false}
                      className="foreign hover:underline"
                    >
                      {visible(row.environment)}
                    </Link>
                  ) : (
                    <Link
                      href={`/trajectories/${row.trajectoryId}`}
                      prefetch={false}
                      className="foreign text-accent hover:underline"
                    >
                      {visible(row.environment)}
                    </Link>
                  )}
                </Td>
                <Td className="text-right">{formatCount(row.number)}</Td>
                <Td className="min-w-40">
                  <Status row={row} />
                </Td>
                <Td className="text-right">
                  {row.outcomeReward === null ? (
                    <span className="text-muted">none</span>
                  ) : (
                    formatReward(row.outcomeReward)
                  )}
                </Td>
                <Td className="text-right">{formatCount(row.steps)}</Td>
                <Td className="text-right">{formatCount(row.errorSteps)}</Td>
                <Td className="text-right">{formatCount(row.corrections)}</Td>
                <Td className="text-right whitespace-nowrap text-muted">
                  {row.durationMs === null ? "—" : formatDuration(row.durationMs)}
                </Td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
      <div className="flex gap-2">
        {params.after === null ? null : (
          <Button asChild size="sm">
            <Link href={profileHref(id, { status: params.status })} scroll={false}>
              From the start
            </Link>
          </Button>
        )}
        {next === null ? null : (
          <Button asChild size="sm">
            <Link href={next} scroll={false}>
              Next
            </Link>
          </Button>
        )}
      </div>
    </section>
  );
}
