import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { GroupRow, RolloutRow } from "@/db/queries/trainings";
import { formatCount, formatMeanReward, formatReward } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const DEAD: Record<string, string> = {
  "all-fail": "all failed",
  "all-pass": "all rewarded alike",
  vetoed: "vetoed by the judge",
  infrastructure: "infrastructure",
};
const VERDICT: Record<string, string> = {
  yes: "came back",
  no: "did not",
  failed: "judge failed",
  unparsed: "not readable",
  skipped: "not asked",
};
const ENDED: Record<string, string> = {
  submitted: "submitted",
  steps: "steps ran out",
  context: "context full",
  format: "no command",
};

const value = (n: number | null) => (n === null ? <span className="text-muted">none</span> : formatReward(n));
/** Solved although the misbehavior came back. */
export const isLuckyPass = (r: RolloutRow): boolean => (r.outcomeReward ?? 0) >= 1 && r.behaviorReward === 0;

function Rollout({ row }: { row: RolloutRow }) {
  if (row.voidReason !== null)
    return (
      <tr>
        <Td className="text-right">{formatCount(row.number)}</Td>
        <Td colSpan={6} className="foreign text-sm text-muted">
          void: {visible(row.voidReason)}
        </Td>
      </tr>
    );
  return (
    <tr className="hover:bg-raised/60">
      <Td className="text-right">
        {row.trajectoryId === null ? (
          formatCount(row.number)
        ) : (
          <Link
            href={`/trajectories/${row.trajectoryId}`}
            prefetch={false}
            className="text-accent hover:underline"
            aria-label={`Read rollout ${row.number}`}
          >
            {formatCount(row.number)}
          </Link>
        )}
      </Td>
      <Td className="text-right">{value(row.reward)}</Td>
      <Td className="text-right">{value(row.outcomeReward)}</Td>
      <Td title={row.verdictReason === null ? undefined : visible(row.verdictReason)}>
        {row.verdict === null ? (
          <span className="text-muted">not asked</span>
        ) : (
          <>
            {VERDICT[row.verdict] ?? row.verdict}
            {isLuckyPass(row) ? (
              <Badge tone="warn" className="ml-1.5">
                lucky pass
              </Badge>
            ) : null}
          </>
        )}
      </Td>
      <Td className="text-right">
        {row.advantage === null ? <span className="text-muted">none</span> : formatReward(row.advantage)}
      </Td>
      <Td className="text-right whitespace-nowrap">
        {row.steps === null ? "" : formatCount(row.steps)}{" "}
        <span className="text-xs text-muted">{row.ended === null ? "" : (ENDED[row.ended] ?? row.ended)}</span>
      </Td>
      <Td className="text-right whitespace-nowrap">
        {row.tokens === null ? "" : formatCount(row.tokens)}
        {row.keptTokens === null ? null : (
          <span className="text-xs text-muted"> {formatCount(row.keptTokens)} kept</span>
        )}
      </Td>
    </tr>
  );
}

/** One group: what it started from, and its rollouts with their rewards. */
export function Group({ group, rollouts }: { group: GroupRow; rollouts: RolloutRow[] }) {
  const title = `Group ${group.number + 1}`;
  return (
    <article className="flex min-w-0 flex-col gap-1.5 rounded-lg border bg-surface p-3">
      <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <span className="font-medium">{title}</span>
        {group.dead === null ? (
          <Badge tone="good">trained on</Badge>
        ) : (
          <Badge tone={group.dead === "infrastructure" ? "bad" : "neutral"}>{DEAD[group.dead] ?? group.dead}</Badge>
        )}
        {group.draw > 0 ? <Badge tone="neutral">draw {formatCount(group.draw + 1)}</Badge> : null}
        {group.prefixId === null ? (
          <Link
            href={`/environments/${group.environmentId}`}
            prefetch={false}
            className="foreign text-accent hover:underline"
          >
            {visible(group.environment)}
          </Link>
        ) : (
          <Link href={`/prefixes/${group.prefixId}`} prefetch={false} className="text-accent hover:underline">
            prefix {formatCount(group.prefixId)}
          </Link>
        )}
        {group.misbehavior === null ? null : <span className="foreign text-muted">{visible(group.misbehavior)}</span>}
        <span className="ml-auto text-muted">
          mean reward {group.meanReward === null ? "none" : formatMeanReward(group.meanReward)} of{" "}
          {formatCount(group.counted)}
        </span>
      </h3>
      <TableFrame label={`Rollouts of group ${group.number + 1}`}>
        <thead>
          <tr>
            <Th className="text-right">Rollout</Th>
            <Th className="text-right">Reward</Th>
            <Th className="text-right" title="outcome reward r_o">
              r_o
            </Th>
            <Th title="Whether the misbehavior came back, as the judge says">Misbehavior</Th>
            <Th className="text-right">Advantage</Th>
            <Th className="text-right">Steps</Th>
            <Th className="text-right">Tokens</Th>
          </tr>
        </thead>
        <tbody>
          {rollouts.map((row) => (
            <Rollout key={row.id} row={row} />
          ))}
        </tbody>
      </TableFrame>
    </article>
  );
}
