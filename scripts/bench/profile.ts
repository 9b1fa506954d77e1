import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Measure } from "./measure";

const ENVIRONMENTS = 200;
const BUDGET_MINUTES = 6;
const run = promisify(execFile);

/** The shipped policy profiled in a fresh home, from the command line: start-up, images and search index included. */
export async function benchProfile(work: string, root: string, say: (text: string) => void): Promise<Measure[]> {
  const home = path.join(work, "profile");
  fs.mkdirSync(home);
  const from = performance.now();
  const { stdout } = await run(
    process.execPath,
    ["dist/cli.mjs", "profile", "--suite", "tiny", "--environments", String(ENVIRONMENTS), "--json"],
    { cwd: root, env: { ...process.env, MISSTEP_HOME: home, MISSTEP_ROOT: root }, maxBuffer: 64 * 1024 ** 2 },
  );
  const minutes = Math.round((performance.now() - from) / 600) / 100;
  const { finished, void: voided } = JSON.parse(stdout) as { finished: number; void: number };
  say(`profile: ${finished} rollouts finished, ${voided} void, ${minutes} min`);
  return [
    {
      name: `profile of ${ENVIRONMENTS} environments x 2 rollouts, whole command`,
      value: minutes,
      unit: "min",
      budget: `under ${BUDGET_MINUTES}`,
      met: minutes < BUDGET_MINUTES && voided === 0,
      detail: { finished, void: voided },
    },
  ];
}
