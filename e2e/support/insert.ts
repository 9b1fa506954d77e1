import type { Db } from "@/db/client";
import { pack, type StepBody, type TrajectoryDetail } from "@/db/codec";
import { SPAN } from "@/db/ids";
import type { Step, Trajectory } from "@/lib/trajectory/types";
import { NO_USAGE } from "@/lib/trajectory/types";

/** A trajectory with everything unsaid, for tests to fill in. */
export const blank = (over: Partial<Trajectory>): Trajectory => ({
  key: "",
  parentKey: null,
  parentStep: null,
  format: "chat",
  formatVersion: null,
  name: null,
  task: null,
  dataset: null,
  model: null,
  agent: null,
  agentVersion: null,
  attempt: null,
  outcome: "unknown",
  reward: null,
  rewards: {},
  exitStatus: null,
  exception: null,
  startedAt: null,
  finishedAt: null,
  durationMs: null,
  usage: NO_USAGE,
  steps: [],
  labels: [],
  artifacts: [],
  warnings: [],
  source: {},
  ...over,
});

/** An entry with everything unsaid. */
export const entry = (over: Partial<Step>): Step => ({
  kind: "agent",
  turn: null,
  actor: null,
  thinking: null,
  message: null,
  call: null,
  observations: [],
  time: null,
  durationMs: null,
  usage: null,
  note: null,
  copied: false,
  source: [],
  ...over,
});

/** An agent step that ran a command. */
export const ran = (command: string, output: string, exitCode: number | null = 0, over: Partial<Step> = {}): Step =>
  entry({
    call: { id: null, name: "bash", arguments: JSON.stringify({ command }), command },
    observations: [{ callId: null, content: output, output: null, full: null, exitCode, timedOut: false, error: null }],
    source: [{ role: "assistant", content: command }],
    ...over,
  });

const CHUNK = 32;
let serial = 0;

function named(db: Db, table: "environment" | "checkpoint", name: string | null): number | null {
  if (name === null) return null;
  db.$client.prepare(`insert or ignore into ${table} (name) values (?)`).run(name);
  return db.$client.prepare(`select id from ${table} where name = ?`).pluck().get(name) as number;
}

