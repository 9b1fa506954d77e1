import type { Db } from "@/db/client";
import { UsageError } from "./output";

/**
 * A slug nobody has would list nothing, which reads like a finding. `also`: other words that stand for a filter; "slug@12"
 * is the type of version 12. Throws UsageError.
 */
export function checkMisbehavior(db: Db, given: string, also: readonly string[] = []): void {
  const slugs = db.$client.prepare("select distinct slug from error_type order by slug").pluck().all() as string[];
  const known = [...also, ...slugs];
  if (!known.includes(given.replace(/@\d+$/, "")))
    throw new UsageError(`"${given}" is no misbehavior; there are ${known.join(", ")}`);
}
