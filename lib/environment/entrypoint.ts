import { quote } from "@/lib/sandbox/quote";
import { type Sandbox, SandboxFailure } from "@/lib/sandbox/types";
import { planOf } from "./plan";
import type { EnvironmentSpec } from "./types";

/** Seconds an ENTRYPOINT may take until it runs what it is given; a service that never does counts as started then. */
const SECONDS = 5;

/**
 * The script that starts an ENTRYPOINT in the background, as a container does: it is given a program to run at the end,
 * which tells that it got there. Waits on a FIFO, so that no process is started while waiting and ids stay the same.
 */
export function entrypointScript(entrypoint: readonly string[], workdir: string, user: string | null): string {
  const waiting = "echo up > /tmp/.misstep-up; exec sleep infinity";
  const argv = [...entrypoint, "/bin/sh", "-c", waiting].map(quote).join(" ");
  return [
    `( cd ${quote(workdir)} || exit 1`,
    ...(user === null ? [] : [`export USER=${quote(user)}`]),
    "mkfifo /tmp/.misstep-up",
    `setsid ${argv} > /tmp/.misstep-entrypoint 2>&1 < /dev/null & pid=$!`,
    `exec 3<> /tmp/.misstep-up; read -r -t ${SECONDS} line <&3`,
    "rm -f /tmp/.misstep-up",
    `[ "$line" = up ] || kill -0 $pid 2> /dev/null || { cat /tmp/.misstep-entrypoint; exit 1; }`,
    "rm -f /tmp/.misstep-entrypoint )",
  ].join("\n");
}

/** Runs the environment's ENTRYPOINT, if it has one. Throws SandboxFailure "cannot-start" when it ends instead of starting. */
export async function startEntrypoint(sandbox: Sandbox, spec: EnvironmentSpec): Promise<void> {
  const { entrypoint, workdir } = planOf(spec);
  if (entrypoint === null || entrypoint.length === 0) return;
  const result = await sandbox.exec(entrypointScript(entrypoint, workdir, spec.user), {
    timeoutMs: (SECONDS + 10) * 1000,
  });
  if (result.exitCode === 0) return;
  const said = `${result.stdout}${result.stderr}`.trim().slice(-500);
  throw new SandboxFailure(
    "cannot-start",
    `the ENTRYPOINT of ${spec.name} ended instead of starting${said === "" ? "" : `: ${said}`}`,
  );
}
