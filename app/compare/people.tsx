import Link from "next/link";
import { QualityCells, QualityHeads } from "@/components/data/quality-cells";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Db } from "@/db/client";
import type { BehaviorSummary } from "@/lib/evaluate/behavior/summary";
import { judgesAgainstPeople } from "@/lib/evaluate/people/judges";
import { visible } from "@/lib/text/glyphs";

/** Precision and recall of a measurement's judges against people's decisions on its windows. */
export function JudgesAgainstPeople({ db, summary }: { db: Db; summary: BehaviorSummary }) {
  const rows = judgesAgainstPeople(db, summary.id);
  const name = (id: number) => summary.plan.misbehaviors.find((m) => m.errorTypeId === id)?.name ?? `type ${id}`;
  return (
    <section aria-labelledby="judges-people" className="flex min-w-0 flex-col gap-1.5">
      <h2 id="judges-people" className="font-medium">
        Judges against people
      </h2>
      {rows.length === 0 ? (
        <p className="text-sm text-muted">
          Not known: nobody has labelled windows of this measurement.{" "}
          <Link href="/review" className="text-accent hover:underline">
            Review some of them
          </Link>
        </p>
      ) : (
        <>
          <TableFrame label="Judges against people">
            <thead>
              <tr>
                <Th>Misbehavior</Th>
                <Th>Judge</Th>
                <Th>People</Th>
                <QualityHeads of="Windows" />
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={`${row.errorTypeId} ${row.judge} ${row.source}`}>
                  <Td className="foreign min-w-40">{visible(name(row.errorTypeId))}</Td>
                  <Td className="foreign min-w-24">{visible(row.judge)}</Td>
                  <Td>
                    {row.source === "settled" ? "settled reviews" : "labels of single people"}
                    <span className="block text-2xs text-muted">
                      {row.random === row.steps
                        ? "all drawn at random"
                        : `${row.random} of ${row.steps} drawn at random`}
                    </span>
                  </Td>
                  <QualityCells of={row} clusters={["prefix", "prefixes"]} />
                </tr>
              ))}
            </tbody>
          </TableFrame>
          <p className="max-w-[80ch] text-xs text-muted">
            Of windows that people and the judge answered with yes or no; unsure and the environment at fault are in
            none. Precision: of the judge’s yes, people’s; recall: of people’s yes, the judge’s, among the windows drawn
            at random from all alone, which also correct the rates above: windows chosen for what a judge said tell
            nothing of what it passes over. Intervals resample prefixes.
          </p>
        </>
      )}
    </section>
  );
}
