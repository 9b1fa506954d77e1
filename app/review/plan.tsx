import type { QueuePlan } from "@/lib/review/queue/create";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const MOST = 12;

/** What a queue would hold, before it is made. */
export function Plan({ plan, people, raters }: { plan: QueuePlan | null; people: number; raters: number }) {
  if (!plan) return <p className="text-sm text-muted">Counting…</p>;
  if (plan.population === 0)
    return (
      <p aria-live="polite" className="rounded-md border bg-raised/50 p-3 text-sm">
        There is nothing to ask about: the filter leaves no subject for this question.
      </p>
    );
  const shown = plan.strata.slice(0, MOST);
  const rest = plan.strata.slice(MOST);
  return (
    <section
      aria-label="What it would hold"
      className="flex flex-col gap-1.5 rounded-md border bg-raised/50 p-3 text-sm"
    >
      <p aria-live="polite">
        <strong className="font-semibold">{plural(plan.items, "item")}</strong> of {formatCount(plan.population)},{" "}
        {formatCount(plan.random)} of them at random; {plural(plan.answers, "answer")} in all.
        {plan.gold.mixed > 0 || plan.catches.mixed > 0
          ? ` With ${plan.gold.mixed} gold and ${plan.catches.mixed} catch items, given to everybody.`
          : ""}
      </p>
      <p className="text-muted">
        Sources differ on {formatCount(plan.split)}. People have settled {formatCount(plan.labelled)} before. Known
        answers there are: {formatCount(plan.gold.available)} settled, {formatCount(plan.catches.available)} from catch
        trials.
      </p>
      {people < raters ? (
        <p className="text-warn">
          {plural(raters, "annotator")} an item, and{" "}
          {people === 0 ? "no person" : `only ${plural(people, "person", "people")}`} that may rate: add people before
          it can be finished.
        </p>
      ) : null}
      {shown.length > 1 ? (
        <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-muted tabular-nums">
          {shown.map((s) => (
            <li key={s.name} className="foreign">
              {visible(s.label)}: {s.drawn} of {formatCount(s.population)}
            </li>
          ))}
          {rest.length > 0 ? (
            <li>
              {plural(rest.length, "other stratum", "other strata")}:{" "}
              {formatCount(rest.reduce((n, s) => n + s.drawn, 0))} of{" "}
              {formatCount(rest.reduce((n, s) => n + s.population, 0))}
            </li>
          ) : null}
        </ul>
      ) : null}
    </section>
  );
}
