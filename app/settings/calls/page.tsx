import { PhoneCall, SearchX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { NOT_STATED } from "@/components/data/not-stated";
import { Pager } from "@/components/data/pager";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { type CallRow, callFacets, callTotals, listCalls } from "@/db/queries/calls";
import { formatDuration, formatTime, UNKNOWN } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { CallReading, CallStatus, Cost, Tokens } from "./badges";
import { FilterBar } from "./filter-bar";
import { callsHref, loadCallParams } from "./search-params";
import { Totals } from "./totals";

export const metadata: Metadata = { title: "Model calls" };
export const dynamic = "force-dynamic";

const PAGE = 50;

export default async function CallsPage({ searchParams }: PageProps<"/settings/calls">) {
  const params = await loadCallParams(searchParams);
  const db = getDb();
  const filters = {
    roles: params.role,
    models: params.model,
    statuses: params.status,
    readings: params.reading.map((value) => (value === NOT_STATED ? "" : value)),
    job: params.job,
  };
  const page = listCalls(db, { filters, limit: PAGE, older: params.older, newer: params.newer });
  const facets = callFacets(db);
  const at = (place: { older?: number; newer?: number }) =>
    callsHref({ ...params, older: null, newer: null, ...place });
  return (
    <Page
      title="Model calls"
      note="Every call of a model behind an endpoint: what was asked, what came back, what it used and cost. Times in UTC."
    >
      {facets.models.length === 0 ? (
        <StateMessage
          icon={<PhoneCall aria-hidden />}
          title="No call yet"
          actions={
            <Button asChild variant="primary">
              <Link href="/settings#models">Set up a model</Link>
            </Button>
          }
        >
          Calls appear here when a role is played by a model, or when a connection is tested.
        </StateMessage>
      ) : (
        <>
          <FilterBar facets={facets} />
          {page.total === 0 ? (
            <StateMessage
              icon={<SearchX aria-hidden />}
              title="No call matches these filters"
              actions={
                <Button asChild>
                  <Link href="/settings/calls">Clear all filters</Link>
                </Button>
              }
            />
          ) : (
            <>
              <Totals rows={callTotals(db, filters)} />
              <CallTable rows={page.rows} />
              <Pager
                total={page.total}
                shown={page.rows.length}
                first={params.older !== null || params.newer !== null ? at({}) : null}
                previous={page.newer === null ? null : at({ newer: page.newer })}
                next={page.older === null ? null : at({ older: page.older })}
              />
            </>
          )}
        </>
      )}
    </Page>
  );
}

function CallTable({ rows }: { rows: CallRow[] }) {
  return (
    <TableFrame label="Calls">
      <thead>
        <tr>
          <Th>Call</Th>
          <Th>When</Th>
          <Th>Role</Th>
          <Th>Model</Th>
          <Th>About</Th>
          <Th>Status</Th>
          <Th>Reading</Th>
          <Th className="text-right">Retries</Th>
          <Th className="text-right">Input</Th>
          <Th className="text-right">Output</Th>
          <Th className="text-right">Took</Th>
          <Th className="text-right">Cost</Th>
          <Th>Job</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="hover:bg-raised/60">
            <Td className="tabular-nums">
              <Link href={`/settings/calls/${row.id}`} className="text-accent hover:underline">
                {row.id}
              </Link>
            </Td>
            <Td className="whitespace-nowrap text-muted">{formatTime(row.createdAt, true)}</Td>
            <Td className="whitespace-nowrap">{row.role}</Td>
            <Td className="foreign min-w-28">{visible(row.model)}</Td>
            <Td className="foreign max-w-72 min-w-32 truncate" title={row.error ?? row.subject ?? undefined}>
              {row.error === null ? (
                visible(row.subject ?? UNKNOWN)
              ) : (
                <span className="text-bad">{visible(row.error)}</span>
              )}
            </Td>
            <Td>
              <CallStatus status={row.status} />
            </Td>
            <Td>
              <CallReading reading={row.reading} />
            </Td>
            <Td className="text-right tabular-nums">{row.retries}</Td>
            <Td className="text-right tabular-nums">
              <Tokens n={row.input} />
            </Td>
            <Td className="text-right tabular-nums">
              <Tokens n={row.output} />
            </Td>
            <Td className="text-right whitespace-nowrap text-muted">
              {row.fromCache ? "from cache" : row.durationMs === null ? UNKNOWN : formatDuration(row.durationMs)}
            </Td>
            <Td className="text-right whitespace-nowrap tabular-nums">
              <Cost nano={row.costNano} currency={row.currency} fromCache={row.fromCache === 1} />
            </Td>
            <Td>
              {row.jobId === null ? (
                <span className="text-muted">{UNKNOWN}</span>
              ) : (
                <Link href={`/jobs/${row.jobId}`} className="text-accent hover:underline">
                  {row.jobId}
                </Link>
              )}
            </Td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
