import type { Sandbox } from "@/lib/sandbox/types";
import type { Replay } from "./replay";
import { rerunPrefix } from "./rerun";

/** A sandbox whose `dispose` is left to whoever takes it over. */
const handedOver = (sandbox: Sandbox): Sandbox => ({
  id: sandbox.id,
  driver: sandbox.driver,
  imageDigest: sandbox.imageDigest,
  exec: (command, options) => sandbox.exec(command, options),
  readFile: (path) => sandbox.readFile(path),
  writeFile: (path, data, options) => sandbox.writeFile(path, data, options),
  terminal: (size) => sandbox.terminal(size),
  dispose: async () => undefined,
});

/** The state of a prefix, or why it was not reached this time. */
export type Restored = { sandbox: Sandbox } | { reason: string };

/**
 * Reruns a prefix by the exact rule in a sandbox that `open` makes, and hands the sandbox over when all its commands
 * matched; else it is disposed. Throws RerunCancelled, and SandboxFailure "host-gone".
 */
export async function restorePrefix(
  replay: Replay,
  open: () => Promise<Sandbox>,
  options: { signal: AbortSignal; onCommand?: (done: number) => void },
): Promise<Restored> {
  let opened: Sandbox | null = null;
  const result = await rerunPrefix(
    replay,
    async () => {
      opened = await open();
      return handedOver(opened);
    },
    { mode: "stop", ...options },
  );
  // Read through a function: assignments in `open` are not seen by the type checker.
  const sandbox = ((): Sandbox | null => opened)();
  if (result.verdict === "exact" && sandbox !== null) return { sandbox };
  await sandbox?.dispose();
  if (result.verdict === "void") return { reason: result.voidReason ?? "the rerun made no statement" };
  return {
    reason: `the state was not reached this time: command ${result.commands.length} printed something else than recorded`,
  };
}
