import type { Metadata } from "next";
import { Suspense } from "react";
import { Page } from "@/components/shell/page";
import { getDb } from "@/db/client";
import { trajectoryFacets } from "@/db/queries/facets";
import { formatCount } from "@/lib/text/format";
import { FilterBar } from "./filter-bar";
import { Results } from "./results";
import { ResultsSkeleton } from "./results-skeleton";
import { loadListParams } from "./search-params";

export const metadata: Metadata = { title: "Trajectories" };

export default async function TrajectoriesPage({ searchParams }: PageProps<"/trajectories">) {
  const params = await loadListParams(searchParams);
  const facets = trajectoryFacets(getDb());
  return (
    <Page title="Trajectories" note={`${formatCount(facets.total)} in the index`}>
      <FilterBar facets={facets} />
      <Suspense key={JSON.stringify(params)} fallback={<ResultsSkeleton />}>
        <Results params={params} indexed={facets.total} />
      </Suspense>
    </Page>
  );
}
