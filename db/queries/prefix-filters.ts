import "server-only";
import { SPAN } from "@/db/ids";
import { marks, type Value } from "./prepared";

/** Rules of the rerun check by the column that says whether a prefix is kept under them. */
export const RULE_COLUMNS = {
  exact: "case p.status when 'kept' then 1 when 'different' then 0 when 'flaky' then 0 end",
  normalised: "case when p.status in ('kept', 'different', 'flaky') then p.normalised_kept end",
  "exit-code": "case when p.status in ('kept', 'different', 'flaky') then p.exit_code_kept end",
} as const;
export type RuleName = keyof typeof RULE_COLUMNS;

/** What a list of prefixes is narrowed to. Empty lists and nulls narrow nothing. */
export interface PrefixFilters {
  /** Slugs; "" stands for prefixes of no misbehavior. */
  misbehaviors: string[];
  statuses: string[];
  causes: string[];
  /** training | heldout | "" for none. */
  splits: string[];
  /** Names; "" stands for "not stated". */
  environments: string[];
  /** Id of a draw; 0 stands for prefixes made on demand. */
  draw: number | null;
  study: number | null;
  /** Kept under a rule (1), not (0), or not known although there is a statement (null). */
  rule: { name: RuleName; kept: 0 | 1 | null } | null;
}

export const NO_PREFIX_FILTERS: PrefixFilters = {
  misbehaviors: [],
  statuses: [],
  causes: [],
  splits: [],
  environments: [],
  draw: null,
  study: null,
  rule: null,
};

/** Tables a condition over prefixes needs: prefix p, trajectory t, environment v, error type e. */
export const PREFIX_FROM = `prefix p join step s on s.id = p.step_id join trajectory t on t.id = p.step_id / ${SPAN}
  left join environment v on v.id = p.environment_id left join error_type e on e.id = p.error_type_id`;

/** Condition of these filters over PREFIX_FROM. */
export function prefixWhere(filters: PrefixFilters): { sql: string; values: Value[] } {
  const sql: string[] = ["1"];
  const values: Value[] = [];
  const oneOf = (column: string, wanted: string[]) => {
    if (wanted.length === 0) return;
    const stated = wanted.filter((w) => w !== "");
    const parts = stated.length > 0 ? [`${column} in (${marks(stated)})`] : [];
    if (stated.length < wanted.length) parts.push(`${column} is null`);
    sql.push(`(${parts.join(" or ")})`);
    values.push(...stated);
  };
  oneOf("e.slug", filters.misbehaviors);
  oneOf("p.status", filters.statuses);
  oneOf("p.cause", filters.causes);
  oneOf("p.split", filters.splits);
  oneOf("v.name", filters.environments);
  if (filters.draw !== null) {
    sql.push(filters.draw === 0 ? "p.draw_id is null" : "p.draw_id = ?");
    if (filters.draw !== 0) values.push(filters.draw);
  }
  if (filters.study !== null) {
    sql.push("p.study_id = ?");
    values.push(filters.study);
  }
  if (filters.rule) {
    const { name, kept } = filters.rule;
    sql.push(
      kept === null
        ? `p.status in ('kept', 'different', 'flaky') and (${RULE_COLUMNS[name]}) is null`
        : `(${RULE_COLUMNS[name]}) = ${kept}`,
    );
  }
  return { sql: sql.join(" and "), values };
}
