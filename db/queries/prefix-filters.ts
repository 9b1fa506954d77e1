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
  /** What people settled: good | bad | unsettled. */
  reviews: string[];
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
  reviews: [],
  rule: null,
};

/** The newest thing people settled of a prefix as a training example: good | bad, or null where they settled neither. */
export const PREFIX_REVIEW = `(select case s.verdict when 'good' then 'good' when 'bad' then 'bad' end
  from review_queue q cross join review_item i on i.queue_id = q.id and i.subject_id = p.id
    cross join review_settlement s on s.item_id = i.id and s.current = 1
  where q.question = 'prefix' order by s.id desc limit 1)`;

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
  if (filters.reviews.length > 0) {
    sql.push(`ifnull(${PREFIX_REVIEW}, 'unsettled') in (${marks(filters.reviews)})`);
    values.push(...filters.reviews);
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
