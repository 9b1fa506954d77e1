import type { ReadFileRow, ReadProblemRow } from "@/db/queries/readBack";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

/** Where a training that ran elsewhere was read from, what its files do not say, and lines that could not be used. */
export function ReadBack({ files, problems }: { files: ReadFileRow[]; problems: ReadProblemRow[] }) {
  if (files.length === 0 && problems.length === 0) return null;
  return (
    <section aria-label="Read from another engine" className="flex flex-col gap-1 text-sm">
      <p className="text-muted">
        Read from files of another engine:{" "}
        {files.map(({ path, lines }) => `${visible(path)} (${plural(lines, "line")})`).join(", ") || "none yet"}. They
        do not say entropy, tokens, times, or what the loss kept: these are not known here.
      </p>
      {problems.length === 0 ? null : (
        <details>
          <summary className="cursor-pointer text-warn">{plural(problems.length, "line")} could not be used</summary>
          <ul className="foreign list-disc pl-5 text-muted">
            {problems.map(({ path, line, reason }) => (
              <li key={`${path}:${line}`}>
                {visible(path)}, line {formatCount(line)}: {visible(reason)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
