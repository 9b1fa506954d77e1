/** Run by start before web and worker: migrates, seeds the eight misbehaviors, offers the sample to an empty index. */
import { closeDb, getDb } from "@/db/client";
import { prepareIndex } from "./support/prepareIndex";

try {
  prepareIndex(getDb(), { sample: process.env.MISSTEP_SAMPLE !== "off" });
  closeDb();
} catch (error) {
  process.stderr.write(`misstep: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 3;
}
