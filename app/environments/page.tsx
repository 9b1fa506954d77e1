import { Boxes, SearchX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { listHref } from "@/app/trajectories/search-params";
import { NOT_STATED } from "@/components/data/not-stated";
import { Pager } from "@/components/data/pager";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { decodeCursor, encodeCursor } from "@/db/queries/cursor";
import { environmentFacets, listEnvironments } from "@/db/queries/environmentList";
import { knownDrivers } from "@/lib/environment/drivers";
import { replacedIn, runnableRow } from "@/lib/environment/runnable";
import { importRoots } from "@/lib/jobs/roots";
import { formatCount, plural } from "@/lib/text/format";
import { EnvironmentTable } from "./environment-table";
import { FilterBar } from "./filter-bar";
import { ImportForm } from "./import-form";
import { environmentsHref, loadEnvironmentParams } from "./search-params";

export const metadata: Metadata = { title: "Environments" };
export const dynamic = "force-dynamic";

const PAGE = 50;

export default async function EnvironmentsPage({ searchParams }: PageProps<"/environments">) {
  const params = await loadEnvironmentParams(searchParams);
  const db = getDb();
  const facets = environmentFacets(db);
  const page = listEnvironments(db, {
    filters: {
      q: params.q.trim(),
      kinds: params.kind,
      datasets: params.dataset.map((d) => (d === NOT_STATED ? "" : d)),
      states: params.state,
    },
    sort: params.sort,
    direction: params.dir,
    limit: PAGE,
    cursor: decodeCursor(params.before ?? params.after),
    before: params.before !== null,
  });
  const drivers = await knownDrivers();
  const rows = page.rows.map(({ spec, ...row }) => ({
    ...row,
    runnable: runnableRow(row.digest, spec, drivers.statuses),
    replaced: replacedIn(spec),
    trajectoriesHref: listHref({ task: [row.name] }),
  }));
  const at = (place: { after: string | null } | { before: string | null }) =>
    environmentsHref({ ...params, after: null, before: null, ...place });
  return (
    <Page
      title="Environments"
      term="environment"
      actions={
        <Button asChild>
          <Link href="/environments/tiny">Tiny suite</Link>
        </Button>
      }
      note={
        facets.withFiles === facets.total
          ? `${plural(facets.total, "environment")}, all with their files`
          : `${plural(facets.total, "environment")}, ${formatCount(facets.withFiles)} with files; the others are only named by trajectories`
      }
    >
      <ImportForm roots={importRoots()} />
      {drivers.problem ? (
        <p role="status" className="foreign text-sm text-warn">
          Where they run is not known now: {drivers.problem}
        </p>
      ) : null}
      <FilterBar kinds={facets.kinds} datasets={facets.datasets} states={facets.states} />
      {rows.length === 0 ? (
        <Nothing any={facets.total > 0} />
      ) : (
        <>
          <EnvironmentTable rows={rows} />
          <Pager
            total={page.total}
            shown={rows.length}
            first={params.after || params.before ? at({ after: null }) : null}
            previous={page.previous ? at({ before: encodeCursor(page.previous) }) : null}
            next={page.next ? at({ after: encodeCursor(page.next) }) : null}
          />
        </>
      )}
    </Page>
  );
}

function Nothing({ any }: { any: boolean }) {
  if (!any)
    return (
      <StateMessage icon={<Boxes aria-hidden />} title="No environments yet">
        Import task directories above; trajectories you import bring the names of theirs.
      </StateMessage>
    );
  return (
    <StateMessage
      icon={<SearchX aria-hidden />}
      title="No environment matches these filters"
      actions={
        <Button asChild>
          <Link href="/environments">Clear all filters</Link>
        </Button>
      }
    />
  );
}
