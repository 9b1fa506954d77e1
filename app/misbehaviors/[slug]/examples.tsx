import Link from "next/link";
import { OutcomeBadge } from "@/components/data/outcome";
import { Badge } from "@/components/ui/badge";
import { StateMessage } from "@/components/ui/state";
import type { ErrorStepExample } from "@/db/queries/errorSteps";
import type { PrefixOfStep } from "@/db/queries/prefixes";
import { visible } from "@/lib/text/glyphs";
import { ExampleCheck } from "./choose-examples";

const SOURCE: Record<string, string> = { rule: "rules", model: "model", person: "person", dataset: "data set" };

const stepHref = (e: ErrorStepExample) =>
  `/trajectories/${e.trajectoryId}?${e.number === null ? `entry=${e.index}` : `step=${e.number}`}`;

/** Error steps of a type, newest trajectory first; each leads to its step. */
export function Examples({
  examples,
  prefixes,
  next,
  filter,
  made,
}: {
  examples: ErrorStepExample[];
  /** Prefixes by the id of the step they end before. */
  prefixes: Map<number, PrefixOfStep>;
  /** Address of the next page; null on the last. */
  next: string | null;
  filter: { model: string; clear: string } | null;
  /** Whether steps of rollouts that trainings and measurements made are among them, and the way to the other list. */
  made: { shown: boolean; href: string } | null;
}) {
  return (
    <section aria-label="Error steps" className="flex min-w-0 flex-col gap-2">
      <h2 className="font-medium">
        Error steps
        {filter ? (
          <span className="foreign ml-2 text-sm font-normal text-muted">
            of {visible(filter.model)} ·{" "}
            <Link href={filter.clear} className="text-accent hover:underline">
              all models
            </Link>
          </span>
        ) : null}
      </h2>
      {made ? (
        <p className="text-sm text-muted">
          {made.shown ? "With" : "Without"} the rollouts that trainings and measurements made ·{" "}
          <Link href={made.href} className="text-accent underline">
            {made.shown ? "without them" : "with them"}
          </Link>
        </p>
      ) : null}
      {examples.length === 0 ? (
        <StateMessage
          title="No error step of this type"
          actions={
            <>
              {made && !made.shown ? (
                <Link href={made.href} className="text-accent underline">
                  Look in the rollouts of trainings and measurements too
                </Link>
              ) : null}
              <Link href="/import" className="text-accent underline">
                Import trajectories
              </Link>
              <Link href="/profiles" className="text-accent underline">
                Profile a policy
              </Link>
            </>
          }
        />
      ) : null}
      <ol className="flex flex-col gap-2">
        {examples.map((e) => (
          <li key={e.stepId} className="rounded-lg border bg-surface p-3">
            <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
              <Link href={stepHref(e)} className="text-accent hover:underline">
                {e.number === null ? `entry ${e.index}` : `step ${e.number}`}
              </Link>
              <span className="foreign text-muted">
                {visible(e.task ?? "no task stated")} · {visible(e.model ?? "no model stated")}
              </span>
              <OutcomeBadge outcome={e.outcome} />
              <PrefixLink prefix={prefixes.get(e.stepId)} />
              <span className="ml-auto" />
              <ExampleCheck step={e.stepId} />
              <Badge title="Who said so">
                {SOURCE[e.source] ?? e.source}{" "}
                {e.sourceName === "rules" ? e.sourceVersion : visible(e.sourceName ?? "")}
              </Badge>
            </div>
            {e.reason ? <p className="foreign mt-1 text-pretty">{visible(e.reason)}</p> : null}
            {e.preview ? (
              <pre className="foreign mt-1 max-h-24 overflow-hidden font-mono text-xs whitespace-pre-wrap text-muted">
                {visible(e.preview)}
              </pre>
            ) : null}
          </li>
        ))}
      </ol>
      {next ? (
        <Link href={next} className="self-start text-sm text-accent hover:underline">
          Next error steps
        </Link>
      ) : null}
    </section>
  );
}

function PrefixLink({ prefix }: { prefix: PrefixOfStep | undefined }) {
  if (!prefix) return null;
  return (
    <Link href={`/prefixes/${prefix.id}`} prefetch={false} className="text-accent hover:underline">
      prefix {prefix.id}: {prefix.status}
    </Link>
  );
}
