"use client";
import Link from "next/link";
import { useState } from "react";
import { cn } from "@/components/cn";
import { CauseBadge, PrefixStatusBadge } from "@/components/data/prefix-status";
import { SortHeader } from "@/components/data/sort-header";
import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/checkbox";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { PrefixRow } from "@/db/queries/prefixes";
import { formatCount, UNKNOWN } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { RerunBar } from "./rerun-bar";
import type { PrefixParams } from "./search-params";
import { usePrefixParams } from "./use-prefix-params";

interface Props {
  rows: PrefixRow[];
  total: number;
  sort: PrefixParams["sort"];
  dir: PrefixParams["dir"];
  /** Slurm is set up. */
  slurm: boolean;
}

const SPLITS: Record<string, string> = { training: "training", heldout: "held out" };

/** The rows of the list; selected ones can be rerun. */
export function PrefixTable({ rows, total, sort, dir, slurm }: Props) {
  const [selected, setSelected] = useState<number[]>([]);
  const every = rows.length > 0 && rows.every((row) => selected.includes(row.id));
  const toggle = (id: number, on: boolean) =>
    setSelected((now) => (on ? [...now, id] : now.filter((other) => other !== id)));
  const header = { sort, dir };
  return (
    <>
      <RerunBar selected={selected} total={total} clear={() => setSelected([])} slurm={slurm} />
      <TableFrame label="Prefixes">
        <thead>
          <tr>
            <Th className="w-8 pr-0">
              <Checkbox
                aria-label="Select all on this page"
                checked={every ? true : selected.length > 0 ? "indeterminate" : false}
                onCheckedChange={(on) => setSelected(on === true ? rows.map((row) => row.id) : [])}
              />
            </Th>
            <Sort name="newest" label="Prefix" {...header} />
            <Sort name="status" label="Status" {...header} />
            <Sort name="exact" label="Exact reruns" right {...header} />
            <Sort name="cause" label="Cause" {...header} />
            <Sort name="misbehavior" label="Misbehavior" {...header} />
            <Sort name="environment" label="Environment" {...header} />
            <Sort name="commands" label="Commands" right {...header} />
            <Th>Split</Th>
            <Th>Step it ends before</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={cn("hover:bg-raised/60", selected.includes(row.id) && "bg-accent-soft/60")}>
              <Td className="w-8 pt-2 pr-0">
                <Checkbox
                  aria-label={`Select prefix ${row.id}`}
                  checked={selected.includes(row.id)}
                  onCheckedChange={(on) => toggle(row.id, on === true)}
                />
              </Td>
              <Td className="whitespace-nowrap">
                <Link href={`/prefixes/${row.id}`} prefetch={false} className="font-medium text-accent hover:underline">
                  Prefix {row.id}
                </Link>
                {row.review === null ? null : (
                  <Badge tone={row.review === "good" ? "good" : "bad"} className="ml-1.5" title="Settled by people">
                    {row.review} example
                  </Badge>
                )}
              </Td>
              <Td>
                <PrefixStatusBadge status={row.status} />
                {row.voidReason ? (
                  <div className="foreign line-clamp-2 w-56 pt-0.5 text-xs text-muted" title={visible(row.voidReason)}>
                    {visible(row.voidReason)}
                  </div>
                ) : null}
              </Td>
              <Td className="text-right whitespace-nowrap">
                {row.reruns === 0 ? <span className="text-muted">{UNKNOWN}</span> : `${row.exact} of ${row.reruns}`}
              </Td>
              <Td>{row.status === "void" ? null : <CauseBadge cause={row.cause} />}</Td>
              <Td className="max-w-56 min-w-36">
                {row.misbehavior === null ? (
                  <span className="text-muted">none</span>
                ) : (
                  <Link
                    href={`/misbehaviors/${encodeURIComponent(row.misbehaviorSlug ?? "")}`}
                    prefetch={false}
                    className="foreign hover:underline"
                  >
                    {visible(row.misbehavior)}
                  </Link>
                )}
              </Td>
              <Td className="foreign max-w-48 min-w-28">
                {row.environment === null ? <span className="text-muted">not stated</span> : visible(row.environment)}
              </Td>
              <Td className="text-right">{formatCount(row.commands)}</Td>
              <Td className="whitespace-nowrap">
                {row.split === null ? <span className="text-muted">{UNKNOWN}</span> : (SPLITS[row.split] ?? row.split)}
              </Td>
              <Td className="max-w-80 min-w-48">
                <Link
                  href={`/trajectories/${row.trajectoryId}?${row.number === null ? `entry=${row.entry}` : `step=${row.number}`}`}
                  prefetch={false}
                  className="text-accent hover:underline"
                >
                  {row.number === null ? `entry ${row.entry}` : `step ${row.number}`} of {row.trajectoryId}
                </Link>
                <div className="foreign line-clamp-2 font-mono text-xs text-muted">{visible(row.preview)}</div>
              </Td>
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
}: { name: PrefixParams["sort"]; label: string; right?: boolean } & Pick<Props, "sort" | "dir">) {
  const { set } = usePrefixParams();
  return (
    <SortHeader
      label={label}
      right={right}
      here={sort === name}
      dir={dir}
      first={name === "newest" || name === "commands" ? "desc" : "asc"}
      title={
        name === "newest" ? "Sort by when it was made" : `Sort by ${label.toLowerCase()}; unknown values come last`
      }
      onSort={(next) => void set({ sort: name, dir: next, after: null, before: null })}
    />
  );
}
