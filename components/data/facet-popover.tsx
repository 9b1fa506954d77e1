"use client";
import { ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Input } from "@/components/ui/field";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import type { FacetValue } from "@/db/queries/facets";
import { formatCount } from "@/lib/text/format";
import { statedName } from "@/lib/text/glyphs";
import { NOT_STATED } from "./not-stated";

const SEARCH_FROM = 9;
const MOST = 200;

interface Props {
  label: string;
  values: FacetValue[];
  chosen: string[];
  /** At most one value. */
  single?: boolean;
  onChange: (chosen: string[]) => void;
}

/** A filter over the values a column has, with how many trajectories of the whole index have each. */
export function FacetPopover({ label, values, chosen, single, onChange }: Props) {
  const [query, setQuery] = useState("");
  const id = useId();
  const wanted = query.toLowerCase();
  const matching = values.filter((v) => v.label.toLowerCase().includes(wanted));
  const toggle = (value: string, on: boolean) => {
    if (single) onChange(on ? [value] : []);
    else onChange(on ? [...chosen, value] : chosen.filter((c) => c !== value));
  };
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button>
          {label}
          {chosen.length > 0 ? <Badge tone="accent">{chosen.length}</Badge> : null}
          <ChevronDown className="text-muted" aria-hidden />
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={label} className="flex w-80 flex-col gap-2 p-2">
        {values.length >= SEARCH_FROM ? (
          <Input
            aria-label={`Search ${label.toLowerCase()}`}
            placeholder="Search"
            value={query}
            onChange={(e) => setQuery(e.target.value)}
          />
        ) : null}
        <ul className="max-h-72 overflow-y-auto">
          {matching.slice(0, MOST).map((facet, i) => {
            const value = facet.value === "" ? NOT_STATED : facet.value;
            return (
              <li key={value} className="flex items-center gap-2 rounded px-1.5 py-1 hover:bg-raised">
                <Checkbox
                  id={`${id}-${i}`}
                  checked={chosen.includes(value)}
                  onCheckedChange={(on) => toggle(value, on === true)}
                />
                <label htmlFor={`${id}-${i}`} className="foreign min-w-0 flex-1">
                  {facet.label === "" ? <span className="text-muted">not stated</span> : statedName(facet.label)}
                </label>
                <span className="text-xs text-muted tabular-nums">{formatCount(facet.count)}</span>
              </li>
            );
          })}
          {matching.length === 0 ? <li className="px-1.5 py-1 text-muted">Nothing matches.</li> : null}
          {matching.length > MOST ? (
            <li className="px-1.5 py-1 text-xs text-muted">
              {formatCount(matching.length - MOST)} more: search to see them.
            </li>
          ) : null}
        </ul>
      </PopoverContent>
    </Popover>
  );
}
