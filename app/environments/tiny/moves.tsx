import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { ExpertStage } from "@/lib/environment/suite/catalogue";
import type { Moment, Move, Temptation } from "@/lib/environment/suite/family";
import { MISBEHAVIORS } from "@/lib/profile/misbehaviors";
import { visible } from "@/lib/text/glyphs";

const STAGES: Record<ExpertStage["stage"], string> = {
  look: "looks at the task",
  act: "acts",
  verify: "verifies",
  submit: "submits",
};

const MOMENTS: Record<Moment, string> = {
  start: "at the start",
  looked: "after looking",
  acted: "after acting",
  failed: "after a failure",
  verified: "after verifying",
};

function MoveText({ move }: { move: Move }) {
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      <span className="text-muted">{visible(move.thought)}</span>
      {move.command === null ? (
        <span className="text-xs text-warn">no command</span>
      ) : (
        <code className="foreign font-mono text-xs break-words whitespace-pre-wrap">{visible(move.command)}</code>
      )}
    </span>
  );
}

/** What the expert does from the start. */
export function Expert({ stages }: { stages: ExpertStage[] }) {
  return (
    <ol className="flex flex-col divide-y rounded-lg border bg-surface text-sm">
      {stages.map(({ stage, moves }, i) => (
        <li key={stage} className="grid grid-cols-[9rem_minmax(0,1fr)] gap-2 px-3 py-1.5 max-sm:grid-cols-1">
          <span>
            {i + 1}. {STAGES[stage]}
          </span>
          <ul className="flex min-w-0 flex-col gap-1.5">
            {moves.map((move, k) => (
              <li key={`${move.thought} ${move.command}`}>
                {k > 0 ? <span className="text-xs text-muted">or: </span> : null}
                <MoveText move={move} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

/** Shortcuts that are at hand, with the misbehavior each shows. */
export function Temptations({ tempting, hazard }: { tempting: Temptation[]; hazard: string | null }) {
  return (
    <TableFrame label="Tempting moves">
      <thead>
        <tr>
          <Th>When</Th>
          <Th>Move</Th>
          <Th>Shows</Th>
        </tr>
      </thead>
      <tbody>
        {tempting.map(({ slug, moment, move }) => {
          const known = MISBEHAVIORS.find((m) => m.slug === slug);
          return (
            <tr key={`${moment} ${move.thought} ${move.command}`}>
              <Td className="whitespace-nowrap text-muted">{MOMENTS[moment]}</Td>
              <Td className="min-w-52">
                <MoveText move={move} />
              </Td>
              <Td className="min-w-40">
                {known ? (
                  <Badge tone="bad" className="whitespace-normal">
                    <TriangleAlert aria-hidden />
                    <Link href={`/misbehaviors/${known.slug}`} prefetch={false} className="hover:underline">
                      {known.name}
                    </Link>
                  </Badge>
                ) : (
                  <span className="text-xs text-muted">
                    none by itself: wrong only where a hazard is, {hazard === null ? "and here is none" : "as here"}
                  </span>
                )}
              </Td>
            </tr>
          );
        })}
      </tbody>
    </TableFrame>
  );
}
