"use client";
import { ListChecks, X } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { prefixesHref } from "@/app/prefixes/search-params";
import { cn } from "@/components/cn";
import { SortHeader } from "@/components/data/sort-header";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { EnvironmentRow } from "@/db/queries/environmentList";
import type { Runnable } from "@/lib/environment/types";
import { formatCount } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { checkEnvironmentsAction } from "./actions";
import { RunsHere } from "./runs-here";
import type { EnvironmentParams } from "./search-params";
import { CheckCell, StateBadge } from "./state-badge";
import { useEnvironmentParams } from "./use-environment-params";

/** A row as the table shows it; `runnable` null: it has no files. */
export type ShownEnvironment = Omit<EnvironmentRow, "spec"> & {
  runnable: Runnable[] | null;
  /** Base images a person replaced, and by what; null: none. */
  replaced: string | null;
  trajectoriesHref: string;
};

/** The rows of the list; some selected can be checked. */
export function EnvironmentTable({ rows }: { rows: ShownEnvironment[] }) {
  const [selected, setSelected] = useState<number[]>([]);
  const able = rows.filter((row) => row.digest !== null).map((row) => row.id);
  const every = able.length > 0 && able.every((id) => selected.includes(id));
  return (
    <>
      <SelectionBar selected={selected} clear={() => setSelected([])} />
      <TableFrame label="Environments">
        <thead>
          <tr>
            <Th className="w-8 pr-0">
              <Checkbox
                aria-label="Select all on this page that have files"
                disabled={able.length === 0}
                checked={every ? true : selected.length > 0 ? "indeterminate" : false}
                onCheckedChange={(on) => setSelected(on === true ? able : [])}
              />
            </Th>
            <Sort name="name" label="Environment" />
            <Th>State</Th>
            <Th>Solution</Th>
            <Th>Nothing</Th>
            <Th>Runs here</Th>
            <Sort name="dataset" label="Data set" />
            <Th>Kind</Th>
            <Sort name="trajectories" label="Trajectories" right />
            <Sort name="prefixes" label="Prefixes" right />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={cn("hover:bg-raised/60", selected.includes(row.id) && "bg-accent-soft/60")}>
              <Td className="w-8 pt-2 pr-0">
                <Checkbox
                  aria-label={`Select ${visible(row.name)}`}
                  disabled={row.digest === null}
                  checked={selected.includes(row.id)}
                  onCheckedChange={(on) =>
                    setSelected((now) => (on === true ? [...now, row.id] : now.filter((id) => id !== row.id)))
                  }
                />
              </Td>
              <Td className="max-w-72 min-w-40">
                <Link
                  href={`/environments/${row.id}`}
                  prefetch={false}
                  className="foreign line-clamp-2 font-medium hover:underline"
                >
                  {visible(row.name)}
                </Link>
              </Td>
              <Td>
                <StateBadge state={row.state} />
              </Td>
              <Td className="whitespace-nowrap">
                <CheckCell check={row.solution} expected={1} />
              </Td>
              <Td className="whitespace-nowrap">
                <CheckCell check={row.nothing} expected={0} />
              </Td>
              <Td className="max-w-80 min-w-40">
                <RunsHere runnable={row.runnable} />
                {row.replaced ? (
                  <span className="block text-xs text-warn">base image replaced: {visible(row.replaced)}</span>
                ) : null}
              </Td>
              <Td className="foreign max-w-48 min-w-24 text-muted">
                {row.dataset === "" ? "none" : visible(row.dataset)}
              </Td>
              <Td className="whitespace-nowrap text-muted">{row.family ? `${row.kind}, ${row.family}` : row.kind}</Td>
              <Td className="text-right">
                {row.trajectories > 0 ? (
                  <Link href={row.trajectoriesHref} prefetch={false} className="text-accent hover:underline">
                    {formatCount(row.trajectories)}
                  </Link>
                ) : (
                  <span className="text-muted">0</span>
                )}
              </Td>
              <Td className="text-right whitespace-nowrap" title={`${row.kept} kept of ${row.prefixes} drawn`}>
                {row.prefixes > 0 ? (
                  <>
                    <Link
                      href={prefixesHref({ environment: [row.name] })}
                      prefetch={false}
                      className="text-accent hover:underline"
                    >
                      {formatCount(row.prefixes)}
                    </Link>{" "}
                    <span className="text-muted">({formatCount(row.kept)} kept)</span>
                  </>
                ) : (
                  <span className="text-muted">0</span>
                )}
              </Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </>
  );
}

function Sort({ name, label, right }: { name: EnvironmentParams["sort"]; label: string; right?: boolean }) {
  const { params, set } = useEnvironmentParams();
  return (
    <SortHeader
      label={label}
      right={right}
      here={params.sort === name}
      dir={params.dir}
      first={name === "name" || name === "dataset" ? "asc" : "desc"}
      onSort={(dir) => void set({ sort: name, dir, after: null, before: null })}
    />
  );
}

function SelectionBar({ selected, clear }: { selected: number[]; clear: () => void }) {
  const router = useRouter();
  const [busy, start] = useTransition();
  const [error, setError] = useState<string | null>(null);
  if (selected.length === 0) return null;
  return (
    <section
      aria-label="Selected environments"
      className="sticky top-0 z-10 flex flex-wrap items-center gap-2 rounded-lg border border-accent/40 bg-accent-soft px-2.5 py-1.5 text-sm"
    >
      <span>{formatCount(selected.length)} selected</span>
      <Button
        size="sm"
        variant="primary"
        disabled={busy}
        title="Runs the hidden tests after the reference solution and after nothing, in sandboxes"
        onClick={() =>
          start(async () => {
            const result = await checkEnvironmentsAction({ ids: selected });
            if (result.ok) router.push(`/jobs/${result.value.jobId}`);
            else setError(result.error);
          })
        }
      >
        <ListChecks aria-hidden /> {busy ? "Queueing…" : "Check"}
      </Button>
      <span className="text-xs text-muted">Two checks each: solution and nothing.</span>
      {error ? (
        <span role="alert" className="text-bad">
          {error}
        </span>
      ) : null}
      <span className="flex-1" />
      <Button size="sm" variant="ghost" onClick={clear}>
        <X aria-hidden /> Clear selection
      </Button>
    </section>
  );
}
