import "server-only";
import type { Db } from "@/db/client";
import { indexOf, trajectoryOf } from "@/db/ids";
import { statement } from "@/db/statement";
import { openEnvironment } from "@/lib/environment/run";
import { type Restored, restorePrefix } from "@/lib/prefix/restore";
import { type PrefixTarget, prefixTarget } from "@/lib/prefix/target";
import type { PrefixStatus } from "@/lib/prefix/types";
import { connectSandboxHost } from "@/lib/sandbox/client";
import type { SandboxHost, TerminalSize } from "@/lib/sandbox/types";
import { storeBranch } from "./branch";
import { Fork } from "./fork";

/** Forks open at once in a process: each is a sandbox. */
const MOST = 8;

/** Why a fork was not opened, for the person who asked. */
export class ForkRefused extends Error {}

// One register a process: survives hot reload and the several bundles Next makes of one module.
const shared = globalThis as unknown as { misstepForks?: Map<string, Fork> };
function register(): Map<string, Fork> {
  shared.misstepForks ??= new Map();
  return shared.misstepForks;
}

/** A fork of this process that is open, or ended a while ago; undefined when it is not known (any more). */
export const getFork = (id: string): Fork | undefined => register().get(id);

/** Ends every fork of this process. */
export async function closeForks(reason: string): Promise<void> {
  await Promise.all([...register().values()].map((fork) => fork.close(reason)));
}

/** How long an ended fork is still known to pages that ask. */
const KNOWN_MS = 10 * 60_000;

/** Restores the prefix in a fresh sandbox of its environment. */
function restore(
  db: Db,
  host: SandboxHost,
  target: PrefixTarget,
  onCommand: (done: number) => void,
  signal: AbortSignal,
): Promise<Restored> {
  const open = async () => {
    if (target.environmentId === null) throw new Error(target.missing ?? "no environment");
    return (await openEnvironment(db, host, target.environmentId)).sandbox;
  };
  return restorePrefix(target.replay, open, { signal, onCommand });
}

/**
 * Opens a live fork of a kept prefix: reruns it in a fresh sandbox, then starts a terminal there. What is typed becomes a
 * branch of its trajectory. Throws ForkRefused when it cannot; failures after that are told by the fork itself.
 */
export async function openFork(db: Db, prefixId: number, size: TerminalSize, actor: string): Promise<Fork> {
  const row = statement(db, "select status, study_id from prefix where id = ?").get(prefixId) as
    | { status: PrefixStatus; study_id: number }
    | undefined;
  const target = row ? prefixTarget(db, prefixId) : undefined;
  if (!row || !target) throw new ForkRefused(`there is no prefix ${prefixId}`);
  if (row.status !== "kept")
    throw new ForkRefused("only the state of a kept prefix is known to be reached again; rerun it first");
  if (target.replay.kind === "void") throw new ForkRefused(target.replay.reason);
  const live = [...register().values()].filter((fork) => !["ended", "failed"].includes(fork.view().state));
  if (live.length >= MOST)
    throw new ForkRefused(`${MOST} terminals are open; close one first (they also close when nobody looks)`);
  const host = await connectSandboxHost();
  const point = { trajectoryId: trajectoryOf(target.stepId), index: indexOf(target.stepId), studyId: row.study_id };
  const fork: Fork = new Fork({
    prefixId,
    commands: target.replay.steps.length,
    size,
    restore: (onCommand, signal) => restore(db, host, target, onCommand, signal),
    store: (commands) => storeBranch(db, fork.id, point, commands),
  });
  register().set(fork.id, fork);
  statement(db, "insert into audit (actor, verb, subject, details) values (?, 'fork', ?, ?)").run(
    actor,
    `prefix:${prefixId}`,
    JSON.stringify({ fork: fork.id }),
  );
  void fork.over.then(async () => {
    await host.close().catch(() => undefined);
    setTimeout(() => register().delete(fork.id), KNOWN_MS).unref();
  });
  return fork;
}
