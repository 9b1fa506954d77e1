"use client";
import Link from "next/link";
import { filterOn, listHref } from "@/app/trajectories/search-params";
import { SortHeader } from "@/components/data/sort-header";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { CheckpointRow } from "@/db/queries/checkpoints";
import { formatCount, formatTime } from "@/lib/text/format";
import { statedName } from "@/lib/text/glyphs";
import { KindBadge } from "./kind-badge";
import { ErrorRate, PassedRate } from "./rate";
import type { ModelParams } from "./search-params";
import { useModelParams } from "./use-model-params";

/** The checkpoints of the list. */
export function ModelTable({ rows }: { rows: (Omit<CheckpointRow, "card"> & { hasCard: boolean })[] }) {
  const { params, set } = useModelParams();
  const head = (name: ModelParams["sort"], label: string, right?: boolean) => (
    <SortHeader
      label={label}
      right={right}
      here={params.sort === name}
      dir={params.dir}
      first={name === "name" ? "asc" : "desc"}
      title={`Sort by ${label.toLowerCase()}; unknown values come last`}
      onSort={(dir) => void set({ sort: name, dir, after: null, before: null })}
    />
  );
  return (
    <TableFrame label="Models">
      <thead>
        <tr>
          {head("name", "Checkpoint")}
          <Th>Kind</Th>
          <Th>From</Th>
          <Th>Card</Th>
          {head("trajectories", "Trajectories", true)}
          {head("passed", "Passed", true)}
          {head("errors", "Error steps per 100", true)}
          {head("newest", "Added", true)}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="hover:bg-raised/60">
            <Td className="max-w-80 min-w-44">
              <Link
                href={`/models/${row.id}`}
                prefetch={false}
                className="foreign line-clamp-3 font-medium hover:underline"
              >
                {statedName(row.name)}
              </Link>
            </Td>
            <Td>
              <KindBadge kind={row.kind} />
            </Td>
            <Td className="max-w-56 min-w-24 text-muted">
              {row.parentId === null ? (
                "—"
              ) : (
                <Link href={`/models/${row.parentId}`} prefetch={false} className="foreign text-accent hover:underline">
                  {statedName(row.parent ?? String(row.parentId))}
                </Link>
              )}
              {row.trainingStep === null ? null : (
                <span className="block text-xs">step {formatCount(row.trainingStep)}</span>
              )}
            </Td>
            <Td className="text-muted">{row.hasCard ? "yes" : "none"}</Td>
            <Td className="text-right">
              {row.trajectories > 0 ? (
                <Link
                  href={listHref({ model: filterOn(row.name) })}
                  prefetch={false}
                  className="text-accent hover:underline"
                >
                  {formatCount(row.trajectories)}
                </Link>
              ) : (
                <span className="text-muted">0</span>
              )}
            </Td>
            <Td className="text-right whitespace-nowrap">
              <PassedRate model={row.name} {...row.unaided} />
            </Td>
            <Td className="text-right whitespace-nowrap">
              <ErrorRate model={row.name} {...row.unaided} />
            </Td>
            <Td className="text-right whitespace-nowrap text-muted">{formatTime(row.createdAt)}</Td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
