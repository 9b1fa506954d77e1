import "server-only";
import { createHash } from "node:crypto";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { localize } from "@/lib/profile/rules";
import { storeFindings } from "@/lib/profile/scan";
import { emptyStep, emptyTrajectory, observation } from "@/lib/trajectory/build";
import { stepsFingerprint } from "@/lib/trajectory/fingerprint";
import { loadTrajectory } from "@/lib/trajectory/load";
import { prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import type { Instant, Step, Trajectory } from "@/lib/trajectory/types";
import type { ForkCommand } from "./types";

/** Agent of branches: a person typed the commands. */
export const FORK_AGENT = "person";

/** Where a branch leaves its trajectory: before entry `index`. */
export interface BranchPoint {
  trajectoryId: number;
  index: number;
  studyId: number;
}

const instant = (ms: number): Instant => ({ raw: new Date(ms).toISOString(), ms, zoned: true });

/** A typed command as a step: its observation is what the terminal printed, whole. */
export function typedStep(turn: number, typed: ForkCommand): Step {
  const step = emptyStep("agent", turn);
  step.actor = FORK_AGENT;
  step.call = { id: null, name: "bash", arguments: { command: typed.command }, command: typed.command };
  const seen = observation(typed.output);
  seen.output = [0, typed.output.length];
  seen.exitCode = typed.exitCode;
  step.observations = [seen];
  step.time = instant(typed.startedAt);
  step.durationMs = typed.durationMs;
  return step;
}

/** The prefix's entries as copied context, then what the person ran. */
export function branchOf(parent: Trajectory, index: number, commands: readonly ForkCommand[]): Trajectory {
  const branch = emptyTrajectory("misstep");
  branch.name = parent.name === null ? null : `${parent.name} (branch)`;
  branch.task = parent.task;
  branch.dataset = parent.dataset;
  branch.agent = FORK_AGENT;
  branch.exitStatus = "terminal closed";
  const copied = parent.steps.slice(0, index).map((step) => ({ ...step, copied: true, source: [] }));
  const turns = copied.reduce((n, step) => Math.max(n, (step.turn ?? -1) + 1), 0);
  branch.steps = [...copied, ...commands.map((typed, i) => typedStep(turns + i, typed))];
  const first = commands[0];
  const last = commands.at(-1);
  if (first && last) {
    branch.startedAt = instant(first.startedAt);
    branch.finishedAt = instant(last.startedAt + last.durationMs);
    branch.durationMs = last.startedAt + last.durationMs - first.startedAt;
  }
  return branch;
}

/**
 * Stores a fork's commands as a branch of its trajectory, or brings the stored branch up to date: the same `forkId` is
 * the same trajectory. Returns its id. Throws when the trajectory it leaves is gone.
 */
export function storeBranch(db: Db, forkId: string, point: BranchPoint, commands: readonly ForkCommand[]): number {
  const parent = loadTrajectory(db, point.trajectoryId);
  if (!parent) throw new Error(`trajectory ${point.trajectoryId} is gone, so its branch cannot be stored`);
  const branch = branchOf(parent, point.index, commands);
  const hash = createHash("sha256")
    .update(`fork ${forkId}\n${stepsFingerprint(branch.steps)}`)
    .digest("hex");
  const prepared = prepareTrajectory(branch, hash);
  const findings = localize(branch.steps);
  return db.$client
    .transaction(() => {
      const environmentId = statement(db, "select environment_id from trajectory where id = ?")
        .pluck()
        .get(point.trajectoryId) as number | null | undefined;
      const stored = storeTrajectory(db, prepared, {
        studyId: point.studyId,
        jobId: null,
        sourceKey: `${FORK_AGENT}:${forkId}#`,
        environmentId: environmentId ?? undefined,
      });
      if (stored.status !== "present") storeFindings(db, stored.id, findings, stored.status === "imported");
      statement(db, "update trajectory set parent_id = ?, parent_step = ? where id = ?").run(
        point.trajectoryId,
        point.index,
        stored.id,
      );
      return stored.id;
    })
    .immediate();
}
