import "server-only";
import type { Db } from "@/db/client";
import { type StepBody, type TrajectoryDetail, unpack } from "@/db/codec";
import { SPAN } from "@/db/ids";
import { STEP_FLAGS } from "@/db/schema/trajectory";
import { restoreSource } from "./residual";
import type { FormatId, HumanLabel, Outcome, Step, StepKind, StepNote, Trajectory } from "./types";

type StepColumns = {
  kind: StepKind;
  turn: number | null;
  actor: string | null;
  note: StepNote;
  duration_ms: number | null;
  flags: number;
};

/** The entries of a stored trajectory, as they were imported. `source` is restored only when asked for: it doubles the work. */
export function loadSteps(db: Db, trajectoryId: number, options: { source?: boolean } = {}): Step[] {
  const range = [trajectoryId * SPAN, trajectoryId * SPAN + SPAN - 1] as const;
  const rows = db.$client
    .prepare<[number, number], StepColumns>(
      "select kind, turn, actor, note, duration_ms, flags from step where id between ? and ? order by id",
    )
    .all(...range);
  const chunks = db.$client
    .prepare<[number, number], Buffer>("select data from chunk where id between ? and ? order by id")
    .pluck()
    .all(...range);
  const bodies = (chunks as Buffer[]).flatMap((data) => unpack<StepBody[]>(data));
  return rows.map((row, i) => {
    const body = bodies[i];
    if (!body)
      throw new Error(
        `trajectory ${trajectoryId}: entry ${i} has a row but no text; restore a backup or import it again`,
      );
    return {
      kind: row.kind,
      turn: row.turn,
      actor: row.actor,
      note: row.note,
      durationMs: row.duration_ms,
      copied: (row.flags & STEP_FLAGS.copied) !== 0,
      thinking: body.thinking,
      message: body.message,
      call: body.call,
      observations: body.observations,
      time: body.time,
      usage: body.usage,
      source: options.source ? restoreSource(body) : [],
    };
  });
}

type Head = {
  format: FormatId;
  format_version: string | null;
  name: string | null;
  task: string | null;
  model: string | null;
  agent: string | null;
  attempt: number | null;
  outcome: Outcome;
  reward: number | null;
  exit_status: string | null;
  duration_ms: number | null;
  data: Buffer;
};

/**
 * The labels of people that came with its file, as the file gave them. What people said here is no part of it: that is
 * in the review queues.
 */
const loadLabels = (db: Db, id: number): HumanLabel[] =>
  db.$client
    .prepare<[number, number], Omit<HumanLabel, "root"> & { root: number }>(
      `select l.step_id % ${SPAN} as step, z.name as dataset, e.name as category, l.reason, ifnull(l.command_seen = 'root cause', 0) as root
       from localization l join localizer z on z.id = l.localizer_id and z.kind = 'dataset'
         left join label b on b.localization_id = l.id and b.source = 'dataset' and b.current = 1 and b.carried_from is null
         left join error_type e on e.id = b.error_type_id
       where l.step_id between ? and ? and l.current = 1 order by l.id`,
    )
    .all(id * SPAN, id * SPAN + SPAN - 1)
    .map((label) => ({ ...label, root: label.root === 1 }));

/** A whole stored trajectory; null when there is none with this id. */
export function loadTrajectory(db: Db, id: number): Trajectory | null {
  const head = db.$client
    .prepare<[number], Head>(
      `select format, format_version, name, task, model, agent, attempt, outcome, reward, exit_status, duration_ms, d.data
       from trajectory t join trajectory_detail d on d.trajectory_id = t.id where t.id = ?`,
    )
    .get(id);
  if (!head) return null;
  const detail = unpack<TrajectoryDetail>(head.data);
  return {
    key: detail.key,
    parentKey: null,
    parentStep: null,
    format: head.format,
    formatVersion: head.format_version,
    name: head.name,
    task: head.task,
    dataset: detail.dataset,
    model: head.model,
    agent: head.agent,
    agentVersion: detail.agentVersion,
    attempt: head.attempt,
    outcome: head.outcome,
    reward: head.reward,
    rewards: detail.rewards,
    exitStatus: head.exit_status,
    exception: detail.exception,
    startedAt: detail.startedAt,
    finishedAt: detail.finishedAt,
    durationMs: head.duration_ms,
    usage: detail.usage,
    steps: loadSteps(db, id, { source: true }),
    labels: loadLabels(db, id),
    artifacts: detail.artifacts,
    warnings: detail.warnings,
    source: detail.source,
  };
}
