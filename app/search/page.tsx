import { ScanSearch } from "lucide-react";
import type { Metadata } from "next";
import { Suspense } from "react";
import { Page } from "@/components/shell/page";
import { Skeleton } from "@/components/ui/skeleton";
import { StateMessage } from "@/components/ui/state";
import { parseSearch, reasonQuery, stepQuery } from "@/lib/text/fts";
import { SearchForm } from "./form";
import { Hits } from "./hits";
import { loadSearchParams } from "./search-params";

export const metadata: Metadata = { title: "Search" };

const ROWS = [1, 2, 3, 4, 5, 6];

export default async function SearchPage({ searchParams }: PageProps<"/search">) {
  const { q, in: chosen, made, before } = await loadSearchParams(searchParams);
  const terms = parseSearch(q);
  const queries = { steps: stepQuery(terms), reasons: reasonQuery(terms) };
  const where = chosen ?? (queries.steps === null && queries.reasons !== null ? "reasons" : "steps");
  return (
    <Page
      title="Search"
      term="step"
      note="Commands, thinking, outputs and reasons of every trajectory, newest first"
      className="max-w-5xl"
    >
      <SearchForm q={q} where={chosen} made={made} />
      {terms.length === 0 ? (
        <StateMessage
          icon={<ScanSearch aria-hidden />}
          title={q === "" ? "Type some words" : "There is no word in this"}
        >
          All words must occur; the last one may be the beginning of a word. “No such file” in quotes stays together.
          command: thinking: output: and reason: bind a word to its place. Of long outputs the beginning and the end are
          searched here; find inside a trajectory sees everything.
        </StateMessage>
      ) : (
        <Suspense
          key={`${q} ${where} ${made} ${before}`}
          fallback={
            <div role="status" aria-label="Searching" className="flex flex-col gap-3">
              {ROWS.map((row) => (
                <Skeleton key={row} className="h-20" />
              ))}
            </div>
          }
        >
          <Hits q={q} terms={terms} queries={queries} where={where} made={made} before={before} />
        </Suspense>
      )}
    </Page>
  );
}
