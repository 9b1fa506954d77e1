import { TableFrame, Td, Th } from "@/components/ui/table";
import {
  ENDS_HEADER,
  ENDS_NOTE,
  ENDS_TITLE,
  endRows,
  SPLIT_HEADER,
  SPLIT_NOTE,
  SPLIT_TITLE,
  splitRows,
} from "@/lib/evaluate/behavior/endsView";
import type { BehaviorSummary } from "@/lib/evaluate/behavior/summary";
import { visible } from "@/lib/text/glyphs";

/** Columns of words; the others are numbers. */
const WORDS = ["Checkpoint", "Judge"];

function Ends({
  id,
  title,
  note,
  header,
  rows,
}: Record<"id" | "title" | "note", string> & { header: string[]; rows: string[][] }) {
  const words = (column: number) => WORDS.includes(header[column] ?? "");
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-1.5">
      <h2 id={id} className="font-medium">
        {title}
      </h2>
      <p className="text-sm text-muted">{note}</p>
      <TableFrame label={title}>
        <thead>
          <tr>
            {header.map((name, column) => (
              <Th key={name} className={words(column) ? undefined : "text-right"}>
                {name}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.slice(0, 2).join(" ")}>
              {row.map((text, column) => (
                <Td
                  key={header[column]}
                  className={words(column) ? "foreign min-w-28" : "text-right whitespace-nowrap tabular-nums"}
                >
                  {visible(text)}
                </Td>
              ))}
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </section>
  );
}

/** Whether the policies pass the task from the prefixes on; nothing where the measurement did not ask. */
export function PassedFromThere({ summary }: { summary: BehaviorSummary }) {
  if (summary.ends === null) return null;
  return (
    <>
      <Ends id="ends" title={ENDS_TITLE} note={ENDS_NOTE} header={ENDS_HEADER} rows={endRows(summary)} />
      <Ends id="ends-split" title={SPLIT_TITLE} note={SPLIT_NOTE} header={SPLIT_HEADER} rows={splitRows(summary)} />
    </>
  );
}
