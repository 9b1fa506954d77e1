import { ArrowLeft, OctagonX, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { filterOn, listHref } from "@/app/trajectories/search-params";
import { cn } from "@/components/cn";
import { OutcomeBadge } from "@/components/data/outcome";
import { Stated } from "@/components/data/stated";
import { DownloadMenu } from "@/components/reader/download-menu";
import { BackToList, Neighbours } from "@/components/reader/neighbours";
import { Badge } from "@/components/ui/badge";
import type { rolloutOfTrajectory } from "@/db/queries/profiles";
import type { Related, TrajectoryHead } from "@/db/queries/reader-head";
import { formatCost, formatCount, formatDuration, formatShort, formatTime, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { TABS, type Tab } from "./search-params";

interface Props {
  head: TrajectoryHead;
  exception: { type: string; message: string | null } | null;
  tab: Tab;
  artifacts: number;
  related: Related[];
  neighbours: { newer: number | null; older: number | null };
  /** The profile it is a rollout of; null when it is of none. */
  rollout: ReturnType<typeof rolloutOfTrajectory>;
  /** Why nothing of it can be rerun here; null when it can be tried. */
  noRerun: string | null;
  /** Some of its steps were stopped before they ran. */
  rejected: boolean;
}

/** What is known of the trajectory as a whole, its tabs, and the way to its neighbours. */
export function Head({ head, exception, tab, artifacts, related, neighbours, rollout, noRerun, rejected }: Props) {
  const labels: Record<Tab, string> = { steps: "Steps", tests: `Outcome tests (${artifacts})`, metadata: "Metadata" };
  return (
    <header className="border-b bg-surface px-3 pt-2 sm:px-4">
      <div className="flex items-center gap-2">
        <BackToList>
          <ArrowLeft aria-hidden />
        </BackToList>
        <h1
          className="foreign min-w-0 flex-1 truncate text-base font-semibold"
          title={head.name === null ? undefined : visible(head.name)}
        >
          {visible(head.name ?? `Trajectory ${head.id}`)}
        </h1>
        <Link
          href={`/localizers?trajectory=${head.id}#start-localize`}
          prefetch={false}
          className="text-sm whitespace-nowrap text-accent hover:underline max-sm:hidden"
        >
          Judge with a model
        </Link>
        <DownloadMenu id={head.id} rejected={rejected} />
        <Neighbours id={head.id} fallback={neighbours} />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pt-1 text-xs text-muted">
        <OutcomeBadge outcome={head.outcome} reward={head.reward} exception={head.exceptionType} />
        <Fact label="task" value={head.task} href={listHref({ task: filterOn(head.task) })} />
        <Fact label="model" value={head.model} href={listHref({ model: filterOn(head.model) })} />
        <Fact label="agent" value={head.agent} />
        <span className="whitespace-nowrap">
          {plural(head.steps, "step")}, {formatCount(head.errorSteps)} flagged
        </span>
        <Amounts head={head} />
        {head.warnings > 0 ? (
          <Link href="?tab=metadata#warnings" className="hover:underline">
            <Badge tone="warn">
              <TriangleAlert aria-hidden /> {head.warnings} {head.warnings === 1 ? "warning" : "warnings"} from import
            </Badge>
          </Link>
        ) : null}
        {noRerun === null ? null : <span className="foreign">no reruns: {visible(noRerun)}</span>}
        {head.supersededBy === null ? null : (
          <Link href={`/trajectories/${head.supersededBy}`} className="text-warn underline">
            replaced by a newer reading of its file
          </Link>
        )}
      </div>
      {exception?.message ? (
        <p className="foreign line-clamp-2 pt-1 text-xs text-warn" title={visible(exception.message)}>
          {visible(exception.type)}: {visible(exception.message)}
        </p>
      ) : null}
      {rollout ? <Rollout rollout={rollout} /> : null}
      <RelatedLinks head={head} related={related} />
      <nav aria-label="Parts of this trajectory" className="flex gap-1 pt-1">
        {TABS.map((name) => (
          <Link
            key={name}
            href={name === "steps" ? `/trajectories/${head.id}` : `/trajectories/${head.id}?tab=${name}`}
            aria-current={tab === name ? "page" : undefined}
            className={cn(
              "-mb-px border-b-2 px-2 py-1 text-sm whitespace-nowrap",
              tab === name ? "border-accent text-text" : "border-transparent text-muted hover:text-text",
            )}
          >
            {labels[name]}
          </Link>
        ))}
      </nav>
    </header>
  );
}

const ENDED: Record<string, string> = {
  submitted: "the policy submitted",
  steps: "the steps ran out",
  context: "the context was full",
  format: "too many replies without a command",
};

/** The profile a rollout belongs to and how it ended there. */
function Rollout({ rollout }: { rollout: NonNullable<Props["rollout"]> }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 pt-1 text-xs text-muted">
      <span>
        Rollout {formatCount(rollout.number)} of its environment in{" "}
        <Link href={`/profiles/${rollout.profileId}`} prefetch={false} className="foreign text-accent hover:underline">
          {visible(rollout.profile)}
        </Link>
      </span>
      {rollout.status === "discarded" ? (
        <Badge tone="warn">
          <OctagonX aria-hidden /> discarded: no correction of its last step was accepted
        </Badge>
      ) : rollout.ended ? (
        <span>ended: {ENDED[rollout.ended] ?? visible(rollout.ended)}</span>
      ) : null}
    </p>
  );
}

function Fact({ label, value, href }: { label: string; value: string | null; href?: string | null }) {
  return (
    <span className={cn("inline-flex max-w-72 items-baseline gap-1", value === null && "max-sm:hidden")}>
      {label}
      <Stated value={value}>
        {(text) =>
          href ? (
            <Link
              href={href}
              prefetch={false}
              className="foreign truncate text-text hover:underline"
              title={visible(text)}
            >
              {visible(text)}
            </Link>
          ) : (
            <span className="foreign truncate text-text" title={visible(text)}>
              {visible(text)}
            </span>
          )
        }
      </Stated>
    </span>
  );
}

function Amounts({ head }: { head: TrajectoryHead }) {
  const { promptTokens, completionTokens, cachedTokens, costUsd, durationMs, startedAt } = head;
  const tokens =
    promptTokens === null && completionTokens === null ? null : (promptTokens ?? 0) + (completionTokens ?? 0);
  return (
    <>
      <span
        className="whitespace-nowrap"
        title={`prompt ${promptTokens ?? "?"}, of it cached ${cachedTokens ?? "?"}, completion ${completionTokens ?? "?"}`}
      >
        <Stated value={tokens}>{formatShort}</Stated> tokens
      </span>
      <span className={cn("whitespace-nowrap", costUsd === null && "max-sm:hidden")}>
        cost <Stated value={costUsd}>{formatCost}</Stated>
      </span>
      <span className={cn("whitespace-nowrap", durationMs === null && "max-sm:hidden")}>
        took <Stated value={durationMs}>{formatDuration}</Stated>
      </span>
      <span className={cn("whitespace-nowrap", startedAt === null && "max-sm:hidden")}>
        started <Stated value={startedAt}>{(ms) => `${formatTime(ms)} UTC`}</Stated>
      </span>
    </>
  );
}

const MOST_LINKS = 12;
/** More than these are folded: the steps are what the page is for. */
const FEW_LINKS = 3;

function RelatedLinks({ head, related }: { head: TrajectoryHead; related: Related[] }) {
  if (head.parentId === null && related.length === 0) return null;
  const children = related.slice(0, MOST_LINKS).map((child) => (
    <Link
      key={child.id}
      href={`/trajectories/${child.id}`}
      prefetch={false}
      className="foreign max-w-60 truncate text-accent hover:underline"
    >
      {visible(child.name ?? child.agent ?? `Trajectory ${child.id}`)}
    </Link>
  ));
  const row = "flex flex-wrap gap-x-3 gap-y-0.5 pt-1";
  return (
    <div className="text-xs text-muted">
      {head.parentId === null ? null : (
        <p className="pt-1">
          <Link
            href={`/trajectories/${head.parentId}${head.parentStep === null ? "" : `?entry=${head.parentStep}`}`}
            className="text-accent hover:underline"
          >
            Part of trajectory {head.parentId}
          </Link>
        </p>
      )}
      {related.length === 0 ? null : related.length <= FEW_LINKS ? (
        <p className={row}>
          <span>Started from here:</span>
          {children}
        </p>
      ) : (
        <details className="pt-1">
          <summary className="cursor-pointer">
            Started from here: {plural(related.length, "trajectory", "trajectories")}
          </summary>
          <p className={row}>
            {children}
            {related.length > MOST_LINKS ? <span>and {formatCount(related.length - MOST_LINKS)} more</span> : null}
          </p>
        </details>
      )}
    </div>
  );
}
