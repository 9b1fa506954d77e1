/** Run by start before web and worker: loads the shipped study into an unused index; migrates, seeds the eight misbehaviors and our own environments; refuses an address that others can reach unless people sign in. */
import { closeDb, getDb } from "@/db/client";
import { explain } from "@/db/failure";
import { ensureOwnEnvironments } from "@/lib/environment/ownEnvironments";
import { restoreSuiteFiles } from "@/lib/environment/suite/restore";
import { readOrigins } from "@/lib/people/accounts/origins";
import { accountsOn } from "@/lib/people/accounts/state";
import { PeopleRefused } from "@/lib/people/refused";
import { loadShipped } from "@/lib/study/shipped/load";
import { isLoopback } from "./support/loopback.mjs";
import { prepareIndex } from "./support/prepareIndex";

async function loadStudy(): Promise<void> {
  const began = performance.now();
  const loaded = await loadShipped();
  if (loaded === null) return;
  const seconds = Math.max(1, Math.round((performance.now() - began) / 1000));
  process.stdout.write(
    `Loaded the study that ships with Misstep: ${loaded.trajectories} rollouts, ${loaded.checkpoints.length} checkpoints, in ${seconds} s (MISSTEP_STUDY=off starts empty)\n`,
  );
  for (const left of loaded.left) process.stdout.write(`It does not hold ${left}\n`);
}

try {
  if (process.env.MISSTEP_STUDY !== "off") await loadStudy();
  const db = getDb();
  prepareIndex(db);
  ensureOwnEnvironments(db);
  const different = restoreSuiteFiles(db);
  if (different.length > 0)
    process.stderr.write(
      `misstep: ${different.length} environments of the index are generated differently by this version, so nothing can be run in them: ${different.slice(0, 5).join(", ")}${different.length > 5 ? ", …" : ""}\n`,
    );
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
