"use client";
import { LoaderCircle } from "lucide-react";
import { type Chip, Chips } from "@/components/data/chips";
import { FacetPopover } from "@/components/data/facet-popover";
import { causeName } from "@/components/data/prefix-status";
import type { PrefixFacets } from "@/db/queries/prefixes";
import { visible } from "@/lib/text/glyphs";
import { CLEARED, type PrefixParams } from "./search-params";
import { usePrefixParams } from "./use-prefix-params";

const FIRST = { after: null, before: null };
const SPLITS: Record<string, string> = { training: "training", heldout: "held out" };
const REVIEWS: Record<string, string> = {
  good: "good example, say people",
  bad: "bad example, say people",
  unsettled: "not settled by people",
};
const RULE_WORDS: Record<string, string> = { kept: "kept under", lost: "lost under", unknown: "not known under" };

type Set = ReturnType<typeof usePrefixParams>["set"];

function chipsOf(params: PrefixParams, facets: PrefixFacets, set: Set): Chip[] {
  const named = (list: { value: string; label: string }[], value: string) =>
    visible(list.find((f) => f.value === value)?.label || value);
  const lists = {
    misbehavior: (v: string) => named(facets.misbehaviors, v),
    status: (v: string) => v,
    cause: (v: string) => `cause: ${causeName(v)}`,
    split: (v: string) => SPLITS[v] ?? `split ${v}`,
    environment: (v: string) => `environment: ${visible(v)}`,
    review: (v: string) => REVIEWS[v] ?? visible(v),
  };
  const chips: Chip[] = (Object.keys(lists) as (keyof typeof lists)[]).flatMap((key) =>
    params[key].map((value) => ({
      key: `${key}:${value}`,
      text: lists[key](value),
      remove: () => set({ [key]: params[key].filter((v) => v !== value), ...FIRST }),
    })),
  );
  if (params.draw !== null)
    chips.push({
      key: "draw",
      text: params.draw === 0 ? "made on demand" : `draw ${params.draw}`,
      remove: () => set({ draw: null, ...FIRST }),
    });
  if (params.study !== null)
    chips.push({ key: "study", text: `study ${params.study}`, remove: () => set({ study: null, ...FIRST }) });
  if (params.rule) {
    const [what = "", rule] = params.rule.split(":");
    chips.push({
      key: "rule",
      text: `${RULE_WORDS[what]} the ${rule} rule`,
      remove: () => set({ rule: null, ...FIRST }),
    });
  }
  return chips;
}

/** Filters over the columns of the list, and those in force. */
export function FilterBar({ facets }: { facets: PrefixFacets }) {
  const { params, set, pending } = usePrefixParams();
  const chips = chipsOf(params, facets, set);
  return (
    <div className="flex flex-col gap-2">
      <search aria-label="Filter prefixes" className="flex flex-wrap items-center gap-2">
        <FacetPopover
          label="Misbehavior"
          values={facets.misbehaviors}
          chosen={params.misbehavior}
          onChange={(misbehavior) => set({ misbehavior, ...FIRST })}
        />
        <FacetPopover
          label="Status"
          values={facets.statuses}
          chosen={params.status}
          onChange={(status) => set({ status, ...FIRST })}
        />
        <FacetPopover
          label="Cause"
          values={facets.causes.map((c) => ({ ...c, label: causeName(c.value) }))}
          chosen={params.cause}
          onChange={(cause) => set({ cause, ...FIRST })}
        />
        <FacetPopover
          label="Split"
          values={facets.splits.map((s) => ({ ...s, label: SPLITS[s.value] ?? "" }))}
          chosen={params.split}
          onChange={(split) => set({ split, ...FIRST })}
        />
        <FacetPopover
          label="Environment"
          values={facets.environments}
          chosen={params.environment}
          onChange={(environment) => set({ environment, ...FIRST })}
        />
        <FacetPopover
          label="Draw"
          single
          values={facets.draws}
          chosen={params.draw === null ? [] : [String(params.draw)]}
          onChange={([draw]) => set({ draw: draw === undefined ? null : Number(draw), ...FIRST })}
        />
        <FacetPopover
          label="People"
          values={facets.reviews.map((r) => ({ ...r, label: REVIEWS[r.value] ?? "" }))}
          chosen={params.review}
          onChange={(review) => set({ review, ...FIRST })}
        />
        {pending ? <LoaderCircle className="size-4 animate-spin text-muted" aria-label="Loading" /> : null}
      </search>
      <Chips chips={chips} onClear={() => void set(CLEARED)} />
    </div>
  );
}
