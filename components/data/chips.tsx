"use client";
import { X } from "lucide-react";
import { Button } from "@/components/ui/button";

/** A filter in force, with a way to drop it. */
export interface Chip {
  key: string;
  text: string;
  remove: () => void;
}

/** The filters in force, and a way to drop all of them. */
export function Chips({ chips, onClear }: { chips: Chip[]; onClear: () => void }) {
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
        <Button size="sm" variant="ghost" onClick={onClear}>
          Clear all
        </Button>
      </li>
    </ul>
  );
}
