import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** Commands of the recorded rollout: the fourth shows the clock, and the sixth repeats what just failed. */
const COMMANDS = [
  "ls /app/gates",
  "head -2 /app/gates/north.log",
  "grep -c refused /app/gates/north.log",
  'date "+now %T.%N"',
  "count-badges --all /app/gates",
  "count-badges --all /app/gates",
  "cat /app/gates/mill.log | head -3",
];

/** The step that the rules flag (the repeated failure) and the one that cannot come out the same. */
export const RECORDED = { flagged: 6, differing: 4, commands: COMMANDS };

/** Records a rollout in one of our own environments, once a run. False where the machine cannot run sandboxes. */
export function recordOnce(): boolean {
  const home = process.env.E2E_HOME ?? "";
  const memory = path.join(home, "recorded.json");
  if (fs.existsSync(memory)) return true;
  const file = path.join(home, "commands.json");
  fs.writeFileSync(file, JSON.stringify(COMMANDS));
  const args = ["scripts/misstep.mjs", "record", "count-refusals", "--commands", file, "--name", "reviewed", "--json"];
  const env = { ...process.env, MISSTEP_HOME: home, NODE_OPTIONS: "" };
  const done = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  if (done.status === 0) {
    fs.writeFileSync(memory, done.stdout);
    return true;
  }
  if (/cannot run here/.test(done.stderr)) return false;
  throw new Error(`recording failed: ${done.stderr}`);
}
