import { Button } from "@/components/ui/button";
import type { ImportPreview } from "@/lib/jobs/preview";
import { formatBytes, formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

/** Why something is refused and what to do, as sentences. */
const refusalText = ({ reason, hint }: ImportPreview["refused"][number]): string =>
  hint == null ? reason : `${reason}${/[.!?…]$/.test(reason) ? "" : "."} ${hint}`;

/** What an import would find, and the button that starts it. */
export function Preview({
  preview,
  title,
  onStart,
}: {
  preview: ImportPreview;
  /** What the person chose, by its own name; a path on the machine is its own. */
  title?: string | undefined;
  onStart: () => void;
}) {
  const formats = Object.entries(preview.formats).sort(([, a], [, b]) => b - a);
  const found = formats.reduce((n, [, k]) => n + k, 0);
  return (
    <section aria-label="Preview" className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
      <h2 className="foreign font-medium">{visible(title ?? preview.path)}</h2>
      <p>
        {preview.complete ? "" : "At least "}
        {plural(found, "trajectory", "trajectories")} in {plural(preview.units, "file or folder", "files or folders")} (
        {formatBytes(preview.bytes)}), {plural(preview.skipped, "other file")}
        {preview.complete
          ? "."
          : `. The preview stopped after ${formatCount(preview.examined)} of ${formatCount(preview.units)}; the import reads everything.`}
      </p>
      {formats.length > 0 ? (
        <ul className="flex flex-wrap gap-2 text-sm">
          {formats.map(([format, n]) => (
            <li key={format} className="rounded bg-raised px-2 py-0.5">
              {format} <b className="tabular-nums">{formatCount(n)}</b>
            </li>
          ))}
        </ul>
      ) : null}
      {preview.refused.length > 0 ? (
        <details open>
          <summary className="text-warn">{formatCount(preview.refused.length)} refused so far</summary>
          <ul className="mt-1 flex flex-col gap-1 text-sm">
            {preview.refused.map((refusal) => (
              <li key={`${refusal.key} ${refusal.reason}`} className="foreign">
                <span className="font-mono text-xs">
                  {refusal.key}
                  {refusal.position ? ` (${refusal.position})` : ""}
                </span>
                : {refusalText(refusal)}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      <Button variant="primary" className="self-start" disabled={preview.units === 0} onClick={onStart}>
        {preview.units === 0 ? "Nothing to import here" : "Import"}
      </Button>
    </section>
  );
}
