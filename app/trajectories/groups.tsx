import Link from "next/link";
import { NOT_STATED } from "@/components/data/not-stated";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { GroupBy, TrajectoryGroup } from "@/db/queries/trajectory-groups";
import { formatCount, formatRate, formatShare, plural, UNKNOWN, UNKNOWN_TITLE } from "@/lib/text/format";
import { statedName } from "@/lib/text/glyphs";
import { type ListParams, listHref } from "./search-params";

const MOST = 500;

/** One row a task or model; its name opens the trajectories behind it. */
export function Groups({
  groups,
  by,
  params,
  aided,
}: {
  groups: TrajectoryGroup[];
  by: GroupBy;
  params: ListParams;
  /** Whether any trajectory of the index is aided. */
  aided: boolean;
}) {
  const shown = groups.slice(0, MOST);
  const rows = groups.reduce((sum, g) => sum + g.trajectories, 0);
  const unnamed = groups.find((g) => g.name === null)?.trajectories ?? 0;
  return (
    <>
      {aided ? <OfWhich params={params} /> : null}
      <TableFrame label={`Trajectories by ${by}`}>
        <thead>
          <tr>
            <Th>{by === "task" ? "Task" : "Model"}</Th>
            <Th className="text-right">Trajectories</Th>
            <Th className="text-right">Passed</Th>
            <Th className="text-right">Steps</Th>
            <Th className="text-right">Error steps</Th>
            <Th className="text-right">Error steps per 100</Th>
          </tr>
        </thead>
        <tbody>
          {shown.map((group) => (
            <tr key={group.name ?? NOT_STATED} className="hover:bg-raised/60">
              <Td className="foreign max-w-96 min-w-40">
                <Link
                  className="hover:underline"
                  href={listHref({
                    ...params,
                    group: null,
                    after: null,
                    before: null,
                    [by]: [group.name ?? NOT_STATED],
                  })}
                  prefetch={false}
                >
                  {group.name === null ? <span className="text-muted">not stated</span> : statedName(group.name)}
                </Link>
              </Td>
              <Td className="text-right">{formatCount(group.trajectories)}</Td>
              <Td className="text-right whitespace-nowrap">
                {group.judged === 0 ? (
                  <span title="no outcome is stated" className="text-muted">
                    {UNKNOWN}
                  </span>
                ) : (
                  <span title={`${group.passed} of ${group.judged} with a stated outcome`}>
                    {formatShare(group.passed, group.judged)}
                    <span className="ml-1.5 text-xs text-muted">
                      {formatCount(group.passed)}/{formatCount(group.judged)}
                    </span>
                  </span>
                )}
              </Td>
              <Td className="text-right">{formatCount(group.steps)}</Td>
              <Td className="text-right">{formatCount(group.errorSteps)}</Td>
              <Td className="text-right" title={group.steps === 0 ? UNKNOWN_TITLE : undefined}>
                {formatRate(group.errorSteps, group.steps)}
              </Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      <p className="text-sm text-muted">
        {plural(groups.filter((g) => g.name !== null).length, by)} in {plural(rows, "trajectory", "trajectories")}
        {unnamed === 0 ? "" : `, of which ${formatCount(unnamed)} ${unnamed === 1 ? "states" : "state"} none`}.
        {groups.length > MOST ? ` The ${MOST} largest are shown; narrow the filters to see the others.` : ""}
      </p>
    </>
  );
}

/** Of which rollouts the shares are, and the way to the others. */
function OfWhich({ params }: { params: ListParams }) {
  const to = (unaided: boolean | null) => listHref({ ...params, unaided, after: null, before: null });
  return (
    <p className="text-sm text-muted">
      {params.unaided === null
        ? "Passed and error steps are of all trajectories in this list: those a teacher corrected, and those that went on from a prefix, are among them. "
        : params.unaided
          ? "Passed and error steps are of unaided rollouts alone. "
          : "Passed and error steps are of rollouts from a prefix or under a teacher. "}
      <Link href={to(params.unaided === null ? true : null)} className="text-accent underline">
        {params.unaided === null ? "Unaided rollouts alone" : "All trajectories"}
      </Link>
      {" · "}
      for scores see{" "}
      <Link href="/evaluate" className="text-accent underline">
        Evaluate
      </Link>
    </p>
  );
}
