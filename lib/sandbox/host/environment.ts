import fs from "node:fs";
import path from "node:path";
import { quote } from "@/lib/sandbox/quote";
import type { SandboxSpec } from "@/lib/sandbox/types";
import type { IoDir } from "./io";

/** What a sandbox has when neither its image nor its environment says otherwise. */
const DEFAULT_ENV: Record<string, string> = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/home/user",
  USER: "user",
  SHELL: "/bin/bash",
};

/** Noise of tools is switched off the way the harness does it (recipe 2 and 9). The environment's own settings come after. */
const QUIET_ENV: Record<string, string> = {
  TERM: "dumb",
  TZ: "UTC",
  LC_ALL: "C.UTF-8",
  PAGER: "cat",
  PIP_PROGRESS_BAR: "off",
  TQDM_DISABLE: "1",
  NO_COLOR: "1",
  PYTHONHASHSEED: "0",
};

const declare = (name: string, value: string) => `declare -x ${name}=${quote(value)}\n`;

/** Files of variables the loop starts from: `defaults` where the image has none, then `env`. */
export function writeEnvironment(io: IoDir, spec: SandboxSpec): void {
  const write = (name: string, lines: string[]) =>
    fs.writeFileSync(path.join(io.dir, name), lines.join(""), { mode: 0o644 });
  write(
    "defaults",
    Object.entries(DEFAULT_ENV).map(([name, value]) => `[[ \${${name}@a} == *x* ]] || ${declare(name, value)}`),
  );
  write(
    "env",
    Object.entries({ ...QUIET_ENV, ...spec.env })
      .filter(([name, value]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !value.includes("\0"))
      .map(([name, value]) => declare(name, value)),
  );
}
