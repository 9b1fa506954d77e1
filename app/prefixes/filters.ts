import "server-only";
import type { PrefixFilters, RuleName } from "@/db/queries/prefix-filters";
import { NONE, type PrefixParams } from "./search-params";

const unstated = (values: string[]): string[] => values.map((v) => (v === NONE ? "" : v));
const KEPT: Record<string, 0 | 1 | null> = { kept: 1, lost: 0, unknown: null };

/** The filters of a URL as the queries take them. */
export function filtersOf(params: PrefixParams): PrefixFilters {
  const [what = "", name] = params.rule?.split(":") ?? [];
  return {
    misbehaviors: unstated(params.misbehavior),
    statuses: params.status,
    causes: params.cause,
    splits: unstated(params.split),
    environments: unstated(params.environment),
    draw: params.draw,
    study: params.study,
    reviews: params.review,
    rule: name === undefined ? null : { name: name as RuleName, kept: KEPT[what] ?? null },
  };
}
