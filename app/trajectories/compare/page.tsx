import { GitCompareArrows } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { createLoader, parseAsArrayOf, parseAsInteger } from "nuqs/server";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { type ComparedStep, comparedSteps } from "@/db/queries/compare";
import { trajectoriesByIds } from "@/db/queries/trajectories";
import { align, commandKey } from "@/lib/text/align";
import { formatCount } from "@/lib/text/format";
import { Alignment } from "./alignment";
import { ColumnHead } from "./column-head";

export const metadata: Metadata = { title: "Compare" };

const load = createLoader({ ids: parseAsArrayOf(parseAsInteger).withDefault([]) });
const MOST = 4;
const TIMEOUT_MS = 400;

/** Steps without a command only equal each other by what they say. */
const keyOf = (step: ComparedStep): string =>
  step.isCommand ? commandKey(step.preview) : `says ${commandKey(step.preview)}`;

export default async function ComparePage({ searchParams }: PageProps<"/trajectories/compare">) {
  const { ids } = await load(searchParams);
  const db = getDb();
  const wanted = [...new Set(ids)].slice(0, MOST);
  const trajectories = trajectoriesByIds(db, wanted);
  if (trajectories.length < 2)
    return (
      <Page title="Compare">
        <StateMessage
          icon={<GitCompareArrows aria-hidden />}
          title="Choose two to four trajectories"
          actions={
            <Button asChild variant="primary">
              <Link href="/trajectories">To the list</Link>
            </Button>
          }
        >
          Select them in the list and press Compare.
        </StateMessage>
      </Page>
    );
  const columns = trajectories.map((t) => comparedSteps(db, t.id));
  const { rows, parting, complete } = align(
    columns.map((steps) => steps.map(keyOf)),
    TIMEOUT_MS,
  );
  const tasks = new Set(trajectories.map((t) => t.task));
  const row = parting === null ? null : rows[parting];
  const place = row?.steps.map((s, c) => (s === null ? null : columns[c]?.[s]?.number)).find((n) => n != null);
  return (
    <div className="flex h-full flex-col">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b bg-surface px-3 py-2 sm:px-5">
        <h1 className="text-lg leading-7 font-semibold">Compare</h1>
        <p className="text-sm text-muted">
          {parting === null
            ? "They do the same from start to end."
            : parting === 0
              ? "They part at the first step."
              : `The first ${formatCount(parting)} ${parting === 1 ? "step is" : "steps are"} the same; they part at step ${place ?? parting + 1}.`}
        </p>
        {tasks.size > 1 ? <p className="text-sm text-warn">These are trajectories of different tasks.</p> : null}
        {wanted.length > trajectories.length ? (
          <p className="text-sm text-warn">Some of them are not in the index any more.</p>
        ) : null}
        {ids.length > MOST ? <p className="text-sm text-warn">Only the first {MOST} are shown.</p> : null}
        {complete ? null : (
          <p className="text-sm text-warn">
            They are too long and different to align: after their common start they stand unaligned.
          </p>
        )}
      </header>
      <Alignment
        heads={trajectories.map((t) => <ColumnHead key={t.id} trajectory={t} />)}
        ids={trajectories.map((t) => t.id)}
        columns={columns}
        rows={rows}
        parting={parting}
      />
    </div>
  );
}
