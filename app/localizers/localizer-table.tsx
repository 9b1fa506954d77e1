import { Badge } from "@/components/ui/badge";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { LocalizerRow } from "@/db/queries/localizers";
import { formatCount, formatShare, UNKNOWN } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const KINDS: Record<string, string> = { rule: "rules", model: "model", person: "person", dataset: "labels by people" };
const NUMBER = "text-right tabular-nums";

/** A count; what a localizer cannot have is a dash and says so. */
function Count({ n, of, why }: { n: number | null; of?: number | null; why: string }) {
  if (n === null)
    return (
      <span title={why} className="text-muted">
        <span aria-hidden>{UNKNOWN}</span>
        <span className="sr-only">{why}</span>
      </span>
    );
  return (
    <>
      {formatCount(n)}
      {of ? <span className="ml-1 text-xs text-muted">{formatShare(n, of)}</span> : null}
    </>
  );
}

/** What each localizer says now. */
export function LocalizerTable({ rows }: { rows: LocalizerRow[] }) {
  return (
    <TableFrame label="Localizers">
      <thead>
        <tr>
          <Th>Localizer</Th>
          <Th>Version</Th>
          {["Trajectories", "Steps judged", "Bad", "Good", "Failed", "Unreadable"].map((name) => (
            <Th key={name} className="text-right">
              {name}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <Td>
              <span className="foreign font-medium">{visible(row.name)}</span>{" "}
              <Badge>{KINDS[row.kind] ?? row.kind}</Badge>
            </Td>
            <Td className="foreign whitespace-nowrap text-muted">{visible(row.version)}</Td>
            <Td className={NUMBER}>{formatCount(row.trajectories)}</Td>
            <Td className={NUMBER}>
              <Count n={row.judged} why="marks steps only, says nothing of the others" />
            </Td>
            <Td className={NUMBER}>
              <Count n={row.bad} of={row.judged} why="" />
            </Td>
            <Td className={NUMBER}>
              <Count n={row.good} of={row.judged} why="marks steps only" />
            </Td>
            <Td className={NUMBER}>
              <Count n={row.failed} why="makes no calls" />
            </Td>
            <Td className={NUMBER}>
              <Count n={row.unparsed} why="makes no calls" />
            </Td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
