import "server-only";
import type { Db } from "@/db/client";
import { all, one } from "./prepared";

/** Steps of one truth, and what the localizer said of them. A step flagged with two types counts under both. */
export interface ConfusionRow {
  /** The injected misbehavior; null: steps known to be right. */
  slug: string | null;
  name: string | null;
  steps: number;
  /** Flagged steps by the type they were flagged with. */
  flagged: Record<string, number>;
  /** Flagged, and no type was named. */
  untyped: number;
  /** Flagged at all. */
  any: number;
  notFlagged: number;
  /** The localizer gave no verdict; in none of the other counts. */
  unjudged: number;
}

/** What a localizer makes of steps whose truth is known (catch trials). */
export interface Confusion {
  rows: ConfusionRow[];
  /** Types that occur as a column, in the order of the taxonomy. */
  columns: { slug: string; name: string }[];
}

/** The confusion table of a profile of catch trials; no rows when it has none. Only verdicts of the profile's localizer count. */
export function confusion(db: Db, profileId: number): Confusion {
  const settings = one<{ settings: string }>(db, "select settings from profile where id = ?", profileId)?.settings;
  const acting = (
    JSON.parse(settings ?? "{}") as { localizer?: { use?: string; options?: { model?: unknown } } | null }
  ).localizer;
  const localizer = acting?.use ?? "rules";
  const steps = all<{ slug: string | null; name: string | null; verdict: string | null; types: string }>(
    db,
    `select t.slug, t.name,
       (select case when max(l.verdict = 'bad') then 'bad' when max(l.verdict in ('failed', 'unparsed')) then 'unjudged' end
          from localization l join localizer z on z.id = l.localizer_id
          where l.step_id = s.step_id and l.current = 1 and (z.kind = 'rule') = (? = 'rules')
            and (z.kind <> 'model' or z.name = ?)) as verdict,
       (select json_group_array(distinct e.slug) from label l join error_type e on e.id = l.error_type_id
            join taxonomy x on x.id = e.taxonomy_id and x.origin in ('builtin', 'dataset')
          where l.step_id = s.step_id and l.current = 1 and l.value = 'yes' and (l.source = 'rule') = (? = 'rules')) as types
     from trial_step s left join error_type t on t.id = s.error_type_id where s.profile_id = ?`,
    localizer,
    String(acting?.options?.model ?? ""),
    localizer,
    profileId,
  );
  const known = all<{ slug: string; name: string }>(
    db,
    "select e.slug, e.name from error_type e join taxonomy x on x.id = e.taxonomy_id and x.origin in ('builtin', 'dataset') group by e.slug order by min(e.rank), e.slug",
  );
  const rows = new Map<string | null, ConfusionRow>();
  for (const { slug, name, verdict, types } of steps) {
    const row: ConfusionRow = rows.get(slug) ?? {
      slug,
      name,
      steps: 0,
      flagged: {},
      untyped: 0,
      any: 0,
      notFlagged: 0,
      unjudged: 0,
    };
    rows.set(slug, row);
    row.steps++;
    if (verdict === "unjudged") row.unjudged++;
    else if (verdict === null) row.notFlagged++;
    else {
      row.any++;
      const named = JSON.parse(types) as string[];
      if (named.length === 0) row.untyped++;
      for (const type of named) row.flagged[type] = (row.flagged[type] ?? 0) + 1;
    }
  }
  const rank = (slug: string | null) => {
    const at = known.findIndex((k) => k.slug === slug);
    return at < 0 ? known.length : at;
  };
  const sorted = [...rows.values()].sort((a, b) => rank(a.slug) - rank(b.slug));
  const used = new Set(sorted.flatMap((r) => [...Object.keys(r.flagged), ...(r.slug === null ? [] : [r.slug])]));
  return { rows: sorted, columns: known.filter((k) => used.has(k.slug)) };
}
