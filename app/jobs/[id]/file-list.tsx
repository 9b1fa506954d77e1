import Link from "next/link";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { ImportFile } from "@/db/queries/jobs";
import { formatCount } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

/** Files an import left out, with where and why. */
export function FileList({
  title,
  note,
  files,
  total,
  more,
  open,
}: {
  title: string;
  note: string;
  files: ImportFile[];
  total: number;
  /** Address of the next page; null on the last. */
  more: string | null;
  open?: boolean;
}) {
  if (files.length === 0) return null;
  return (
    <details open={open} className="group">
      <summary className="py-1 font-medium">
        {title} ({formatCount(total)})<span className="ml-2 text-sm font-normal text-muted">{note}</span>
      </summary>
      <TableFrame label={title}>
        <thead>
          <tr>
            <Th>File</Th>
            <Th>Where</Th>
            <Th>Why</Th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <tr key={file.id}>
              <Td className="foreign max-w-md min-w-40 font-mono text-xs" title={visible(file.path)}>
                {visible(file.key)}
              </Td>
              <Td className="foreign max-w-52 min-w-24 text-xs text-muted">{file.position ?? "whole file"}</Td>
              <Td className="foreign min-w-56">
                {visible(file.reason ?? "")}
                {file.hint ? <span className="block text-muted">{file.hint}</span> : null}
              </Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      {more ? (
        <Link href={more} className="mt-2 inline-block text-sm text-accent hover:underline">
          Next {formatCount(files.length)}
        </Link>
      ) : null}
    </details>
  );
}
