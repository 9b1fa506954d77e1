import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { DEFAULT_LIMITS, type SandboxSpec } from "./types";

/** The plainest sandbox, for tests. */
export const SPEC: SandboxSpec = {
  driver: "bubblewrap",
  image: { kind: "base" },
  workdir: "/app",
  env: {},
  hostname: "box",
  network: false,
  limits: DEFAULT_LIMITS,
};

/** Why tests with real sandboxes cannot run here, or false. */
function whyNot(): string | false {
  try {
    execFileSync("bwrap", ["--version"], { stdio: "ignore" });
    return false;
  } catch {
    process.stdout.write("Tests of sandboxes are skipped: bubblewrap is missing (apt-get install bubblewrap).\n");
    return "bubblewrap is missing";
  }
}

export const aboutBubblewrap = whyNot() !== false;

/** Command lines of all running processes of the machine that contain a text (not this one's). */
export function processesWith(text: string): string[] {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const line = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return line.includes(text) ? [line] : [];
      } catch {
        return [];
      }
    });
}
