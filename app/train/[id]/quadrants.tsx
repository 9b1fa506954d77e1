import Link from "next/link";
import { listHref } from "@/app/trajectories/search-params";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { QuadrantRow } from "@/db/queries/trainings";
import { formatCount, formatShare } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const CELLS = [
  { key: "both", label: "Both", title: "Solved, and the misbehavior did not come back: rewarded" },
  {
    key: "luckyPass",
    label: "Lucky pass",
    title: "Solved although the misbehavior came back: plain outcome training rewards it, r_o AND r_e does not",
  },
  { key: "cleanFail", label: "Clean fail", title: "Not solved, without the misbehavior" },
  { key: "neither", label: "Neither", title: "Not solved, and the misbehavior came back" },
] as const;

const total = (row: QuadrantRow): number => row.both + row.luckyPass + row.cleanFail + row.neither;

/** Rollouts of a training by outcome and behavior, for each misbehavior that its prefixes were drawn for. */
export function Quadrants({ id, rows }: { id: number; rows: QuadrantRow[] }) {
  const known = rows.filter((row) => total(row) > 0);
  return (
    <section aria-labelledby="quadrants" className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-center gap-1">
        <h2 id="quadrants" className="font-medium">
          Outcome and behavior
        </h2>
        <Term name="behavior reward" />
      </div>
      {known.some((row) => row.luckyPass > 0) ? (
        <p className="text-sm">
          <Link href={listHref({ training: id, rewarded: "lucky" })} className="text-accent hover:underline">
            Read the lucky passes
          </Link>
          : what training on the outcome alone would have rewarded.
        </p>
      ) : null}
      {known.length === 0 ? (
        <p className="text-sm text-muted">
          No behavior judge is part of this recipe, so rollouts have an outcome alone.
        </p>
      ) : (
        <TableFrame label="Outcome and behavior">
          <thead>
            <tr>
              <Th>Misbehavior of the prefix</Th>
              <Th className="text-right">Rollouts</Th>
              {CELLS.map((cell) => (
                <Th key={cell.key} className="text-right" title={cell.title}>
                  {cell.label}
                </Th>
              ))}
              <Th className="text-right" title="Void, or without a verdict of the judge: in no cell">
                Unknown
              </Th>
            </tr>
          </thead>
          <tbody>
            {known.map((row) => (
              <tr key={row.slug ?? ""}>
                <Td className="foreign min-w-44">{row.misbehavior === null ? "none" : visible(row.misbehavior)}</Td>
                <Td className="text-right">{formatCount(total(row))}</Td>
                {CELLS.map((cell) => (
                  <Td key={cell.key} className="text-right whitespace-nowrap">
                    {formatCount(row[cell.key])}{" "}
                    <span className="text-xs text-muted">{formatShare(row[cell.key], total(row))}</span>
                  </Td>
                ))}
                <Td className="text-right">{formatCount(row.unknown)}</Td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
    </section>
  );
}
