import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { BatchDetail, BatchRow } from "@/db/queries/taxonomy-batches";
import { formatCount } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const STATUS: Record<string, { tone: "good" | "bad" | "warn"; word: string }> = {
  done: { tone: "good", word: "answered" },
  failed: { tone: "bad", word: "failed" },
  unparsed: { tone: "warn", word: "unreadable" },
};

/** Batches an annotator was asked about; each leads to what it said. */
export function Batches({
  rows,
  total,
  skip,
  pageSize,
  base,
}: {
  rows: BatchRow[];
  total: number;
  skip: number;
  pageSize: number;
  base: string;
}) {
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h2 className="font-medium">
        Batches{" "}
        <span className="text-sm font-normal text-muted">{formatCount(total)} the annotator was asked about</span>
      </h2>
      <TableFrame label="Batches">
        <thead>
          <tr>
            <Th>Batch</Th>
            <Th>State</Th>
            <Th className="text-right">Error steps</Th>
            <Th className="text-right">In a type</Th>
            <Th className="text-right">One-off</Th>
            <Th className="text-right">New pattern</Th>
            <Th className="text-right">Unclear</Th>
            <Th>Mended, or why not</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((b) => (
            <tr key={b.id} className="hover:bg-raised/60">
              <Td className="whitespace-nowrap">
                <Link href={`${base}?batch=${b.id}#batch`} prefetch={false} className="text-accent hover:underline">
                  {b.phase} {b.number}
                </Link>
              </Td>
              <Td>
                <Badge tone={STATUS[b.status]?.tone}>{STATUS[b.status]?.word ?? b.status}</Badge>
              </Td>
              <Td className="text-right">{formatCount(b.steps)}</Td>
              <Td className="text-right">{formatCount(b.assigned)}</Td>
              <Td className="text-right">{formatCount(b.oneOff)}</Td>
              <Td className="text-right">{formatCount(b.newPattern)}</Td>
              <Td className="text-right">{formatCount(b.unclear)}</Td>
              <Td className="foreign max-w-md text-xs text-muted">{visible(b.repairs.join("; "))}</Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      <span className="flex gap-4 text-sm">
        {skip > 0 ? (
          <Link href={`${base}?batches=${Math.max(0, skip - pageSize)}`} className="text-accent hover:underline">
            Earlier batches
          </Link>
        ) : null}
        {skip + rows.length < total ? (
          <Link href={`${base}?batches=${skip + pageSize}`} className="text-accent hover:underline">
            Later batches
          </Link>
        ) : null}
      </span>
    </section>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function Raw({ title, text, open }: { title: string; text: string; open?: boolean }) {
  return (
    <details open={open}>
      <summary className="cursor-pointer text-sm text-muted">{title}</summary>
      <pre className="foreign mt-1 rounded border bg-bg p-2 font-mono text-xs break-all whitespace-pre-wrap">
        {visible(pretty(text))}
      </pre>
    </details>
  );
}

/** Everything that was said about one batch. */
export function BatchPanel({ batch, close }: { batch: BatchDetail; close: string }) {
  return (
    <section id="batch" aria-label="Batch" className="flex min-w-0 flex-col gap-2 rounded-lg border bg-surface p-3">
      <div className="flex flex-wrap items-baseline gap-3">
        <h2 className="mr-auto font-medium">
          Batch {batch.phase} {batch.number}{" "}
          <span className="foreign text-sm font-normal text-muted">
            {batch.usageId === null ? (
              "rules: no model was called"
            ) : (
              <>
                <Link href={`/settings/calls/${batch.usageId}`} className="text-accent hover:underline">
                  call {batch.usageId}
                </Link>{" "}
                of {visible(batch.model ?? "?")}, prompt {batch.promptVersion ?? "?"}
              </>
            )}
          </span>
        </h2>
        <Link href={close} className="text-sm text-accent hover:underline">
          Close
        </Link>
      </div>
      {batch.repairs.length > 0 ? (
        <ul className="foreign list-disc pl-5 text-sm">
          {batch.repairs.map((text) => (
            <li key={text}>{visible(text)}</li>
          ))}
        </ul>
      ) : null}
      {batch.answer === null ? (
        <p className="text-sm text-muted">No answer: its error steps have no label from it.</p>
      ) : (
        <Raw title="What was read of it" text={batch.answer} open />
      )}
      {batch.reply === null ? null : <Raw title="Raw reply of the server" text={batch.reply} />}
      {batch.request === null ? null : <Raw title="Request" text={batch.request} />}
    </section>
  );
}
