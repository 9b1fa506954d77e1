import "server-only";
import type { Db } from "@/db/client";
import { type TrajectoryDetail, unpack } from "@/db/codec";
import { indexOf, SPAN, trajectoryOf } from "@/db/ids";
import { statement } from "@/db/statement";
import { loadSteps } from "@/lib/trajectory/load";
import type { FormatId, Step } from "@/lib/trajectory/types";
import { objectAt, stringAt } from "@/lib/trajectory/value";
import { type Replay, replayOf } from "./replay";

/** What a prefix stands for: its commands and the environment they ran in. */
export interface PrefixTarget {
  prefixId: number;
  stepId: number;
  replay: Replay;
  /** The environment to open; null with a reason when there is none whose files are here. */
  environmentId: number | null;
  missing: string | null;
}

interface Placed {
  format: FormatId;
  environment_id: number | null;
  name: string | null;
  has_files: number;
}

interface Row extends Placed {
  step_id: number;
  content_hash: string;
  parent_id: number | null;
  parent_step: number | null;
}

/** Trajectories read last: prefixes of one trajectory come one after the other. */
const KEPT = 8;
const read = new WeakMap<Db, Map<string, Step[]>>();

/** Entries of a trajectory; one that grew meanwhile has another content hash and is read again. */
function stepsOf(db: Db, trajectoryId: number, contentHash: string): Step[] {
  let cache = read.get(db);
  if (!cache) {
    cache = new Map();
    read.set(db, cache);
  }
  const steps = cache.get(contentHash) ?? loadSteps(db, trajectoryId);
  cache.delete(contentHash);
  cache.set(contentHash, steps);
  for (const old of cache.keys()) {
    if (cache.size <= KEPT) break;
    cache.delete(old);
  }
  return steps;
}

/**
 * The environment whose files a trajectory can be rerun in: its own, else the only other of the same name that has files
 * (imported trajectories and task directories often name different data sets).
 */
function namedEnvironment(db: Db, row: Placed): { id: number | null; missing: string | null } {
  if (row.environment_id === null) return { id: null, missing: "the trajectory names no environment" };
  if (row.has_files) return { id: row.environment_id, missing: null };
  const named = statement(db, "select id from environment where name = ? and digest is not null").all(row.name) as {
    id: number;
  }[];
  const [only, ...more] = named;
  if (only && more.length === 0) return { id: only.id, missing: null };
  const missing = only
    ? `${named.length} environments are named "${row.name}", and the trajectory does not say which it was`
    : `no files of "${row.name}" are on this machine; import its task directory`;
  return { id: null, missing };
}

/** Why the files are not those it was recorded with; null when they are, or when the trajectory does not say. */
function changedSince(db: Db, trajectoryId: number, environmentId: number): string | null {
  const row = statement(
    db,
    "select d.data, v.digest from trajectory_detail d join environment v on v.id = ? where d.trajectory_id = ?",
  ).get(environmentId, trajectoryId) as { data: Buffer; digest: string } | undefined;
  if (!row) return null;
  const recorded = stringAt(objectAt(unpack<TrajectoryDetail>(row.data).source, "environment"), "digest");
  if (recorded === null || recorded === row.digest) return null;
  return "its files have changed since the trajectory was recorded; import the task directory as it was";
}

/** The environment to rerun a trajectory in, or in plain words why there is none. */
function environmentOf(db: Db, trajectoryId: number, row: Placed): { id: number | null; missing: string | null } {
  const found = namedEnvironment(db, row);
  const changed = found.id !== null && row.format === "misstep" ? changedSince(db, trajectoryId, found.id) : null;
  return changed === null ? found : { id: null, missing: changed };
}

/** Why no step of a trajectory can be rerun here, whatever its commands; null when nothing of its environment stands against it. */
export function whyNoRerun(db: Db, trajectoryId: number): string | null {
  const row = statement(
    db,
    `select t.format, t.environment_id, v.name, v.digest is not null as has_files
     from trajectory t left join environment v on v.id = t.environment_id where t.id = ?`,
  ).get(trajectoryId) as Placed | undefined;
  return row ? environmentOf(db, trajectoryId, row).missing : null;
}

/**
 * A branch (fork/branch.ts) begins with the commands of the trajectory it left, as copies, and goes on with typed ones, whose
 * terminal output is no observation: without the first its state is another, and the second cannot be compared.
 */
const ofBranch = (left: number, at: number): Replay => ({
  kind: "void",
  index: at,
  reason: `is of a branch that was typed in a terminal; only the state it began from, in trajectory ${left}, can be rerun`,
});

/** Reads what a prefix stands for; undefined when it is gone. */
export function prefixTarget(db: Db, prefixId: number): PrefixTarget | undefined {
  const row = statement(
    db,
    `select p.step_id, t.format, t.content_hash, t.parent_id, t.parent_step, t.environment_id, v.name, v.digest is not null as has_files
     from prefix p join trajectory t on t.id = p.step_id / ${SPAN} left join environment v on v.id = t.environment_id where p.id = ?`,
  ).get(prefixId) as Row | undefined;
  if (!row) return undefined;
  const { id, missing } = environmentOf(db, trajectoryOf(row.step_id), row);
  return {
    prefixId,
    stepId: row.step_id,
    replay:
      row.format === "misstep" && row.parent_id !== null
        ? ofBranch(row.parent_id, row.parent_step ?? 0)
        : replayOf(row.format, stepsOf(db, trajectoryOf(row.step_id), row.content_hash), indexOf(row.step_id)),
    environmentId: id,
    missing,
  };
}
