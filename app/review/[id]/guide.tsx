"use client";
import { useState } from "react";
import type { OfferedType } from "@/app/review/types";
import { visible } from "@/lib/text/glyphs";

/** The guideline, and what the offered types mean. */
export function Guide({ text, version, types }: { text: string; version: number; types: OfferedType[] }) {
  // Beside the item where there is room; under the answers it would push them away.
  const [wide] = useState(() => window.matchMedia("(min-width: 64rem)").matches);
  return (
    <details open={wide} className="border-t pt-2">
      <summary className="cursor-pointer text-sm font-semibold">
        Guideline <span className="text-xs font-normal text-muted">version {version}</span>
      </summary>
      <div className="foreign pt-1 text-sm whitespace-pre-wrap">
        {text === "" ? <span className="text-muted">None is written for this queue.</span> : visible(text)}
      </div>
      {types.length > 0 ? (
        <dl className="flex flex-col gap-2 pt-2 text-sm">
          {types.map((type) => (
            <div key={type.id} className="foreign">
              <dt className="font-medium">{visible(type.name)}</dt>
              <dd className="text-muted">
                {visible(type.definition)}
                {type.excludes.length > 0 ? ` Not: ${type.excludes.map(visible).join("; ")}.` : ""}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </details>
  );
}
