import "server-only";
import path from "node:path";
import { z } from "zod";
import type { Db } from "@/db/client";
import { projectRoot } from "@/db/home";
import { SHIPPED_SETTING } from "@/db/queries/study";
import { statement } from "@/db/statement";

/** What an archive of a study holds, in its first entry. Also kept in `setting`, key "shipped", of an index it was loaded into. */
export const manifestSchema = z.object({
  format: z.literal("misstep-study-archive/1"),
  /** Scale and seed of the design; null when the index holds no study. */
  scale: z.string().nullable(),
  seed: z.number().nullable(),
  /** Milliseconds since 1970. */
  packedAt: z.number(),
  trajectories: z.number(),
  /** Names of the checkpoints whose weights are in it, as a difference to the base or whole. */
  checkpoints: z.array(z.object({ name: z.string(), weights: z.enum(["difference", "whole"]) })),
  judges: z.array(z.string()),
  /** What the study made and the archive does not hold, in words for people. */
  left: z.array(z.string()),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** Names inside the archive, in this order. */
export const ENTRIES = { manifest: "manifest.json", database: "misstep.db" } as const;

/** The archive that ships with Misstep; there may be none. */
export const shippedArchive = (): string => path.join(/*turbopackIgnore: true*/ projectRoot(), "db/study/study.tar.br");

/** Says in an index what it was loaded from. */
export function writeManifest(db: Db, manifest: Manifest): void {
  statement(
    db,
    "insert into setting (key, value, updated_at) values (?, ?, ?) on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at",
  ).run(SHIPPED_SETTING, JSON.stringify(manifest), Date.now());
}

/** What this index was loaded from, or null: a study of one's own, or none. */
export function readManifest(db: Db): Manifest | null {
  const row = statement(db, "select value from setting where key = ?").get(SHIPPED_SETTING) as
    | { value: string }
    | undefined;
  return row ? manifestSchema.parse(JSON.parse(row.value)) : null;
}
