"use client";
import { X } from "lucide-react";
import { FacetPopover } from "@/components/data/facet-popover";
import { NOT_STATED } from "@/components/data/not-stated";
import { SearchField } from "@/components/data/search-field";
import { Button } from "@/components/ui/button";
import { environmentParams, type STATES } from "./search-params";
import { useEnvironmentParams } from "./use-environment-params";

const FIRST = { after: null, before: null };
const LABELS: Record<(typeof STATES)[number], string> = {
  sound: "sound: solution 1, nothing 0",
  unsound: "not sound",
  void: "void: could not be run",
  unchecked: "unchecked",
  bare: "no files",
};

interface Facet {
  value: string;
  n: number;
}

const values = (facets: Facet[]) => facets.map((f) => ({ value: f.value, label: f.value, count: f.n }));

/** What narrows the list of environments. The URL holds it. */
export function FilterBar({
  kinds,
  datasets,
  states,
}: {
  kinds: Facet[];
  datasets: Facet[];
  states: { value: (typeof STATES)[number]; n: number }[];
}) {
  const { params, set, pending } = useEnvironmentParams();
  const narrowed = params.q !== "" || params.kind.length + params.dataset.length + params.state.length > 0;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <SearchField
        value={params.q}
        label="Name or data set contains"
        placeholder="Name or data set"
        pending={pending}
        onChange={(q) => void set({ q: q || null, ...FIRST })}
      />
      <FacetPopover
        label="State"
        values={states.map((s) => ({ value: s.value, label: LABELS[s.value], count: s.n }))}
        chosen={params.state}
        onChange={(chosen) => set({ state: environmentParams.state.parse(chosen.join(",")), ...FIRST })}
      />
      <FacetPopover
        label="Kind"
        values={values(kinds)}
        chosen={params.kind}
        onChange={(kind) => set({ kind, ...FIRST })}
      />
      <FacetPopover
        label="Data set"
        values={values(datasets)}
        chosen={params.dataset}
        onChange={(dataset) => set({ dataset, ...FIRST })}
      />
      {narrowed ? (
        <Button variant="ghost" onClick={() => set({ q: null, kind: null, dataset: null, state: null, ...FIRST })}>
          <X aria-hidden /> Clear
        </Button>
      ) : null}
      <span className="sr-only" aria-live="polite">
        {params.dataset.includes(NOT_STATED) ? "Shows environments without a data set" : ""}
      </span>
    </div>
  );
}
