import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** Ids of the trajectories that seed.ts writes. */
export interface Seeded {
  ordinary: number[];
  long: number;
  empty: number;
  big: number;
}

/** Seeds the home of this run once: a failed test starts its file anew in another process, so the ids lie beside the database. */
export function seeded(): Seeded {
  const home = process.env.E2E_HOME ?? "";
  const memory = path.join(home, "reading-seed.json");
  if (!fs.existsSync(memory)) {
    const args = ["--conditions=react-server", "--import", "tsx", "e2e/support/seed.ts"];
    const env = { ...process.env, MISSTEP_HOME: home, NODE_OPTIONS: "" };
    fs.writeFileSync(memory, execFileSync(process.execPath, args, { env, encoding: "utf8" }));
  }
  return JSON.parse(fs.readFileSync(memory, "utf8")) as Seeded;
}
