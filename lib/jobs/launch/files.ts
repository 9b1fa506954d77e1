import "server-only";
import fs from "node:fs";
import path from "node:path";
import { quote } from "@/lib/sandbox/quote";

/** Files a launch writes beside the bundle: what it printed, how it ended, and who runs it. */
export function launchFiles(folder: string, name: string) {
  const at = (end: string) => path.join(folder, "launched", `${name}.${end}`);
  return { log: at("log"), exit: at("exit"), pid: at("pid"), script: at("sh") };
}

/** A script that runs launch.sh of a bundle, keeps what it prints, and last of all its exit code. */
export function writeLaunchScript(folder: string, name: string): string {
  const { log, exit, script } = launchFiles(folder, name);
  fs.mkdirSync(path.dirname(script), { recursive: true });
  const lines = [
    "#!/bin/bash",
    `cd ${quote(folder)} || exit 1`,
    `bash ./launch.sh >>${quote(log)} 2>&1`,
    `echo $? >${quote(exit)}.new && mv ${quote(exit)}.new ${quote(exit)}`,
    "",
  ];
  fs.writeFileSync(script, lines.join("\n"));
  return script;
}

/** The exit code; null: it has not ended by itself. */
export function exitOf(folder: string, name: string): number | null {
  const { exit } = launchFiles(folder, name);
  return fs.existsSync(exit) ? Number(fs.readFileSync(exit, "utf8").trim()) : null;
}

/** What was printed after the first `from` characters. */
export function logOf(folder: string, name: string, from: number): string {
  const { log } = launchFiles(folder, name);
  return fs.existsSync(log) ? fs.readFileSync(log, "utf8").slice(from) : "";
}
