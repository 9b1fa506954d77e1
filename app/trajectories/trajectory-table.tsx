"use client";
import { GitCompareArrows, X } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { cn } from "@/components/cn";
import { SortHeader } from "@/components/data/sort-header";
import { rememberList } from "@/components/reader/list-memory";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { TrajectoryRow } from "@/db/queries/trajectories";
import { visible } from "@/lib/text/glyphs";
import { CELLS, type SortName } from "./cells";
import type { Column } from "./search-params";
import { useListParams } from "./use-list-params";

const MOST_COMPARED = 4;

interface Props {
  rows: TrajectoryRow[];
  columns: Column[];
  sort: SortName;
  dir: "asc" | "desc";
}

/** The rows of the list; selecting some offers what can be done with them. */
export function TrajectoryTable({ rows, columns, sort, dir }: Props) {
  const [selected, setSelected] = useState<number[]>([]);
  const ids = rows.map((row) => row.id).join(",");
  useEffect(() => {
    rememberList(ids === "" ? [] : ids.split(",").map(Number), location.pathname + location.search);
  }, [ids]);
  const every = rows.length > 0 && rows.every((row) => selected.includes(row.id));
  const toggle = (id: number, on: boolean) =>
    setSelected((now) => (on ? [...now, id] : now.filter((other) => other !== id)));
  return (
    <>
      <SelectionBar selected={selected} clear={() => setSelected([])} />
      <TableFrame label="Trajectories">
        <thead>
          <tr>
            <Th className="w-8 pr-0">
              <Checkbox
                aria-label="Select all on this page"
                checked={every ? true : selected.length > 0 ? "indeterminate" : false}
                onCheckedChange={(on) => setSelected(on === true ? rows.map((row) => row.id) : [])}
              />
            </Th>
            <Sort name="newest" label="Trajectory" sort={sort} dir={dir} />
            {columns.map((column) => {
              const { label, sort: key, right } = CELLS[column];
              return <Sort key={column} name={key} label={label} right={right} sort={sort} dir={dir} />;
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={cn("hover:bg-raised/60", selected.includes(row.id) && "bg-accent-soft/60")}>
              <Td className="w-8 pt-2 pr-0">
                <Checkbox
                  aria-label={`Select trajectory ${row.id}`}
                  checked={selected.includes(row.id)}
                  onCheckedChange={(on) => toggle(row.id, on === true)}
                />
              </Td>
              <Td className="max-w-72 min-w-40">
                <Link
                  href={`/trajectories/${row.id}`}
                  prefetch={false}
                  className="foreign line-clamp-3 font-medium hover:underline"
                >
                  {visible(row.name ?? `Trajectory ${row.id}`)}
                </Link>
                {row.parentId === null ? null : <span className="text-xs text-muted">part of {row.parentId}</span>}
              </Td>
              {columns.map((column) => {
                const { render, right, className } = CELLS[column];
                return (
                  <Td key={column} className={cn(right && "text-right whitespace-nowrap", className)}>
                    {render(row)}
                  </Td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </>
  );
}

function Sort({
  name,
  label,
  right,
  sort,
  dir,
}: { name: SortName | null; label: string; right?: boolean } & Pick<Props, "sort" | "dir">) {
  const { set } = useListParams();
  if (name === null) return <Th className={cn(right && "text-right")}>{label}</Th>;
  return (
    <SortHeader
      label={label}
      right={right}
      here={sort === name}
      dir={dir}
      first={name === "task" || name === "model" ? "asc" : "desc"}
      title={name === "newest" ? "Sort by time of import" : `Sort by ${label.toLowerCase()}; unknown values come last`}
      onSort={(next) => void set({ sort: name, dir: next, after: null, before: null })}
    />
  );
}

function SelectionBar({ selected, clear }: { selected: number[]; clear: () => void }) {
  const router = useRouter();
  if (selected.length === 0) return null;
  const comparable = selected.length >= 2 && selected.length <= MOST_COMPARED;
  return (
    <section
      aria-label="Selected trajectories"
      className="sticky top-0 z-10 flex flex-wrap items-center gap-2 rounded-lg border border-accent/40 bg-accent-soft px-2.5 py-1.5 text-sm"
    >
      <span>{selected.length} selected</span>
      <Button
        size="sm"
        variant="primary"
        disabled={!comparable}
        title={comparable ? undefined : `Select two to ${MOST_COMPARED} trajectories`}
        onClick={() => router.push(`/trajectories/compare?ids=${selected.join(",")}`)}
      >
        <GitCompareArrows aria-hidden /> Compare
      </Button>
      {comparable ? null : <span className="text-xs text-muted">Comparing takes two to {MOST_COMPARED}.</span>}
      <span className="flex-1" />
      <Button size="sm" variant="ghost" onClick={clear}>
        <X aria-hidden /> Clear selection
      </Button>
    </section>
  );
}
