"use client";
import { Columns3, SlidersHorizontal } from "lucide-react";
import { Chips } from "@/components/data/chips";
import { FacetPopover } from "@/components/data/facet-popover";
import { SearchField } from "@/components/data/search-field";
import { Button } from "@/components/ui/button";
import {
  Dropdown,
  DropdownCheckboxItem,
  DropdownContent,
  DropdownLabel,
  DropdownTrigger,
} from "@/components/ui/dropdown";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { Select } from "@/components/ui/select";
import type { Facets } from "@/db/queries/facets";
import { CELLS } from "./cells";
import { chipsOf } from "./chips";
import { RangeFields } from "./range-fields";
import { CLEARED, COLUMNS, type ListParams, listParams, WITH_STEPS, WITHOUT_STEPS } from "./search-params";
import { useListParams } from "./use-list-params";

const FIRST = { after: null, before: null };
const GROUPS = [
  { value: "none", label: "No groups" },
  { value: "task", label: "By task" },
  { value: "model", label: "By model" },
];

const stepsWord = (range: ListParams["steps"]): string[] =>
  range === null
    ? []
    : listParams.steps.eq(range, WITH_STEPS)
      ? ["with"]
      : listParams.steps.eq(range, WITHOUT_STEPS)
        ? ["without"]
        : [];

/** Everything that narrows or arranges the list. The URL holds it. */
export function FilterBar({ facets }: { facets: Facets }) {
  const { params, set, pending } = useListParams();
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-1.5">
        <SearchField
          value={params.q}
          label="Name, task or model contains"
          placeholder="Name, task or model"
          pending={pending}
          onChange={(q) => void set({ q: q || null, ...FIRST })}
        />
        <FacetPopover
          label="Outcome"
          values={facets.outcomes}
          chosen={params.outcome}
          onChange={(outcome) => set({ outcome, ...FIRST })}
        />
        <FacetPopover
          label="Misbehavior"
          single
          values={facets.misbehaviors}
          chosen={params.misbehavior ? [params.misbehavior] : []}
          onChange={([misbehavior]) => set({ misbehavior: misbehavior ?? null, ...FIRST })}
        />
        {facets.withoutSteps > 0 ? (
          <FacetPopover
            label="Has steps"
            single
            values={[
              { value: "with", label: "With steps", count: facets.total - facets.withoutSteps },
              { value: "without", label: "Results without steps", count: facets.withoutSteps },
            ]}
            chosen={stepsWord(params.steps)}
            onChange={([word]) =>
              set({ steps: word === "with" ? WITH_STEPS : word === "without" ? WITHOUT_STEPS : null, ...FIRST })
            }
          />
        ) : null}
        <FacetPopover
          label="Task"
          values={facets.tasks}
          chosen={params.task}
          onChange={(task) => set({ task, ...FIRST })}
        />
        <FacetPopover
          label="Model"
          values={facets.models}
          chosen={params.model}
          onChange={(model) => set({ model, ...FIRST })}
        />
        <FacetPopover
          label="Format"
          values={facets.formats}
          chosen={params.format}
          onChange={(format) => set({ format, ...FIRST })}
        />
        <Popover>
          <PopoverTrigger asChild>
            <Button>
              <SlidersHorizontal aria-hidden /> More
            </Button>
          </PopoverTrigger>
          <PopoverContent className="w-80">
            <RangeFields params={params} onChange={(change) => set({ ...change, ...FIRST })} />
          </PopoverContent>
        </Popover>
        <span className="flex-1" />
        <Select
          label="Group"
          value={params.group ?? "none"}
          options={GROUPS}
          onValueChange={(group) => set({ group: listParams.group.parse(group), ...FIRST })}
        />
        <Dropdown>
          <DropdownTrigger asChild>
            <Button aria-label="Columns" title="Columns" size="icon">
              <Columns3 aria-hidden />
            </Button>
          </DropdownTrigger>
          <DropdownContent>
            <DropdownLabel>Columns</DropdownLabel>
            {COLUMNS.map((column) => (
              <DropdownCheckboxItem
                key={column}
                checked={params.cols.includes(column)}
                onSelect={(event) => event.preventDefault()}
                onCheckedChange={(on) =>
                  set({ cols: COLUMNS.filter((c) => (c === column ? on : params.cols.includes(c))) })
                }
              >
                {CELLS[column].label}
              </DropdownCheckboxItem>
            ))}
          </DropdownContent>
        </Dropdown>
      </div>
      <Chips chips={chipsOf(params, facets, set)} onClear={() => void set(CLEARED)} />
    </div>
  );
}
