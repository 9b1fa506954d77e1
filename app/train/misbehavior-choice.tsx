"use client";
import Link from "next/link";
import { useId } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import type { KeptPrefixes } from "@/db/queries/trainings";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

/** Which misbehaviors' prefixes a training starts from; none chosen means all. */
export function MisbehaviorChoice({
  kept,
  slugs,
  onSlugs,
}: {
  kept: KeptPrefixes[];
  slugs: readonly string[];
  onSlugs: (slugs: string[]) => void;
}) {
  const id = useId();
  const toggle = (slug: string, on: boolean) => onSlugs(on ? [...slugs, slug] : slugs.filter((s) => s !== slug));
  const unknown = slugs.filter((slug) => !kept.some((row) => row.slug === slug));
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-sm text-muted">
        Misbehaviors {slugs.length === 0 ? "(all, as none is chosen)" : `(${formatCount(slugs.length)} chosen)`}
      </legend>
      {kept.length === 0 ? (
        <p className="text-sm">
          No kept prefix yet.{" "}
          <Link href="/prefixes" className="text-accent hover:underline">
            Draw prefixes and rerun them
          </Link>{" "}
          first: training starts only from states that are reached again.
        </p>
      ) : (
        <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2 xl:grid-cols-4">
          {kept.map((row) => (
            <div key={row.slug} className="flex items-start gap-2 text-sm">
              <Checkbox
                id={`${id}-${row.slug}`}
                checked={slugs.includes(row.slug)}
                onCheckedChange={(on) => toggle(row.slug, on === true)}
                aria-label={row.name}
              />
              <label htmlFor={`${id}-${row.slug}`} className="foreign min-w-0">
                {visible(row.name)}{" "}
                <span className="text-xs whitespace-nowrap text-muted">
                  {plural(row.prefixes, "prefix", "prefixes")} in {plural(row.environments, "environment")}
                </span>
              </label>
            </div>
          ))}
        </div>
      )}
      {unknown.length === 0 ? null : (
        <p className="text-sm">
          Without a kept prefix: {visible(unknown.join(", "))}.{" "}
          <button
            type="button"
            className="text-accent hover:underline"
            onClick={() => onSlugs(slugs.filter((s) => !unknown.includes(s)))}
          >
            Leave out
          </button>
        </p>
      )}
    </fieldset>
  );
}
