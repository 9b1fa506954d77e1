import { ChevronLeft, ChevronRight } from "lucide-react";
import Link from "next/link";
import type { GROUP_KINDS } from "@/app/train/search-params";
import { trainHref } from "@/app/train/search-params";
import { Button } from "@/components/ui/button";
import { Term } from "@/components/ui/term";
import type { GroupRow, RolloutRow } from "@/db/queries/trainings";
import { formatCount, formatDuration } from "@/lib/text/format";
import type { StepMetrics } from "@/lib/train/run/metrics";
import { Group, isLuckyPass } from "./group";

type Kind = (typeof GROUP_KINDS)[number];

const FILTERS: { kind: Kind | null; label: string }[] = [
  { kind: null, label: "all" },
  { kind: "live", label: "trained on" },
  { kind: "dead", label: "without spread" },
  { kind: "lucky", label: "with a lucky pass" },
];

/** Groups of one step with their rollouts side by side. */
export function Groups({
  id,
  step,
  last,
  show,
  metrics,
  groups,
  rollouts,
}: {
  id: number;
  step: number;
  last: number;
  show: Kind | null;
  metrics: StepMetrics | null;
  groups: GroupRow[];
  rollouts: RolloutRow[];
}) {
  const of = (group: GroupRow) => rollouts.filter((r) => r.groupId === group.id);
  const shown = groups.filter((group) => {
    if (show === "live") return group.dead === null;
    if (show === "dead") return group.dead !== null;
    if (show === "lucky") return of(group).some(isLuckyPass);
    return true;
  });
  const move = (to: number, label: string, icon: React.ReactNode, enabled: boolean) =>
    enabled ? (
      <Button asChild size="icon-sm" variant="ghost">
        <Link href={trainHref(id, { step: to, groups: show })} scroll={false} aria-label={label}>
          {icon}
        </Link>
      </Button>
    ) : (
      <Button size="icon-sm" variant="ghost" disabled aria-label={label}>
        {icon}
      </Button>
    );
  return (
    <section aria-labelledby="groups" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id="groups" className="scroll-mt-4 font-medium">
          Groups of step {formatCount(step)}
        </h2>
        <Term name="group" />
        {move(step - 1, "Step before", <ChevronLeft aria-hidden />, step > 1)}
        {move(step + 1, "Step after", <ChevronRight aria-hidden />, step < last)}
        <nav aria-label="Groups by kind" className="flex flex-wrap gap-1">
          {FILTERS.map(({ kind, label }) => (
            <Button key={label} asChild size="sm" variant="ghost">
              <Link
                href={trainHref(id, { step, groups: kind })}
                scroll={false}
                aria-current={show === kind ? "true" : undefined}
                className={show === kind ? "bg-accent-soft text-accent" : undefined}
              >
                {label}
              </Link>
            </Button>
          ))}
        </nav>
      </div>
      {metrics ? (
        <p className="text-sm text-muted">
          {formatCount(metrics.rollouts)} rollouts
          {metrics.ms.total === null ? "" : ` in ${formatDuration(metrics.ms.total)}`}, {formatCount(metrics.live)} of{" "}
          {formatCount(metrics.groups)} groups trained on,{" "}
          {metrics.trainedTokens === null ? "tokens not known" : `${formatCount(metrics.trainedTokens)} tokens`}
          {metrics.void > 0 ? `, ${formatCount(metrics.void)} void` : ""}
          {metrics.unjudged > 0 ? `, ${formatCount(metrics.unjudged)} without a verdict` : ""}.
        </p>
      ) : null}
      {shown.length === 0 ? (
        <p className="text-sm text-muted">
          {groups.length === 0 ? "This step is not in the index." : "No group of this step is of that kind."}
        </p>
      ) : (
        <div className="grid items-start gap-3 lg:grid-cols-2">
          {shown.map((group) => (
            <Group key={group.id} group={group} rollouts={of(group)} />
          ))}
        </div>
      )}
    </section>
  );
}
