"use client";
import { LoaderCircle } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useTransition } from "react";
import { Chips } from "@/components/data/chips";
import { FacetPopover } from "@/components/data/facet-popover";
import { NOT_STATED } from "@/components/data/not-stated";
import type { FacetValue } from "@/db/queries/facets";
import { visible } from "@/lib/text/glyphs";
import { CLEARED, callParams } from "./search-params";

const FIRST = { older: null, newer: null };
const FACETS = [
  { key: "role", list: "roles", label: "Role" },
  { key: "model", list: "models", label: "Model" },
  { key: "status", list: "statuses", label: "Status" },
  { key: "reading", list: "readings", label: "Reading" },
] as const;

/** Filters of the ledger, and those in force. */
export function FilterBar({ facets }: { facets: Record<"roles" | "models" | "statuses" | "readings", FacetValue[]> }) {
  const [pending, startTransition] = useTransition();
  const [params, set] = useQueryStates(callParams, { shallow: false, history: "push", scroll: false, startTransition });
  const words = (key: string, value: string) =>
    value === NOT_STATED ? `${key}: not read` : key === "model" ? visible(value) : value;
  const chips = FACETS.flatMap(({ key }) =>
    params[key].map((value) => ({
      key: `${key}:${value}`,
      text: words(key, value),
      remove: () => set({ [key]: params[key].filter((v) => v !== value), ...FIRST }),
    })),
  );
  if (params.job !== null)
    chips.push({ key: "job", text: `job ${params.job}`, remove: () => set({ job: null, ...FIRST }) });
  return (
    <div className="flex flex-col gap-2">
      <search aria-label="Filter calls" className="flex flex-wrap items-center gap-2">
        {FACETS.map(({ key, list, label }) => (
          <FacetPopover
            key={key}
            label={label}
            values={facets[list].map((v) => (v.value === "" ? { ...v, label: "not read" } : v))}
            chosen={params[key]}
            onChange={(chosen) => set({ [key]: chosen, ...FIRST })}
          />
        ))}
        {pending ? <LoaderCircle className="size-4 animate-spin text-muted" aria-label="Loading" /> : null}
      </search>
      <Chips chips={chips} onClear={() => void set(CLEARED)} />
    </div>
  );
}
