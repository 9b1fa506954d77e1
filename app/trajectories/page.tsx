import type { Metadata } from "next";
import { Suspense } from "react";
import { ReviewThese } from "@/app/review/review-these";
import { Page } from "@/components/shell/page";
import { getDb } from "@/db/client";
import { trajectoryFacets } from "@/db/queries/facets";
import { FilterBar } from "./filter-bar";
import { InTheIndex, Matching, narrowed } from "./matching";
import { Results } from "./results";
import { ResultsSkeleton } from "./results-skeleton";
import { listHref, loadListParams } from "./search-params";

export const metadata: Metadata = { title: "Trajectories" };

export default async function TrajectoriesPage({ searchParams }: PageProps<"/trajectories">) {
  const params = await loadListParams(searchParams);
  const facets = trajectoryFacets(getDb());
  return (
    <Page
      title="Trajectories"
      term="trajectory"
      note={
        <span role="status">
          {narrowed(params) ? (
            <>
              <Suspense key={JSON.stringify(params)} fallback="Counting the matches">
                <Matching params={params} />
              </Suspense>{" "}
              of{" "}
            </>
          ) : null}
          <InTheIndex facets={facets} />
        </span>
      }
      actions={
        <ReviewThese list="trajectories" href={listHref({ ...params, after: null, before: null })} question="types" />
      }
    >
      <FilterBar facets={facets} />
      <Suspense key={JSON.stringify(params)} fallback={<ResultsSkeleton />}>
        <Results params={params} indexed={facets.total} />
      </Suspense>
    </Page>
  );
}
