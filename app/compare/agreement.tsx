import Link from "next/link";
import { listHref } from "@/app/trajectories/search-params";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { BehaviorSummary, JudgeAgreement } from "@/lib/evaluate/behavior/summary";
import { kappaText, percentText } from "@/lib/evaluate/behavior/view";
import { visible } from "@/lib/text/glyphs";

const CELLS = [
  { key: "bothBad", first: "yes", second: "yes" },
  { key: "firstBad", first: "yes", second: "no" },
  { key: "secondBad", first: "no", second: "yes" },
  { key: "bothGood", first: "no", second: "no" },
] as const;

function Row({
  id,
  row,
  checkpoint,
  misbehavior,
}: {
  id: number;
  row: JudgeAgreement;
  checkpoint: string;
  misbehavior: string;
}) {
  return (
    <tr>
      <Td className="foreign min-w-40">{visible(misbehavior)}</Td>
      <Td className="foreign min-w-28">{visible(checkpoint)}</Td>
      <Td className="foreign min-w-36">
        {visible(row.first)} / {visible(row.second)}
      </Td>
      {CELLS.map(({ key, first, second }) => (
        <Td key={key} className="text-right">
          <Link
            href={listHref({
              measurement: id,
              measuredCheckpoint: row.checkpointId,
              measuredType: row.errorTypeId,
              verdict: [`${first}@${row.first}`, `${second}@${row.second}`],
            })}
            prefetch={false}
            className="text-accent hover:underline"
          >
            {row.table[key]}
          </Link>
        </Td>
      ))}
      <Td className="text-right">{row.agreement === null ? "not known" : percentText(row.agreement)}</Td>
      <Td className="text-right">
        {row.kappa === null ? (
          <span className="text-muted" title="Both say the same word always: chance alone would agree as often">
            not defined
          </span>
        ) : (
          kappaText(row.kappa)
        )}
      </Td>
    </tr>
  );
}

/** How far judges agree, sample by sample; each count leads to its samples. */
export function Agreement({ summary }: { summary: BehaviorSummary }) {
  if (summary.agreements.length === 0) return null;
  return (
    <section aria-labelledby="agreement" className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-center gap-1">
        <h2 id="agreement" className="font-medium">
          Agreement of judges
        </h2>
        <Term name="verdict" />
      </div>
      <p className="text-sm text-muted">
        Of samples that both judged yes or no. Kappa is agreement beyond chance: 1 is full, 0 is what chance gives.
      </p>
      <TableFrame label="Agreement of judges">
        <thead>
          <tr>
            <Th>Misbehavior</Th>
            <Th>Checkpoint</Th>
            <Th>First / second</Th>
            <Th className="text-right">Both yes</Th>
            <Th className="text-right">First alone</Th>
            <Th className="text-right">Second alone</Th>
            <Th className="text-right">Both no</Th>
            <Th className="text-right">Agreement</Th>
            <Th className="text-right">Kappa</Th>
          </tr>
        </thead>
        <tbody>
          {summary.agreements.map((row) => (
            <Row
              key={`${row.checkpointId} ${row.errorTypeId} ${row.first} ${row.second}`}
              id={summary.id}
              row={row}
              checkpoint={summary.checkpoints.find((c) => c.id === row.checkpointId)?.name ?? ""}
              misbehavior={summary.plan.misbehaviors.find((m) => m.errorTypeId === row.errorTypeId)?.name ?? ""}
            />
          ))}
        </tbody>
      </TableFrame>
    </section>
  );
}
