import "server-only";
import { createHash, randomUUID } from "node:crypto";
import type { Db } from "@/db/client";
import type { RecordedCommand } from "@/lib/environment/commands";
import { type RecordOptions, recordTrajectory } from "@/lib/environment/record";
import { type OpenOptions, openEnvironment } from "@/lib/environment/run";
import type { TestRun } from "@/lib/environment/types";
import type { SandboxHost } from "@/lib/sandbox/types";
import { stepsFingerprint } from "@/lib/trajectory/fingerprint";
import { prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import type { Trajectory } from "@/lib/trajectory/types";
import { judgedBeforeRun } from "./agent";
import { localize } from "./rules";
import { storeFindings } from "./scan";

/** Study that imports and recordings belong to when nothing else is said. */
const STUDY = 1;

/**
 * Stores a trajectory that Misstep itself made, with the rule localizer's findings, as an import does. Every call is a
 * trajectory of its own, also when its texts equal an earlier one's. Returns its id.
 */
export function storeOwnTrajectory(db: Db, trajectory: Trajectory, studyId: number = STUDY): number {
  const run = randomUUID();
  const hash = createHash("sha256")
    .update(`${run}\n${stepsFingerprint(trajectory.steps)}`)
    .digest("hex");
  const prepared = prepareTrajectory(trajectory, hash);
  const findings = localize(trajectory.steps, { beforeRun: judgedBeforeRun(trajectory) });
  return db.$client
    .transaction(() => {
      const { id } = storeTrajectory(db, prepared, { studyId, jobId: null, sourceKey: `${trajectory.agent}:${run}#` });
      storeFindings(db, id, findings, true);
      return id;
    })
    .immediate();
}

/**
 * Runs commands in a fresh sandbox of an environment and stores the trajectory (format "misstep", agent "recorded").
 * Returns its id. Throws SandboxFailure when the environment cannot run here or the sandbox fails; then nothing is stored.
 */
export async function recordCommands(
  db: Db,
  host: SandboxHost,
  environmentId: number | string,
  commands: readonly (string | RecordedCommand)[],
  options: RecordOptions & OpenOptions & { name?: string; studyId?: number; onTests?: (tests: TestRun) => void } = {},
): Promise<number> {
  const list = commands.map((c) => (typeof c === "string" ? { command: c, thinking: null } : c));
  const open = await openEnvironment(db, host, environmentId, options);
  try {
    const { trajectory, tests } = await recordTrajectory(open, list, options);
    if (tests) options.onTests?.(tests);
    return storeOwnTrajectory(db, trajectory, options.studyId);
  } finally {
    await open.sandbox.dispose();
  }
}
