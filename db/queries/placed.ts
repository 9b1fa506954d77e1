import "server-only";
import { z } from "zod";

/** What is known of a job away from this machine, or of a launched bundle. Times are UTC epoch milliseconds. */
export interface PlacedView {
  /** Jobs in Slurm that are not through. */
  slurmIds: string[];
  /** Jobs in Slurm that are through. */
  pastSlurmIds: string[];
  /** Tasks that are not through, by Slurm's word when it was last asked. */
  states: Record<string, number>;
  /** When the place last answered; null: not yet. */
  askedAt: number | null;
  /** How long before this was read that was; milliseconds. */
  askedAgoMs: number | null;
  /** Of a launched bundle; null for other jobs. */
  launch: {
    folder: string;
    address: string | null;
    name: string | null;
    state: string | null;
    said: string | null;
  } | null;
}

const placedSchema = z.object({
  submissions: z.array(z.object({ slurmId: z.string().nullable() })).default([]),
  slurmIds: z.array(z.string()).default([]),
  states: z.record(z.string(), z.number()).default({}),
  askedAt: z.number().nullable().default(null),
  name: z.string().nullable().default(null),
  state: z.string().nullable().default(null),
  said: z.string().nullable().default(null),
});
const launchSchema = z.object({ folder: z.string(), address: z.string().nullable().default(null) });

/** Reads `place`, `placed` and `params` of a job; null for one that runs here and is no launch. */
export function placedView(row: {
  kind: string;
  place: string;
  placed: string | null;
  params: string;
}): PlacedView | null {
  if (row.place === "local" && row.kind !== "launch") return null;
  const placed = placedSchema.parse(JSON.parse(row.placed ?? "{}"));
  const slurmIds = placed.submissions.flatMap(({ slurmId }) => slurmId ?? []);
  const { name, state, said, askedAt, states } = placed;
  return {
    slurmIds,
    pastSlurmIds: placed.slurmIds.filter((id) => !slurmIds.includes(id)),
    states,
    askedAt,
    askedAgoMs: askedAt === null ? null : Math.max(0, Date.now() - askedAt),
    launch: row.kind === "launch" ? { ...launchSchema.parse(JSON.parse(row.params)), name, state, said } : null,
  };
}
