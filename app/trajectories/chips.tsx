"use client";
import { X } from "lucide-react";
import { Button } from "@/components/ui/button";
import type { Facets } from "@/db/queries/facets";
import { visible } from "@/lib/text/glyphs";
import { CLEARED, type ListParams, type TextRange } from "./search-params";
import type { useListParams } from "./use-list-params";

type Set = ReturnType<typeof useListParams>["set"];

interface Chip {
  key: string;
  text: string;
  remove: () => void;
}

const rangeText = ({ min, max }: TextRange): string =>
  max === "" ? `≥ ${min}` : min === "" ? `≤ ${max}` : `${min} – ${max}`;

function chipsOf(params: ListParams, facets: Facets, set: Set): Chip[] {
  const first = { after: null, before: null };
  const chips: Chip[] = [];
  if (params.q) chips.push({ key: "q", text: `contains “${params.q}”`, remove: () => set({ q: null, ...first }) });
  for (const key of ["outcome", "task", "model", "format"] as const) {
    for (const value of params[key])
      chips.push({
        key: `${key}:${value}`,
        text: `${key}: ${visible(value)}`,
        remove: () => set({ [key]: params[key].filter((v) => v !== value), ...first }),
      });
  }
  if (params.misbehavior) {
    const label = facets.misbehaviors.find((m) => m.value === params.misbehavior)?.label ?? params.misbehavior;
    chips.push({ key: "misbehavior", text: label, remove: () => set({ misbehavior: null, ...first }) });
  }
  for (const key of ["steps", "tokens", "cost", "started"] as const) {
    const range = params[key];
    if (range) chips.push({ key, text: `${key} ${rangeText(range)}`, remove: () => set({ [key]: null, ...first }) });
  }
  if (params.exception !== null)
    chips.push({
      key: "exception",
      text: params.exception ? "with exception" : "without exception",
      remove: () => set({ exception: null, ...first }),
    });
  if (params.profile !== null)
    chips.push({
      key: "profile",
      text: `rollouts of profile ${params.profile}`,
      remove: () => set({ profile: null, ...first }),
    });
  return chips;
}

/** The filters in force, each with a way to drop it. */
export function Chips({ params, facets, set }: { params: ListParams; facets: Facets; set: Set }) {
  const chips = chipsOf(params, facets, set);
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Filters in force" className="flex flex-wrap items-center gap-1.5">
      {chips.map((chip) => (
        <li
          key={chip.key}
          className="flex max-w-full items-center gap-1 rounded-full bg-accent-soft py-0.5 pr-1 pl-2.5 text-xs text-accent"
        >
          <span className="foreign truncate">{chip.text}</span>
          <button
            type="button"
            aria-label={`Remove filter ${chip.text}`}
            className="rounded-full p-0.5 hover:bg-surface"
            onClick={chip.remove}
          >
            <X className="size-3" aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <Button size="sm" variant="ghost" onClick={() => set(CLEARED)}>
          Clear all
        </Button>
      </li>
    </ul>
  );
}
