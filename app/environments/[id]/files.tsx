import { File, Link2 } from "lucide-react";
import Link from "next/link";
import { cn } from "@/components/cn";
import { CodeText } from "@/components/reader/code-text";
import type { EnvironmentFile } from "@/lib/environment/files";
import type { FileView } from "@/lib/environment/view";
import { formatBytes } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { highlight, type Language } from "@/lib/text/highlight";

function languageOf(file: FileView): Language | null {
  const name = file.path.split("/").at(-1) ?? "";
  if (/\.(sh|bash)$/.test(name) || name === "Dockerfile" || /^#!.*\b(ba|da)?sh\b/.test(file.text ?? "")) return "bash";
  if (/\.py$/.test(name) || /^#!.*\bpython/.test(file.text ?? "")) return "python";
  return /\.json$/.test(name) ? "json" : null;
}

function note(file: FileView): string {
  const size = formatBytes(file.bytes);
  return `${visible(file.path)}, ${size}${file.cut ? "; the start is shown" : ""}`;
}

/** The kept files of an environment, with one of them shown. */
export function Files({ id, files, shown }: { id: number; files: EnvironmentFile[]; shown: FileView | null }) {
  const language = shown === null ? null : languageOf(shown);
  return (
    <section aria-label="Files" className="grid gap-2 lg:grid-cols-[minmax(12rem,18rem)_minmax(0,1fr)]">
      <ul className="max-h-[70dvh] overflow-y-auto rounded-md border bg-surface py-1 text-sm">
        {files.map((file) => (
          <li key={file.path}>
            <Link
              href={`/environments/${id}?${new URLSearchParams({ file: file.path })}`}
              scroll={false}
              prefetch={false}
              aria-current={file.path === shown?.path ? "true" : undefined}
              className={cn(
                "flex items-center gap-1.5 px-2 py-0.5 font-mono text-xs hover:bg-raised",
                file.path === shown?.path && "bg-accent-soft text-accent",
              )}
            >
              {file.kind === "link" ? (
                <Link2 className="size-3.5 shrink-0 text-muted" aria-label="link" />
              ) : (
                <File className="size-3.5 shrink-0 text-muted" aria-hidden />
              )}
              <span className="foreign min-w-0 flex-1 break-all">{visible(file.path)}</span>
              {file.executable ? <span className="text-2xs text-muted">exec</span> : null}
            </Link>
          </li>
        ))}
      </ul>
      {shown === null ? (
        <p className="p-2 text-sm text-muted">Choose a file.</p>
      ) : shown.text === null ? (
        <p className="p-2 text-sm text-muted">{note(shown)}: it is not text, so it is not shown.</p>
      ) : (
        <CodeText
          key={shown.path}
          label={visible(shown.path)}
          note={note(shown)}
          json={JSON.stringify(language ? highlight(shown.text, language) : [["", shown.text]])}
        />
      )}
    </section>
  );
}
