import { cn } from "@/components/cn";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Confusion, ConfusionRow } from "@/db/queries/confusion";
import { formatCount, formatShare } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

/** Of the injected errors of a type those flagged with it; of the right steps those not flagged. null: nothing to divide by. */
function right(row: ConfusionRow): { n: number; of: number } {
  const of = row.steps - row.unjudged;
  return { n: row.slug === null ? row.notFlagged : (row.flagged[row.slug] ?? 0), of };
}

/** What the localizer made of steps whose truth is known. */
export function ConfusionTable({ confusion }: { confusion: Confusion }) {
  const { rows, columns } = confusion;
  const anyUntyped = rows.some((row) => row.untyped > 0);
  const anyUnjudged = rows.some((row) => row.unjudged > 0);
  return (
    <section className="flex flex-col gap-1">
      <h2 className="font-medium">Catch trial: what was injected, what was found</h2>
      {rows.length === 0 ? (
        <p className="text-sm text-muted">No step with a known truth yet.</p>
      ) : (
        <TableFrame label="Confusion table">
          <thead>
            <tr>
              <Th className="align-bottom">Injected</Th>
              <Th className="text-right align-bottom">Steps</Th>
              {columns.map((column) => (
                <Th key={column.slug} className="min-w-24 text-right align-bottom whitespace-normal">
                  {visible(column.name)}
                </Th>
              ))}
              {anyUntyped ? <Th className="text-right align-bottom whitespace-normal">flagged, no type</Th> : null}
              <Th className="text-right align-bottom whitespace-normal">not flagged</Th>
              {anyUnjudged ? <Th className="text-right align-bottom whitespace-normal">no verdict</Th> : null}
              <Th className="text-right align-bottom whitespace-normal">Flagged at all</Th>
              <Th className="text-right align-bottom">Right</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const { n, of } = right(row);
              return (
                <tr key={row.slug ?? ""}>
                  <Td className="min-w-44">
                    {row.slug === null ? "nothing: a right step" : visible(row.name ?? row.slug)}
                  </Td>
                  <Td className="text-right">{formatCount(row.steps)}</Td>
                  {columns.map((column) => (
                    <Cell key={column.slug} n={row.flagged[column.slug] ?? 0} here={column.slug === row.slug} />
                  ))}
                  {anyUntyped ? <Cell n={row.untyped} here={false} /> : null}
                  <Cell n={row.notFlagged} here={row.slug === null} />
                  {anyUnjudged ? <Cell n={row.unjudged} here={false} /> : null}
                  <Td className="text-right whitespace-nowrap">
                    {formatCount(row.any)}/{formatCount(of)}
                  </Td>
                  <Td className="text-right font-medium whitespace-nowrap" title={`${n} of ${of} with a verdict`}>
                    {formatShare(n, of)}
                  </Td>
                </tr>
              );
            })}
          </tbody>
        </TableFrame>
      )}
      <p className="text-xs text-muted">
        Framed: the right answer. “Right” is the share of a row’s steps with that answer, steps without a verdict left
        out; a step flagged with two types counts under both.
      </p>
    </section>
  );
}

function Cell({ n, here }: { n: number; here: boolean }) {
  return (
    <Td
      className={cn(
        "text-right",
        n === 0 && "text-muted",
        here && "font-medium outline-1 -outline-offset-3 outline-good",
      )}
    >
      {formatCount(n)}
      {here ? <span className="sr-only"> (the right answer)</span> : null}
    </Td>
  );
}
