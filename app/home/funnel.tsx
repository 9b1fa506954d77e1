import Link from "next/link";
import { Suspense } from "react";
import { listHref, WITH_STEPS, WITHOUT_STEPS } from "@/app/trajectories/search-params";
import { cn } from "@/components/cn";
import { Term } from "@/components/ui/term";
import type { Db } from "@/db/client";
import type { CorpusOverview } from "@/db/queries/overview";
import { formatCount, formatShare, plural } from "@/lib/text/format";
import type { TermName } from "@/lib/text/glossary";
import type { Outcome } from "@/lib/trajectory/types";
import { SaidBy } from "./said-by";

interface Stage {
  name: string;
  /** The word of the method that it counts. */
  term?: TermName;
  value: number;
  note: string;
  href: string | null;
  /** Links of their own below it. */
  below?: React.ReactNode;
}

/** What profiles lost on the way, when they did. */
function lost({ profiles }: CorpusOverview): string {
  const parts = [
    profiles.discarded > 0 ? `${formatCount(profiles.discarded)} discarded` : "",
    profiles.void > 0 ? `${formatCount(profiles.void)} void beside them` : "",
  ].filter((part) => part !== "");
  return parts.length > 0 ? `; ${parts.join(", ")}` : "";
}

/** The method's funnel, from environments to trainings. A stage that nothing reached yet says so instead of 0. */
export function Funnel({ db, totals, named }: { db: Db; totals: CorpusOverview; named: number }) {
  const { outcomes, withoutSteps } = totals;
  const without = Object.values(withoutSteps).reduce((sum, n) => sum + n, 0);
  const came = (outcome: Outcome) => outcomes[outcome] - withoutSteps[outcome];
  const stages: Stage[] = [
    {
      name: "Environments",
      term: "environment",
      value: totals.environments,
      note: `tried by ${plural(totals.models, "policy", "policies")}`,
      href: listHref({ group: "task" }),
    },
    {
      name: "Rollouts",
      term: "rollout",
      value: totals.trajectories - without,
      note: `${without > 0 ? "with steps: " : ""}${formatCount(came("passed"))} passed, ${formatCount(came("failed") + came("partial"))} not, ${formatCount(came("unknown"))} unknown${lost(totals)}`,
      href: listHref(without > 0 ? { steps: WITH_STEPS } : {}),
      below:
        without > 0 ? (
          <Link href={listHref({ steps: WITHOUT_STEPS })} className="text-accent hover:underline">
            {plural(without, "result")} without steps
          </Link>
        ) : null,
    },
    { name: "Steps", term: "step", value: totals.steps, note: "of all rollouts", href: "/search" },
    {
      name: "Error steps",
      term: "error step",
      value: totals.errorSteps,
      note: `${formatShare(totals.errorSteps, totals.steps)} of the steps`,
      href: listHref({ misbehavior: "any" }),
      below:
        totals.errorSteps > 0 ? (
          <Suspense fallback="by whom: counting">
            <SaidBy db={db} />
          </Suspense>
        ) : null,
    },
    {
      name: "Typed",
      term: "misbehavior",
      value: named,
      note: `${formatShare(named, totals.errorSteps)} of the error steps are a misbehavior`,
      href: listHref({ misbehavior: "named" }),
    },
    {
      name: "Corrected",
      term: "correction",
      value: totals.profiles.corrected,
      note: "error steps in whose place a teacher's step ran",
      href: "/profiles",
    },
    {
      name: "Prefixes",
      term: "prefix",
      value: totals.prefixes.drawn,
      note: `${formatCount(totals.prefixes.kept)} kept by the rerun check`,
      href: "/prefixes",
    },
    { name: "Trainings", value: totals.trainings, note: "with their curves and rollouts", href: "/train" },
  ];
  return (
    <ol
      aria-label="Funnel"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line sm:grid-cols-4 xl:grid-cols-8"
    >
      {stages.map((stage) => {
        const reached = stage.value > 0;
        const body = (
          <>
            <span className="text-xs text-muted">{stage.name}</span>
            <span className="text-xl font-semibold tabular-nums">
              {reached ? formatCount(stage.value) : <span className="text-base font-normal text-muted">none yet</span>}
            </span>
            <span className="text-xs text-pretty text-muted">{reached ? stage.note : ""}</span>
          </>
        );
        return (
          <li key={stage.name} className="relative flex flex-col bg-surface">
            {stage.href && reached ? (
              <Link
                href={stage.href}
                className={cn("flex flex-col px-3 py-2 hover:bg-raised", stage.below ? "pb-1" : "flex-1")}
              >
                {body}
              </Link>
            ) : (
              <div className="flex flex-col px-3 py-2">{body}</div>
            )}
            {stage.term ? (
              <span className="absolute top-1 right-1">
                <Term name={stage.term} />
              </span>
            ) : null}
            {stage.below ? <div className="px-3 pb-2 text-xs text-pretty text-muted">{stage.below}</div> : null}
          </li>
        );
      })}
    </ol>
  );
}
