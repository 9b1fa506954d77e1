import { execFileSync } from "node:child_process";
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

/** Runs the command line in the home of this run; gives back what it printed. */
export function misstep(...args: string[]): string {
  const home = process.env.E2E_HOME ?? "";
  const env = { ...process.env, MISSTEP_HOME: home, NODE_OPTIONS: "" };
  return execFileSync(process.execPath, ["scripts/misstep.mjs", ...args], { env, encoding: "utf8" });
}

/** Records a rollout in one of our own environments, once a run. */
export function recordOnce(): void {
  const home = process.env.E2E_HOME ?? "";
  const memory = path.join(home, "recorded.json");
  if (fs.existsSync(memory)) return;
  const file = path.join(home, "commands.json");
  fs.writeFileSync(file, JSON.stringify(COMMANDS));
  fs.writeFileSync(memory, misstep("record", "count-refusals", "--commands", file, "--name", "reviewed", "--json"));
}

/** Whether this machine can run sandboxes; the journey needs them. */
export function canSandbox(): boolean {
  const report = JSON.parse(misstep("doctor", "--json")) as unknown;
  return /"driver":"bubblewrap","usable":true/.test(JSON.stringify(report));
}
