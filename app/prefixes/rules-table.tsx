import Link from "next/link";
import { cn } from "@/components/cn";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { RuleName } from "@/db/queries/prefix-filters";
import type { RuleRow } from "@/db/queries/prefix-rules";
import { formatCount, formatShare, plural, UNKNOWN } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { NONE, type PrefixParams, prefixesHref, RULE_GROUPS, RULE_NAMES } from "./search-params";

const LABELS: Record<RuleName, { label: string; title: string }> = {
  exact: { label: "Exact", title: "Every rerun showed exactly what the policy saw. This rule decides." },
  normalised: {
    label: "Normalised",
    title:
      "Equal once times, process numbers, temporary names, durations and addresses are set aside. Decides nothing.",
  },
  "exit-code": { label: "Exit code", title: "Only the exit codes are equal. Decides nothing." },
};
const GROUP_LABELS = { misbehavior: "Misbehavior", environment: "Environment", study: "Study" } as const;
const MOST = 100;

/** Filters that give the rows of a group. */
function groupFilter(by: PrefixParams["by"], value: string): Partial<PrefixParams> {
  if (by === "study") return { study: Number(value) };
  return { [by]: [value === "" ? NONE : value] };
}

function CountLink({ n, params }: { n: number; params: Partial<PrefixParams> }) {
  if (n === 0) return <span className="text-muted">0</span>;
  return (
    <Link href={prefixesHref(params)} prefetch={false} className="text-accent hover:underline">
      {formatCount(n)}
    </Link>
  );
}

function RuleCell({ row, rule, params }: { row: RuleRow; rule: RuleName; params: Partial<PrefixParams> }) {
  const { kept, lost, unknown } = row.rules[rule];
  const known = kept + lost;
  return (
    <Td className="text-right whitespace-nowrap">
      {known === 0 ? (
        <span className="text-muted">{UNKNOWN}</span>
      ) : (
        <>
          <span title={`${kept} of ${known} prefixes with a statement by this rule`}>{formatShare(kept, known)}</span>{" "}
          <span className="text-xs text-muted">
            <CountLink n={kept} params={{ ...params, rule: `kept:${rule}` }} /> of {formatCount(known)}
          </span>
        </>
      )}
      {unknown > 0 ? (
        <div className="text-2xs text-muted" title="Reruns stopped at the first difference; run them through to know.">
          <CountLink n={unknown} params={{ ...params, rule: `unknown:${rule}` }} /> not known
        </div>
      ) : null}
    </Td>
  );
}

const average = (n: number | null): string => (n === null ? UNKNOWN : n.toFixed(1));

/** What the exact rule costs, by group: how many prefixes each rule keeps. Void and pending ones stand apart. */
export function RulesTable({ rows, params }: { rows: RuleRow[]; params: PrefixParams }) {
  const { by } = params;
  const base: Partial<PrefixParams> = { ...params, rule: null, after: null, before: null };
  return (
    <section className="flex flex-col gap-2" aria-labelledby="kept-under-rules">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <div className="flex items-center gap-1">
          <h2 id="kept-under-rules" className="font-medium">
            Kept under each rule
          </h2>
          <Term name="rerun check" />
        </div>
        <p className="text-sm text-muted">
          The exact rule decides; the others show what it costs. Shares are of the prefixes with a statement.
        </p>
        <nav aria-label="Group by" className="ml-auto flex gap-1 text-sm">
          {RULE_GROUPS.map((group) => (
            <Link
              key={group}
              href={prefixesHref({ ...params, by: group })}
              scroll={false}
              aria-current={by === group ? "true" : undefined}
              className={cn(
                "rounded-md px-2 py-0.5",
                by === group ? "bg-accent-soft text-accent" : "text-muted hover:bg-raised hover:text-text",
              )}
            >
              by {group}
            </Link>
          ))}
        </nav>
      </div>
      <TableFrame label="Kept under each rule">
        <thead>
          <tr>
            <Th>{GROUP_LABELS[by]}</Th>
            <Th className="text-right">Prefixes</Th>
            {RULE_NAMES.map((rule) => (
              <Th key={rule} className="text-right" title={LABELS[rule].title}>
                {LABELS[rule].label}
              </Th>
            ))}
            <Th className="text-right">Flaky</Th>
            <Th className="text-right" title="No statement: never counted as kept or lost">
              Void
            </Th>
            <Th className="text-right">Pending</Th>
            <Th
              className="text-right"
              title="Mean commands of the prefixes kept and of those lost under the exact rule"
            >
              Commands, kept / lost
            </Th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST).map((row) => {
            const group = { ...base, ...groupFilter(by, row.value) };
            return (
              <tr key={row.value} className="hover:bg-raised/60">
                <Td className="foreign min-w-40">
                  {row.label === "" ? <span className="text-muted">none stated</span> : visible(row.label)}
                </Td>
                <Td className="text-right">
                  <CountLink n={row.prefixes} params={group} />
                </Td>
                {RULE_NAMES.map((rule) => (
                  <RuleCell key={rule} row={row} rule={rule} params={group} />
                ))}
                <Td className="text-right">
                  <CountLink n={row.flaky} params={{ ...group, status: ["flaky"] }} />
                </Td>
                <Td className="text-right">
                  <CountLink n={row.void} params={{ ...group, status: ["void"] }} />
                </Td>
                <Td className="text-right">
                  <CountLink n={row.pending} params={{ ...group, status: ["pending"] }} />
                </Td>
                <Td className="text-right whitespace-nowrap">
                  {average(row.keptCommands)} / {average(row.lostCommands)}
                </Td>
              </tr>
            );
          })}
        </tbody>
      </TableFrame>
      {rows.length > MOST ? (
        <p className="text-xs text-muted">
          {plural(rows.length - MOST, "more row")} with fewer statements are not shown; filter to see them.
        </p>
      ) : null}
    </section>
  );
}
