import "server-only";
import type { Db } from "@/db/client";
import { PREFIX_FROM, type PrefixFilters, prefixWhere, RULE_COLUMNS, type RuleName } from "./prefix-filters";
import { all } from "./prepared";

/** What the table of rules is grouped by. */
export const RULE_GROUPS = ["misbehavior", "environment", "study"] as const;
export type RuleGroup = (typeof RULE_GROUPS)[number];

/** Prefixes kept under a rule, those known not to be, and those of which that is not known although there is a statement. */
export interface RuleCount {
  kept: number;
  lost: number;
  unknown: number;
}

/** One group: all its prefixes fall into statement, void and pending; the rules count those with a statement. */
export interface RuleRow {
  /** Slug, name or id as the list's filter takes it; "" for not stated. */
  value: string;
  label: string;
  prefixes: number;
  statement: number;
  void: number;
  pending: number;
  flaky: number;
  /** Mean commands of the prefixes kept, and of those lost, under the exact rule: long ones vanish first. */
  keptCommands: number | null;
  lostCommands: number | null;
  rules: Record<RuleName, RuleCount>;
}

const GROUPS: Record<RuleGroup, [value: string, label: string, order: string]> = {
  misbehavior: ["e.slug", "e.name", "e.rank is null, e.rank"],
  environment: ["v.name", "v.name", "statement desc, label"],
  study: ["p.study_id", "(select name from study where id = p.study_id)", "value"],
};

type Counted = Omit<RuleRow, "rules"> & Record<string, number>;

/** How many prefixes each rule keeps, by group: what the exact rule costs, and where (selection bias). */
export function keptUnderRules(db: Db, by: RuleGroup, filters: PrefixFilters): RuleRow[] {
  const [value, label, order] = GROUPS[by];
  const where = prefixWhere(filters);
  const counts = (Object.entries(RULE_COLUMNS) as [RuleName, string][]).map(
    ([name, kept]) => `total((${kept}) = 1) as "${name}.kept", total((${kept}) = 0) as "${name}.lost"`,
  );
  const rows = all<Counted>(
    db,
    `select cast(ifnull(${value}, '') as text) as value, ifnull(${label}, '') as label, count(*) as prefixes,
       total(p.status in ('kept', 'different', 'flaky')) as statement, total(p.status = 'void') as void,
       total(p.status = 'pending') as pending, total(p.status = 'flaky') as flaky,
       avg(case p.status when 'kept' then p.commands end) as keptCommands,
       avg(case when p.status in ('different', 'flaky') then p.commands end) as lostCommands,
       ${counts.join(", ")}
     from ${PREFIX_FROM} where ${where.sql} group by 1 order by ${order}`,
    ...where.values,
  );
  return rows.map((row) => {
    const rule = (name: RuleName): RuleCount => {
      const kept = row[`${name}.kept`] ?? 0;
      const lost = row[`${name}.lost`] ?? 0;
      return { kept, lost, unknown: row.statement - kept - lost };
    };
    const { value, label, prefixes, statement, pending, flaky, keptCommands, lostCommands } = row;
    return {
      value,
      label,
      prefixes,
      statement,
      void: row.void,
      pending,
      flaky,
      keptCommands,
      lostCommands,
      rules: { exact: rule("exact"), normalised: rule("normalised"), "exit-code": rule("exit-code") },
    };
  });
}
