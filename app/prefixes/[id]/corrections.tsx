import { Badge } from "@/components/ui/badge";
import type { CorrectionView } from "@/db/queries/corrections";
import { plainLines, visible } from "@/lib/text/glyphs";

const SOURCES: Record<string, string> = { teacher: "teacher", person: "person", recorded: "recorded" };

/** Foreign text of several lines, with invisible characters as glyphs. */
const shown = (text: string): string =>
  plainLines(text)
    .map((line) => line.map((run) => run.glyph?.show ?? run.text).join(""))
    .join("\n");

/** What a teacher or a person would have done instead. */
export function Corrections({ corrections }: { corrections: CorrectionView[] }) {
  if (corrections.length === 0) return null;
  return (
    <section aria-labelledby="corrections" className="flex flex-col gap-2">
      <h2 id="corrections" className="font-medium">
        Correction
      </h2>
      {corrections.map((c) => (
        <article key={c.id} className="flex flex-col gap-1.5 rounded-lg border bg-surface p-3">
          <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
            by {SOURCES[c.source] ?? c.source} <span className="foreign">{visible(c.sourceName ?? "")}</span>
            <Badge tone={c.accepted ? "good" : "neutral"}>{c.accepted ? "accepted" : "not accepted"}</Badge>
            attempt {c.attempt}
          </p>
          {c.thinking ? (
            <p className="foreign max-w-[80ch] border-l-2 border-line-strong/50 pl-3 text-sm whitespace-pre-wrap text-muted">
              {shown(c.thinking)}
            </p>
          ) : null}
          <pre className="foreign rounded-md border bg-term px-3 py-1.5 font-mono text-[0.8125rem] whitespace-pre-wrap">
            {shown(c.command)}
          </pre>
        </article>
      ))}
    </section>
  );
}
