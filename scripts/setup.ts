/** Run by start before web and worker: migrates, seeds the eight misbehaviors and our own environments, offers the sample to an empty index. */
import { closeDb, getDb } from "@/db/client";
import { explain } from "@/db/failure";
import { ensureOwnEnvironments } from "@/lib/environment/ownEnvironments";
import { prepareIndex } from "./support/prepareIndex";

try {
  const db = getDb();
  prepareIndex(db, { sample: process.env.MISSTEP_SAMPLE !== "off" });
  ensureOwnEnvironments(db);
  closeDb();
} catch (error) {
  process.stderr.write(`misstep: ${explain(error)}\n`);
  process.exitCode = 3;
}
