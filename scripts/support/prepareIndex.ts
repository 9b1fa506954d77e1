import fs from "node:fs";
import path from "node:path";
import type { Db } from "@/db/client";
import { projectRoot } from "@/db/home";
import { migrateDb } from "@/db/migrate";
import { enqueue } from "@/lib/jobs/queue";
import { registerShipped } from "@/lib/model/policy/checkpoint";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { RULES_VERSION } from "@/lib/profile/rules";

/** Folder of the recorded sample, and the key that remembers it was offered once. */
const SAMPLE = "scripts/sample/recorded";
const SAMPLE_KEY = "sample";

/** Brings the index to the present version. With `sample`, an index that never held a trajectory gets the sample. */
export function prepareIndex(db: Db, options: { sample: boolean }): void {
  migrateDb(db, path.join(projectRoot(), "db/migrations"));
  seedBuiltinTypes(db);
  registerShipped(db);
  if (options.sample) offerSample(db);
  offerRescan(db);
}

function offerSample(db: Db): void {
  const folder = path.join(projectRoot(), SAMPLE);
  const s = db.$client;
  const used = s
    .prepare("select 1 from setting where key = ? union all select 1 from trajectory limit 1")
    .get(SAMPLE_KEY);
  if (used || !fs.existsSync(folder)) return;
  s.transaction(() => {
    enqueue(db, {
      kind: "import",
      title: "Sample that ships with Misstep",
      params: { path: folder, studyId: 1 },
      requestedBy: "start",
    });
    s.prepare("insert into setting (key, value, updated_at) values (?, '{}', ?)").run(SAMPLE_KEY, Date.now());
  }).immediate();
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
