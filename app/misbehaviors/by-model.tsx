import Link from "next/link";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { MisbehaviorOverview, ModelCorpus, ModelTypeRow } from "@/db/queries/misbehaviors";
import { SCOPES } from "@/db/schema/errors";
import { formatCount, formatShare, sharePercent } from "@/lib/text/format";
import { listHref } from "./links";

const key = (model: string | null) => model ?? "\0none";

/** Error steps per 100 steps, by model and misbehavior; each cell leads to its rows. */
export function ByModel({
  overview,
  counts,
  corpus,
}: {
  overview: MisbehaviorOverview;
  counts: ModelTypeRow[];
  corpus: ModelCorpus[];
}) {
  const cells = new Map(counts.map((c) => [`${key(c.model)}/${c.scope}`, c]));
  const columns = [
    ...overview.rows.map((m) => ({ scope: m.id, slug: m.slug, name: m.name })),
    { scope: SCOPES.unlabelled, slug: "unlabelled", name: "Unlabelled" },
  ];
  return (
    <section className="flex flex-col gap-2">
      <h2 className="font-medium">
        By model{" "}
        <span className="text-sm font-normal text-muted">
          error steps per 100 steps; the count is in the title of each cell
        </span>
      </h2>
      <TableFrame label="Error steps by model">
        <thead>
          <tr>
            <Th>Model</Th>
            <Th className="text-right">Trajectories</Th>
            <Th className="text-right">Passed</Th>
            <Th className="text-right">Error steps</Th>
            {columns.map((c) => (
              <Th key={c.slug} className="max-w-32 text-right align-bottom whitespace-normal">
                {c.name}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {corpus.map((m) => {
            const judged = m.trajectories - m.unknown;
            return (
              <tr key={key(m.model)} className="hover:bg-raised/60">
                <Td className="foreign">{m.model ?? <span className="text-muted">not stated in the file</span>}</Td>
                <Td className="text-right">
                  {m.model === null ? (
                    formatCount(m.trajectories)
                  ) : (
                    <Link href={listHref({ model: m.model })} className="text-accent hover:underline">
                      {formatCount(m.trajectories)}
                    </Link>
                  )}
                </Td>
                <Td
                  className="text-right"
                  title={`${m.passed} of ${judged} with a known outcome; ${m.unknown} unknown`}
                >
                  {formatShare(m.passed, judged)}
                </Td>
                <Td className="text-right" title={`${m.errorSteps} of ${m.steps} steps`}>
                  {rate(m.errorSteps, m.steps)}
                </Td>
                {columns.map((c) => {
                  const cell = cells.get(`${key(m.model)}/${c.scope}`);
                  return (
                    <Td key={c.slug} className="text-right" title={`${cell?.errorSteps ?? 0} of ${m.steps} steps`}>
                      {cell && m.model !== null ? (
                        <Link
                          href={listHref({ misbehavior: c.slug, model: m.model })}
                          className="text-accent hover:underline"
                        >
                          {rate(cell.errorSteps, m.steps)}
                        </Link>
                      ) : (
                        <span className={cell ? undefined : "text-muted"}>{rate(cell?.errorSteps ?? 0, m.steps)}</span>
                      )}
                    </Td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </TableFrame>
    </section>
  );
}

function rate(part: number, steps: number): string {
  const value = sharePercent(part, steps);
  return value === null ? "—" : value.toFixed(2);
}
