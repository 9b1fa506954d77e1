/** Run by start before web and worker: refuses an address that others can reach unless people sign in; migrates, seeds the eight misbehaviors and our own environments, offers the sample to an empty index. */
import { closeDb, getDb } from "@/db/client";
import { explain } from "@/db/failure";
import { ensureOwnEnvironments } from "@/lib/environment/ownEnvironments";
import { readOrigins } from "@/lib/people/accounts/origins";
import { accountsOn } from "@/lib/people/accounts/state";
import { PeopleRefused } from "@/lib/people/refused";
import { isLoopback } from "./support/loopback.mjs";
import { prepareIndex } from "./support/prepareIndex";

try {
  const db = getDb();
  prepareIndex(db, { sample: process.env.MISSTEP_SAMPLE !== "off" });
  ensureOwnEnvironments(db);
  const host = process.env.MISSTEP_HOST ?? "127.0.0.1";
  const origins = readOrigins();
  const reach = isLoopback(host) ? origins.join(", ") : host;
  if (reach !== "" && !accountsOn(db))
    throw new PeopleRefused(
      `refusing to be reached at ${reach}: people must sign in where others can come. Run: npm run -s misstep -- accounts on --origin ${origins[0] ?? "https://name"}, then start again.`,
    );
  if (origins.some((origin) => origin.startsWith("http:")))
    process.stderr.write(
      "misstep: passwords and pages travel unencrypted over http. Put a proxy with a certificate in front and name its https address by --origin.\n",
    );
  closeDb();
} catch (error) {
  process.stderr.write(`misstep: ${explain(error)}\n`);
  process.exitCode = 3;
}
