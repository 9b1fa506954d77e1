import Link from "next/link";
import { getDb } from "@/db/client";
import type { Facets } from "@/db/queries/facets";
import { countTrajectories } from "@/db/queries/trajectories";
import { NO_FILTERS, whereOf } from "@/db/queries/trajectory-filters";
import { formatCount } from "@/lib/text/format";
import { filtersOf } from "./filters";
import { type ListParams, listHref, WITH_STEPS, WITHOUT_STEPS } from "./search-params";

/** Whether the address narrows the list at all. */
export const narrowed = (params: ListParams): boolean =>
  JSON.stringify(filtersOf(params)) !== JSON.stringify(NO_FILTERS);

/** How many trajectories match the address: the number that a link to the list has said. Exact, and as quick as the list. */
export async function Matching({ params }: { params: ListParams }) {
  // The page goes out first.
  await new Promise((resolve) => setImmediate(resolve));
  const db = getDb();
  const n = countTrajectories(db, whereOf(db, filtersOf(params)));
  return (
    <strong className="font-medium text-text">
      {formatCount(n)} {n === 1 ? "matches" : "match"}
    </strong>
  );
}

/** How many there are in all, and how many of these are results without steps. */
export function InTheIndex({ facets }: { facets: Facets }) {
  const { total, withoutSteps } = facets;
  if (withoutSteps === 0) return <>{formatCount(total)} in the index</>;
  return (
    <>
      {formatCount(total)} in the index:{" "}
      <Link href={listHref({ steps: WITH_STEPS })} className="text-accent hover:underline">
        {formatCount(total - withoutSteps)} with steps
      </Link>
      ,{" "}
      <Link href={listHref({ steps: WITHOUT_STEPS })} className="text-accent hover:underline">
        {formatCount(withoutSteps)} {withoutSteps === 1 ? "result" : "results"} without
      </Link>
    </>
  );
}
