import Link from "next/link";
import type { OperationRow } from "@/db/queries/taxonomy-flow";
import { inWords } from "@/lib/taxonomy/edit/draft";
import { operationSchema } from "@/lib/taxonomy/edit/operations";
import { formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

function words(row: OperationRow): string {
  const details: unknown = JSON.parse(row.details);
  const read = operationSchema.safeParse({ kind: row.kind, ...(details as object) });
  return read.success ? inWords(read.data) : `${row.kind} ${row.details}`;
}

/** Edits by people that led to a version, oldest first. */
export function Operations({ rows }: { rows: OperationRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="flex flex-col gap-1">
      <h2 className="font-medium">Edits that led here</h2>
      <ol className="flex flex-col gap-1 text-sm">
        {rows.map((row) => (
          <li key={row.id} className="foreign">
            <Link href={`/misbehaviors/versions/${row.taxonomyId}`} className="text-accent hover:underline">
              version {row.version}
            </Link>
            : {visible(words(row))}{" "}
            <span className="text-muted">
              ({visible(row.actor)}, {formatTime(row.createdAt)})
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
