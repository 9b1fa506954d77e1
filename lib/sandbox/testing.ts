import { execFileSync } from "node:child_process";
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
