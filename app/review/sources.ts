import "server-only";
import { z } from "zod";
import { ActionRefused } from "@/app/action";
import { filtersOf as prefixFiltersOf } from "@/app/prefixes/filters";
import { loadPrefixParams } from "@/app/prefixes/search-params";
import { filtersOf as trajectoryFiltersOf } from "@/app/trajectories/filters";
import { loadListParams } from "@/app/trajectories/search-params";
import type { QueueSource } from "@/lib/review/queue/source";
import { LISTS } from "./lists";

/** Where a queue's subjects come from, as a page names it: a list with its address's parameters, or ids. */
export const sourceSchema = z.object({
  list: z.enum(LISTS),
  /** The query string of the list; only its filters count. */
  query: z.string().max(20_000).default(""),
  /** Steps: those that a localizer flagged, or all. */
  steps: z.enum(["flagged", "all"]).default("flagged"),
  /** Picked by hand, where the list is `ids`: whole numbers between anything else. */
  ids: z.string().max(200_000).default(""),
});
export type GivenSource = z.input<typeof sourceSchema>;

/** The source of a queue, read as the list itself reads its address. Throws ActionRefused. */
export async function sourceOf({ list, query, steps, ids }: z.output<typeof sourceSchema>): Promise<QueueSource> {
  if (list === "ids") {
    const picked = [...new Set((ids.match(/\d+/g) ?? []).map(Number).filter(Number.isSafeInteger))];
    if (picked.length === 0) throw new ActionRefused("name at least one id", "ids");
    return { kind: "ids", ids: picked };
  }
  const params = new URLSearchParams(query);
  if (list === "prefixes") return { kind: "prefixes", filters: prefixFiltersOf(await loadPrefixParams(params)) };
  return { kind: "trajectories", steps, filters: trajectoryFiltersOf(await loadListParams(params)) };
}

/** Parameters of a list that say how it is shown, not what is in it. */
const ORDER = new Set(["sort", "dir", "after", "before", "group", "cols", "by"]);

/** The filter as it is kept with the queue: the list and its parameters, one string each. */
export function filterRecord({ list, query, steps }: z.output<typeof sourceSchema>): Record<string, string> {
  const out: Record<string, string> = { list };
  if (list === "trajectories" && steps === "all") out.of = "all";
  for (const [name, value] of new URLSearchParams(query)) if (value !== "" && !ORDER.has(name)) out[name] = value;
  return out;
}

/** The source that a kept filter names. Throws ActionRefused where its subjects were picked by hand. */
export async function sourceOfRecord(record: Record<string, string>): Promise<QueueSource> {
  const { list = "trajectories", of, ...query } = record;
  const parsed = sourceSchema.safeParse({
    list,
    steps: of === "all" ? "all" : "flagged",
    query: new URLSearchParams(query).toString(),
  });
  if (!parsed.success || parsed.data.list === "ids")
    throw new ActionRefused("its items were picked by hand; make a queue of the others");
  return sourceOf(parsed.data);
}
