"use client";
import { FacetPopover } from "@/components/data/facet-popover";
import { SearchField } from "@/components/data/search-field";
import { Button } from "@/components/ui/button";
import { useModelParams } from "./use-model-params";

const FIRST = { after: null, before: null };

/** What narrows the list of checkpoints. The URL holds it. */
export function FilterBar({ kinds }: { kinds: { value: string; n: number }[] }) {
  const { params, set, pending } = useModelParams();
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <SearchField
        value={params.q}
        label="Name contains"
        placeholder="Name"
        pending={pending}
        onChange={(q) => void set({ q: q || null, ...FIRST })}
      />
      <FacetPopover
        label="Kind"
        values={kinds.map((kind) => ({ value: kind.value, label: kind.value, count: kind.n }))}
        chosen={params.kind}
        onChange={(kind) => void set({ kind, ...FIRST })}
      />
      {params.q !== "" || params.kind.length > 0 ? (
        <Button variant="ghost" onClick={() => void set({ q: null, kind: null, ...FIRST })}>
          Clear all
        </Button>
      ) : null}
    </div>
  );
}
