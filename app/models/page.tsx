import { BrainCircuit, SearchX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { UnaidedNote } from "@/app/models/unaided-note";
import { filterOn, listHref } from "@/app/trajectories/search-params";
import { Pager } from "@/components/data/pager";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { checkpointFacets, listCheckpoints } from "@/db/queries/checkpoints";
import { decodeCursor, encodeCursor } from "@/db/queries/cursor";
import { plural } from "@/lib/text/format";
import { FilterBar } from "./filter-bar";
import { ModelTable } from "./model-table";
import { loadModelParams, modelsHref } from "./search-params";

export const metadata: Metadata = { title: "Models" };
export const dynamic = "force-dynamic";

const PAGE = 50;

export default async function ModelsPage({ searchParams }: PageProps<"/models">) {
  const params = await loadModelParams(searchParams);
  const db = getDb();
  const facets = checkpointFacets(db);
  const page = listCheckpoints(db, {
    q: params.q.trim(),
    kinds: params.kind,
    sort: params.sort,
    direction: params.dir,
    limit: PAGE,
    cursor: decodeCursor(params.before ?? params.after),
    before: params.before !== null,
  });
  const at = (place: { after: string | null } | { before: string | null }) =>
    modelsHref({ ...params, after: null, before: null, ...place });
  return (
    <Page
      title="Models"
      term="checkpoint"
      note={`${plural(facets.total, "checkpoint")} of policies: imported by name, or run from here`}
    >
      <FilterBar kinds={facets.kinds} />
      {page.rows.length === 0 ? (
        <Nothing any={facets.total > 0} />
      ) : (
        <>
          <UnaidedNote db={db} />
          <ModelTable rows={page.rows.map(({ card, ...row }) => ({ ...row, hasCard: card !== "{}" }))} />
          <Pager
            total={page.total}
            shown={page.rows.length}
            first={params.after || params.before ? at({ after: null }) : null}
            previous={page.previous ? at({ before: encodeCursor(page.previous) }) : null}
            next={page.next ? at({ after: encodeCursor(page.next) }) : null}
          />
        </>
      )}
      {facets.unnamed > 0 ? (
        <p className="text-sm text-muted">
          <Link href={listHref({ model: filterOn(null) })} className="text-accent hover:underline">
            {plural(facets.unnamed, "trajectory", "trajectories")}
          </Link>{" "}
          name no model and belong to none of them.
        </p>
      ) : null}
    </Page>
  );
}

function Nothing({ any }: { any: boolean }) {
  if (!any)
    return (
      <StateMessage icon={<BrainCircuit aria-hidden />} title="No models yet">
        Imported trajectories bring the names of theirs; a profile brings the policy it ran.
      </StateMessage>
    );
  return (
    <StateMessage
      icon={<SearchX aria-hidden />}
      title="No model matches these filters"
      actions={
        <Button asChild>
          <Link href="/models">Clear all filters</Link>
        </Button>
      }
    />
  );
}
