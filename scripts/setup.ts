/** Run by start before web and worker: migrates, seeds the eight misbehaviors, offers the sample to an empty index. */
import { closeDb, getDb } from "@/db/client";
import { explain } from "@/db/failure";
import { prepareIndex } from "./support/prepareIndex";

try {
  prepareIndex(getDb(), { sample: process.env.MISSTEP_SAMPLE !== "off" });
  closeDb();
} catch (error) {
  process.stderr.write(`misstep: ${explain(error)}\n`);
  process.exitCode = 3;
}
