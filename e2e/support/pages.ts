import fs from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";

/** The rows that stand for the parts of an address that vary; more than one where pages look different. */
const FROM_INDEX: Record<string, string> = {
  "/environments/[id]":
    "select max(id) as id from environment union select min(id) from environment where digest is not null",
  "/jobs/[id]": "select max(id) as id from job union select max(id) from job where kind = 'import'",
  "/misbehaviors/[slug]": `select slug as id from (select e.slug from error_type e left join type_count k on k.scope = e.id
     where e.named = 1 and e.taxonomy_id in (select id from taxonomy where origin <> 'dataset')
     group by e.id order by ifnull(sum(k.error_steps), 0) desc limit 1)`,
  "/misbehaviors/versions/[id]": "select max(id) as id from taxonomy where origin <> 'dataset'",
  "/models/[id]": "select max(id) as id from checkpoint union select min(id) from checkpoint where kind = 'embedded'",
  "/prefixes/[id]": "select max(id) as id from prefix union select min(id) from prefix where status = 'kept'",
  "/profiles/[id]": "select max(id) as id from profile",
  "/review/[id]": "select max(id) as id from review_queue",
  "/settings/calls/[id]": "select max(id) as id from usage",
  "/train/[id]": "select max(id) as id from training_run",
  "/trajectories/[id]": `select max(id) as id from trajectory where superseded_by is null
     union select id from (select id from trajectory where superseded_by is null order by steps desc, id limit 1)`,
};

/** What further parts stand for. */
const FIXED: Record<string, string> = { "[fork]": "00000000-0000-4000-8000-000000000000", "[token]": "none" };

/** Addresses with what they need to show something, or something else, besides the bare ones: each SQL gives the rest of one. */
const MORE: Record<string, string[]> = {
  "/compare": ["select '?m=' || max(id) as id from evaluation where kind = 'misbehavior-rate' having count(*) > 0"],
  "/evaluate": ["select '?paper=tb_lite' as id"],
  "/evaluate/selection": ["select '?run=' || max(id) as id from training_run having count(*) > 0"],
  "/search": ["select '?q=command%3Als' as id"],
  "/review/[id]/settle": ["select '?show=settled' as id"],
  "/train/compare": ["select '?ids=' || max(id) || '&ids=' || min(id) as id from training_run having count(*) > 0"],
  "/trajectories": ["select '?group=task' as id"],
  "/trajectories/[id]": ["select '?tab=tests' as id", "select '?tab=metadata' as id"],
  "/trajectories/compare": [
    "select '?ids=' || group_concat(id) as id from (select id from trajectory where superseded_by is null order by id limit 2)",
  ],
};

/** Every page of the tree as a route: "/trajectories/[id]". */
export function routes(root: string): string[] {
  return fs
    .readdirSync(path.join(root, "app"), { recursive: true, encoding: "utf8" })
    .filter((name) => path.basename(name) === "page.tsx")
    .map((name) => `/${path.dirname(name)}`.replace(/^\/\.$/, "/"))
    .sort();
}

/**
 * Addresses of every page, filled in from an index; `without`: routes it has no row for. Throws for a route with a part that
 * nothing here fills, so that a new page is not left out.
 */
export function addresses(
  root: string,
  database: string,
): { all: string[]; of: Record<string, string[]>; without: string[] } {
  const db = new Database(database, { readonly: true });
  try {
    const ids = (sql: string) =>
      (db.prepare(sql).all() as { id: string | number | null }[]).flatMap(({ id }) =>
        id === null ? [] : [String(id)],
      );
    const of: Record<string, string[]> = {};
    const without: string[] = [];
    for (const route of routes(root)) {
      const base = Object.keys(FROM_INDEX).find((key) => route === key || route.startsWith(`${key}/`));
      const rest = Object.entries(FIXED).reduce((to, [part, value]) => to.replace(part, value), route);
      const filled =
        base === undefined
          ? [rest]
          : ids(FROM_INDEX[base] ?? "").map((id) => rest.replace(/\[(id|slug)\]/, encodeURIComponent(id)));
      if (filled.some((address) => address.includes("[")))
        throw new Error(`nothing says what fills ${route}: add it to e2e/support/pages.ts`);
      if (filled.length === 0) without.push(route);
      // Pages below one thing look alike for each of them: one is enough.
      of[route] = [
        ...(route === base ? filled : filled.slice(0, 1)),
        ...filled.slice(0, 1).flatMap((address) => (MORE[route] ?? []).flatMap(ids).map((rest) => `${address}${rest}`)),
      ];
    }
    return { all: Object.values(of).flat(), of, without };
  } finally {
    db.close();
  }
}
