import path from "node:path";
import type { Db } from "@/db/client";
import { projectRoot } from "@/db/home";
import { KEPT_UPGRADE_BACKUPS, migrateDb } from "@/db/migrate";
import { enqueue } from "@/lib/jobs/queue";
import { registerShipped } from "@/lib/model/policy/checkpoint";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { RULES_VERSION } from "@/lib/profile/rules";

/** Brings the index to the present version. */
export function prepareIndex(db: Db): void {
  const upgrade = migrateDb(db, path.join(projectRoot(), "db/migrations"));
  if (upgrade !== null && upgrade.backup !== null) {
    process.stderr.write(
      `misstep: the index was brought up to date; as it was before it is kept as ${upgrade.backup}\n`,
    );
    for (const file of upgrade.removed)
      process.stderr.write(`misstep: removed ${file}: the ${KEPT_UPGRADE_BACKUPS} newest of these copies are kept\n`);
  }
  seedBuiltinTypes(db);
  registerShipped(db);
  offerRescan(db);
}

/** A new rule version scans what older ones scanned, as a job, once. */
function offerRescan(db: Db): void {
  const s = db.$client;
  const outdated = s
    .prepare("select 1 from trajectory where rules_version is not ? and superseded_by is null limit 1")
    .get(RULES_VERSION);
  const waiting = s.prepare("select 1 from job where kind = 'scan' and status in ('queued', 'running') limit 1").get();
  if (!outdated || waiting) return;
  enqueue(db, {
    kind: "scan",
    title: `Scan with rules ${RULES_VERSION}`,
    params: { scope: "outdated" },
    requestedBy: "start",
  });
}
