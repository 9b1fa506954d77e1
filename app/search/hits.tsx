import { SearchX } from "lucide-react";
import Link from "next/link";
import { cn } from "@/components/cn";
import { OutcomeBadge } from "@/components/data/outcome";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { hasMadeRollouts } from "@/db/queries/errorSteps";
import { corpusOverview } from "@/db/queries/overview";
import { countHits, type HitCount, searchSteps, waitingForIndex } from "@/db/queries/search";
import { formatCount, plural, UNKNOWN } from "@/lib/text/format";
import type { SearchTerm } from "@/lib/text/fts";
import { visible } from "@/lib/text/glyphs";
import { type FoundSnippet, findText, snippetsOf } from "@/lib/text/search-snippets";
import { searchHref } from "./search-params";
import { Waiting } from "./waiting";

const PAGE = 25;

interface Props {
  q: string;
  terms: SearchTerm[];
  queries: { steps: string | null; reasons: string | null };
  where: "steps" | "reasons";
  /** Whether steps of rollouts that trainings and measurements made are among them. */
  made: "yes" | null;
  before: number | null;
}

const shortCount = (total: HitCount | null) =>
  total === null ? UNKNOWN : `${formatCount(total.count)}${total.more ? "+" : ""}`;
const matches = ({ count, more }: HitCount) =>
  more ? `over ${formatCount(count)} matches` : plural(count, "match", "matches");

const amount = ({ count, more }: HitCount) =>
  more ? `are over ${formatCount(count)}` : `${count === 1 ? "is" : "are"} ${formatCount(count)}`;

/** A page of hits with their places marked. */
export async function Hits({ q, terms, queries, where, made, before }: Props) {
  const db = getDb();
  const query = queries[where];
  const anyMade = hasMadeRollouts(db);
  const whose = anyMade && made === null ? "others" : "all";
  const page = query === null ? null : searchSteps(db, where, query, before, PAGE, whose);
  const other = where === "steps" ? "reasons" : "steps";
  const otherQuery = queries[other];
  // null: no word of the search is for this place.
  const counts: Record<string, HitCount | null> = {
    [where]: page?.total ?? null,
    [other]: otherQuery === null ? null : countHits(db, other, otherQuery, whose),
  };
  return (
    <>
      <Waiting wait={waitingForIndex(db)} />
      <nav aria-label="Where to search" className="flex gap-1 border-b text-sm">
        {(["steps", "reasons"] as const).map((place) => (
          <Link
            key={place}
            href={searchHref({ q, in: place, made })}
            prefetch={false}
            aria-current={place === where ? "page" : undefined}
            className={cn(
              "-mb-px border-b-2 px-2.5 py-1.5",
              place === where ? "border-accent" : "border-transparent text-muted hover:text-text",
            )}
          >
            {place === "steps" ? "In steps" : "In reasons"}{" "}
            <span className="text-muted tabular-nums">{shortCount(counts[place] ?? null)}</span>
          </Link>
        ))}
      </nav>
      {anyMade && query !== null ? (
        <p className="text-sm text-muted">
          {made === null
            ? `Without the rollouts that trainings and measurements made, in which ${amount(countHits(db, where, query, "made"))} more · `
            : "With the rollouts that trainings and measurements made · "}
          <Link
            href={searchHref({ q, in: where, made: made === null ? "yes" : null })}
            prefetch={false}
            className="text-accent underline"
          >
            {made === null ? "with them" : "without them"}
          </Link>
        </p>
      ) : null}
      {page === null || page.hits.length === 0 ? (
        <StateMessage icon={<SearchX aria-hidden />} title="Nothing found">
          {corpusOverview(db).trajectories === 0
            ? "There is no trajectory in this index yet: import some, or profile a policy."
            : query === null
              ? "None of these words is looked for here: another place is named for each."
              : "Try fewer words, or only the beginning of a word."}
        </StateMessage>
      ) : (
        <ol className="flex flex-col gap-2">
          {page.hits.map((hit) => {
            const { entry } = hit;
            const place = entry.number === null ? `entry=${entry.index}` : `step=${entry.number}`;
            const find = encodeURIComponent(findText(terms));
            return (
              <li key={hit.cursor} className="rounded-lg border bg-surface p-3">
                <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
                  <Link
                    href={`/trajectories/${hit.trajectoryId}?${place}&find=${find}`}
                    prefetch={false}
                    className="foreign font-medium text-accent hover:underline"
                  >
                    {visible(hit.name ?? `Trajectory ${hit.trajectoryId}`)},{" "}
                    {entry.number === null ? `entry ${entry.index}` : `step ${entry.number}`}
                  </Link>
                  <OutcomeBadge outcome={hit.outcome} />
                  {entry.exitCode ? <Badge tone="bad">exit {entry.exitCode}</Badge> : null}
                  <span className="foreign text-xs text-muted">
                    {visible([hit.task, hit.model].filter(Boolean).join(" · "))}
                  </span>
                </div>
                {snippetsOf(hit, terms).map((found) => (
                  <SnippetText key={found.field} found={found} />
                ))}
              </li>
            );
          })}
        </ol>
      )}
      <div className="flex items-center justify-end gap-2 text-sm text-muted">
        {page ? matches(page.total) : null}
        {before === null ? null : (
          <Button asChild size="sm">
            <Link href={searchHref({ q, in: where, made })}>Newest</Link>
          </Button>
        )}
        {page?.next ? (
          <Button asChild size="sm">
            <Link href={searchHref({ q, in: where, made, before: page.next })} prefetch={false}>
              Older
            </Link>
          </Button>
        ) : null}
      </div>
    </>
  );
}

function SnippetText({ found }: { found: FoundSnippet }) {
  const { field, snippet } = found;
  const parts: React.ReactNode[] = [];
  let at = 0;
  for (const [start, end] of snippet.ranges) {
    if (start < at) continue;
    parts.push(visible(snippet.text.slice(at, start)));
    parts.push(
      <mark key={start} data-hit="">
        {visible(snippet.text.slice(start, end))}
      </mark>,
    );
    at = end;
  }
  parts.push(visible(snippet.text.slice(at)));
  return (
    <p className="mt-1 flex gap-2 text-sm">
      <span className="w-16 shrink-0 text-xs leading-5 text-muted">{field}</span>
      <span
        className={cn(
          "foreign min-w-0",
          field === "command" || field === "output" ? "font-mono text-xs leading-5" : "",
        )}
      >
        {snippet.cutBefore ? "…" : ""}
        {parts}
        {snippet.cutAfter ? "…" : ""}
      </span>
    </p>
  );
}
