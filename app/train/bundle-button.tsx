"use client";
import { Download, Package } from "lucide-react";
import { useId, useState, useTransition } from "react";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { formatBytes, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { bundleAction, type MadeBundle } from "./elsewhere-actions";

/** Makes a bundle of the form's settings for a larger trainer, and says where it is. */
export function BundleButton({ settings, disabled }: { settings: Record<string, unknown>; disabled: boolean }) {
  const id = useId();
  const [busy, startTransition] = useTransition();
  const [paperScale, setPaperScale] = useState(true);
  const [made, setMade] = useState<MadeBundle | null>(null);
  const [error, setError] = useState<string | null>(null);
  const make = (format: "open-instruct" | "verl") => {
    setMade(null);
    setError(null);
    startTransition(async () => {
      try {
        const result = await bundleAction({ settings, format, paperScale });
        if (result.ok) setMade(result.value);
        else setError(result.error);
      } catch (error) {
        setError(unreached(error));
      }
    });
  };
  return (
    <fieldset aria-label="For a larger trainer" className="flex flex-col gap-1.5 border-t pt-2">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="text-muted">For a larger trainer:</span>
        <Button size="sm" disabled={busy || disabled} onClick={() => make("open-instruct")}>
          <Package aria-hidden /> {busy ? "Writing…" : "Bundle for open-instruct"}
        </Button>
        <Button size="sm" disabled={busy || disabled} onClick={() => make("verl")}>
          <Package aria-hidden /> for verl
        </Button>
        <Checkbox
          id={`${id}-scale`}
          checked={paperScale}
          onCheckedChange={(on) => setPaperScale(on === true)}
          aria-label="At the paper's scale"
        />
        <label htmlFor={`${id}-scale`} className="text-muted">
          at the paper’s scale: 8 groups of 16, 160 steps, learning rate 1e-6
        </label>
      </div>
      {made ? (
        <div role="status" className="flex flex-col gap-1 text-sm">
          <p>
            {plural(made.rows, "row")} in {plural(made.files, "file")}, {formatBytes(made.bytes)}.{" "}
            <a href={`/api/bundles/${made.name}`} download className="text-accent hover:underline">
              <Download aria-hidden className="inline size-3.5" /> {made.name}.tar.gz
            </a>
          </p>
          <p className="foreign text-muted">Also at {visible(made.path)}. Its README says what to do.</p>
          {made.leftOut.length === 0 ? null : (
            <details>
              <summary className="cursor-pointer">{plural(made.leftOut.length, "start")} left out</summary>
              <ul className="foreign list-disc pl-5 text-muted">
                {made.leftOut.map(({ start, reason }) => (
                  <li key={start}>
                    {visible(start)}: {visible(reason)}
                  </li>
                ))}
              </ul>
            </details>
          )}
        </div>
      ) : null}
      {error ? (
        <p role="alert" className="foreign text-sm text-bad">
          {visible(error)}
        </p>
      ) : null}
    </fieldset>
  );
}
