import { FolderInput, SearchX } from "lucide-react";
import Link from "next/link";
import { Pager } from "@/components/data/pager";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { decodeCursor, encodeCursor } from "@/db/queries/cursor";
import { listTrajectories } from "@/db/queries/trajectories";
import { groupTrajectories } from "@/db/queries/trajectory-groups";
import { hasAided } from "@/db/queries/unaided";
import { filtersOf } from "./filters";
import { Groups } from "./groups";
import { type ListParams, listHref } from "./search-params";
import { TrajectoryTable } from "./trajectory-table";

const PAGE = 50;

/** The rows, or groups, that the URL asks for. */
export async function Results({ params, indexed }: { params: ListParams; indexed: number }) {
  const db = getDb();
  const filters = filtersOf(params);
  if (params.group) {
    const groups = groupTrajectories(db, filters, params.group);
    if (groups.length === 0) return <Nothing indexed={indexed} />;
    return <Groups groups={groups} by={params.group} params={params} aided={hasAided(db)} />;
  }
  const page = listTrajectories(db, {
    filters,
    sort: params.sort,
    direction: params.dir,
    limit: PAGE,
    cursor: decodeCursor(params.before ?? params.after),
    before: params.before !== null,
  });
  if (page.rows.length === 0 && !params.after && !params.before) return <Nothing indexed={indexed} />;
  const at = (place: { after: string | null } | { before: string | null }) =>
    listHref({ ...params, after: null, before: null, ...place });
  return (
    <>
      <TrajectoryTable rows={page.rows} columns={params.cols} sort={params.sort} dir={params.dir} />
      <Pager
        total={page.total}
        shown={page.rows.length}
        first={params.after || params.before ? at({ after: null }) : null}
        previous={page.previous ? at({ before: encodeCursor(page.previous) }) : null}
        next={page.next ? at({ after: encodeCursor(page.next) }) : null}
      />
    </>
  );
}

function Nothing({ indexed }: { indexed: number }) {
  if (indexed === 0)
    return (
      <StateMessage
        icon={<FolderInput aria-hidden />}
        title="No trajectories yet"
        actions={
          <Button asChild variant="primary">
            <Link href="/import">Import trajectories</Link>
          </Button>
        }
      >
        Drop files or name a folder: mini-SWE-agent, Harbor, SWE-agent, Inspect, OpenHands and chat logs are recognised
        by their content.
      </StateMessage>
    );
  return (
    <StateMessage
      icon={<SearchX aria-hidden />}
      title="No trajectory matches these filters"
      actions={
        <Button asChild>
          <Link href="/trajectories">Clear all filters</Link>
        </Button>
      }
    >
      A value that a file does not state is outside of every range.
    </StateMessage>
  );
}