function insertSteps(db: Db, id: number, steps: Step[]): void {
  const row = db.$client.prepare(
    `insert into step (id, kind, number, turn, actor, note, tool, preview, exit_code, duration_ms, prompt_tokens, completion_tokens, output_chars, flags, chunk)
     values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
  );
  const fts = db.$client.prepare("insert into step_fts (rowid, command, thinking, output) values (?,?,?,?)");
  let number = 0;
  for (const [i, s] of steps.entries()) {
    const output = s.observations.map((o) => o.content ?? "").join("\n");
    const numbered = s.kind === "agent" && !s.copied;
    row.run(
      id * SPAN + i,
      s.kind,
      numbered ? ++number : null,
      s.turn,
      s.actor,
      s.note,
      s.call?.name ?? null,
      (s.call?.command ?? s.message ?? "").slice(0, 160),
      s.observations[0]?.exitCode ?? null,
      s.durationMs,
      s.usage?.promptTokens ?? null,
      s.usage?.completionTokens ?? null,
      output.length,
      (s.copied ? 1 : 0) |
        (s.observations.some((o) => o.timedOut) ? 2 : 0) |
        (s.observations.some((o) => o.error) ? 4 : 0),
      Math.floor(i / CHUNK),
    );
    fts.run(
      id * SPAN + i,
      s.call?.command ?? "",
      [s.thinking, s.message].filter(Boolean).join("\n"),
      output.slice(0, 4000),
    );
  }
  const chunk = db.$client.prepare("insert into chunk (id, first, count, data) values (?,?,?,?)");
  for (let first = 0; first < steps.length; first += CHUNK) {
    const part = steps.slice(first, first + CHUNK).map(
      ({ thinking, message, call, observations, time, usage, source }): StepBody => ({
        thinking,
        message,
        call,
        observations,
        time,
        usage,
        source,
      }),
    );
    chunk.run(id * SPAN + first / CHUNK, first, part.length, pack(part));
  }
}

/** Writes rows as an import would, without its rules. Returns the id. */
export function insertTrajectory(db: Db, t: Trajectory, parentId: number | null = null): number {
  const steps = t.steps.filter((s) => s.kind === "agent" && !s.copied).length;
  const tokens = t.usage.promptTokens === null ? null : t.usage.promptTokens + (t.usage.completionTokens ?? 0);
  const values = {
    study_id: 1,
    environment_id: named(db, "environment", t.task),
    checkpoint_id: named(db, "checkpoint", t.model),
    task: t.task,
    model: t.model,
    name: t.name,
    agent: t.agent,
    format: t.format,
    format_version: t.formatVersion,
    attempt: t.attempt,
    outcome: t.outcome,
    reward: t.reward,
    exit_status: t.exitStatus,
    exception_type: t.exception?.type ?? null,
    steps,
    entries: t.steps.length,
    tokens,
    prompt_tokens: t.usage.promptTokens,
    completion_tokens: t.usage.completionTokens,
    cached_tokens: t.usage.cachedTokens,
    cost_usd: t.usage.costUsd,
    duration_ms: t.durationMs,
    started_at: t.startedAt?.ms ?? null,
    warnings: t.warnings.length,
    parent_id: parentId,
    parent_step: t.parentStep,
    content_hash: `seed-${++serial}-${t.name}`,
    source_key: `seed/${t.name ?? serial}`,
  };
  const columns = Object.keys(values);
  const id = Number(
    db.$client
      .prepare(`insert into trajectory (${columns.join(", ")}) values (${columns.map((c) => `@${c}`).join(", ")})`)
      .run(values).lastInsertRowid,
  );
  const { key, agentVersion, dataset, rewards, exception, startedAt, finishedAt, usage, artifacts, warnings, source } =
    t;
  const detail: TrajectoryDetail = {
    key,
    agentVersion,
    dataset,
    rewards,
    exception,
    startedAt,
    finishedAt,
    usage,
    artifacts,
    warnings,
    source,
  };
  db.$client.prepare("insert into trajectory_detail values (?, ?)").run(id, pack(detail));
  insertSteps(db, id, t.steps);
  return id;
}

interface FlagSeed {
  entry: number;
  slug: string;
  reason: string;
  evidence: { step: number; part: string; start: number; end: number }[];
}

/** The seeded error types and rule set. */
export function insertTypes(db: Db, types: { slug: string; name: string }[]): void {
  db.$client.exec(
    "insert into taxonomy (id, name, version, origin) values (1, 'misbehaviors', 1, 'builtin'); insert into localizer (id, kind, name, version) values (1, 'rule', 'rules', '1');",
  );
  for (const [i, t] of types.entries())
    db.$client
      .prepare("insert into error_type (taxonomy_id, slug, name, definition, rank) values (1, ?, ?, 'seeded', ?)")
      .run(t.slug, t.name, i);
}

/** Flags steps as the rule localizer would. */
export function insertFlags(db: Db, id: number, flags: FlagSeed[]): void {
  for (const flag of flags) {
    const step = id * SPAN + flag.entry;
    const type = db.$client.prepare("select id from error_type where slug = ?").pluck().get(flag.slug) as number;
    db.$client.prepare("insert or ignore into error_step (step_id, trajectory_id) values (?, ?)").run(step, id);
    const localization = Number(
      db.$client
        .prepare(
          "insert into localization (step_id, localizer_id, verdict, reason, evidence) values (?, 1, 'bad', ?, ?)",
        )
        .run(step, flag.reason, JSON.stringify(flag.evidence)).lastInsertRowid,
    );
    db.$client.prepare("insert into reason_fts (rowid, reason) values (?, ?)").run(localization, flag.reason);
    db.$client
      .prepare(
        "insert into label (step_id, error_type_id, source, localizer_id, localization_id) values (?, ?, 'rule', 1, ?)",
      )
      .run(step, type, localization);
    for (const scope of [0, -1, type])
      db.$client
        .prepare("insert into trajectory_type values (?, ?, 1) on conflict do update set error_steps = error_steps + 1")
        .run(scope, id);
    db.$client.prepare("update trajectory set error_steps = error_steps + 1 where id = ?").run(id);
  }
}
