import "server-only";
import fs from "node:fs";
import path from "node:path";
import type { Db } from "@/db/client";
import { projectRoot } from "@/db/home";
import { discoverEnvironments } from "./read";
import { EnvironmentRefused } from "./refused";
import { type Stored, storeEnvironment } from "./store";

/** Data set of the environments that ship with Misstep. */
export const OWN_DATASET = "misstep";
const FOLDER = "lib/environment/own";

/** Takes the environments that ship with Misstep into the index; adds nothing when they are there. */
export function ensureOwnEnvironments(db: Db): Stored[] {
  const folder = path.join(/*turbopackIgnore: true*/ projectRoot(), FOLDER);
  if (!fs.existsSync(folder)) return [];
  const { found, refused } = discoverEnvironments(folder);
  if (refused[0]) throw new EnvironmentRefused(refused[0]);
  return found.map((one) => storeEnvironment(db, one, { dataset: OWN_DATASET, familyIsCategory: true }));
}
