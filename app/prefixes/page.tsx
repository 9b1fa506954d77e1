import { Footprints, Milestone, SearchX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { ReviewThese } from "@/app/review/review-these";
import { Pager } from "@/components/data/pager";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { decodeCursor, encodeCursor } from "@/db/queries/cursor";
import { keptUnderRules } from "@/db/queries/prefix-rules";
import { listPrefixes, prefixFacets } from "@/db/queries/prefixes";
import { pseudoCounts } from "@/db/queries/taxonomies";
import { ALL_ERRORS } from "@/db/schema/errors";
import { hasSlurm } from "@/lib/jobs/place/refusal";
import { plural } from "@/lib/text/format";
import { FilterBar } from "./filter-bar";
import { filtersOf } from "./filters";
import { PrefixTable } from "./prefix-table";
import { RulesTable } from "./rules-table";
import { SampleForm } from "./sample-form";
import { loadPrefixParams, type PrefixParams, prefixesHref } from "./search-params";
import { sampleVersions } from "./versions";

export const metadata: Metadata = { title: "Prefixes" };
export const dynamic = "force-dynamic";

const PAGE = 50;

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function PrefixesPage({ searchParams }: Props) {
  const params = await loadPrefixParams(searchParams);
  const db = getDb();
  const facets = prefixFacets(db);
  const { versions, inForce } = sampleVersions(db);
  return (
    <Page
      title="Prefixes"
      term="prefix"
      note="States that rollouts may start from. A rerun replays the commands in a fresh sandbox: can the state be reached again?"
      actions={
        <>
          {facets.total > 0 ? (
            <ReviewThese
              list="prefixes"
              href={prefixesHref({ ...params, after: null, before: null })}
              question="prefix"
            />
          ) : null}
          <SampleForm versions={versions} inForce={inForce} />
        </>
      }
    >
      {facets.total === 0 ? (
        <NoPrefix errorSteps={pseudoCounts(db).get(ALL_ERRORS) ?? 0} />
      ) : (
        <List params={params} facets={facets} />
      )}
    </Page>
  );
}

function List({ params, facets }: { params: PrefixParams; facets: ReturnType<typeof prefixFacets> }) {
  const db = getDb();
  const filters = filtersOf(params);
  const page = listPrefixes(db, {
    filters,
    sort: params.sort,
    direction: params.dir,
    limit: PAGE,
    cursor: decodeCursor(params.before ?? params.after),
    before: params.before !== null,
  });
  const at = (place: { after: string | null } | { before: string | null }) =>
    prefixesHref({ ...params, after: null, before: null, ...place });
  return (
    <>
      <FilterBar facets={facets} />
      {page.total === 0 ? (
        <StateMessage
          icon={<SearchX aria-hidden />}
          title="No prefix matches these filters"
          actions={
            <Button asChild>
              <Link href="/prefixes">Clear all filters</Link>
            </Button>
          }
        >
          {plural(facets.total, "prefix", "prefixes")} in all.
        </StateMessage>
      ) : (
        <>
          <RulesTable rows={keptUnderRules(db, params.by, filters)} params={params} />
          <PrefixTable rows={page.rows} total={page.total} sort={params.sort} dir={params.dir} slurm={hasSlurm()} />
          <Pager
            total={page.total}
            shown={page.rows.length}
            first={params.after || params.before ? at({ after: null }) : null}
            previous={page.previous ? at({ before: encodeCursor(page.previous) }) : null}
            next={page.next ? at({ after: encodeCursor(page.next) }) : null}
          />
        </>
      )}
    </>
  );
}

function NoPrefix({ errorSteps }: { errorSteps: number }) {
  return (
    <StateMessage
      icon={errorSteps > 0 ? <Milestone aria-hidden /> : <Footprints aria-hidden />}
      title="No prefix yet"
      actions={
        errorSteps > 0 ? (
          <Button asChild>
            <Link href="/misbehaviors">Look at the error steps</Link>
          </Button>
        ) : (
          <>
            <Button asChild>
              <Link href="/profiles">Profile a policy</Link>
            </Button>
            <Button asChild>
              <Link href="/import">Import trajectories</Link>
            </Button>
          </>
        )
      }
    >
      {errorSteps > 0
        ? `Sample prefixes from ${plural(errorSteps, "error step")}, or open a trajectory and choose “Rerun to here” at a step.`
        : "Prefixes are drawn from error steps, and there is none yet. A profile makes some, and the states before them can be reached again here; of imported trajectories only where their environment is here."}
    </StateMessage>
  );
}
