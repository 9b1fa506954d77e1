import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import { RULES_VERSION } from "@/lib/profile/rules";
import { prepareTrajectory } from "@/lib/trajectory/prepare";
import { storeTrajectory } from "@/lib/trajectory/store";
import { indexTrajectories } from "@/lib/trajectory/textIndex";
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

let serial = 0;

/** Stores a trajectory as one that these rules have searched: no import of another spec scans it anew, so insertFlags has the last word. Returns its id. */
export async function insertTrajectory(db: Db, trajectory: Trajectory): Promise<number> {
  const name = `seed-${++serial}-${process.pid}`;
  const stored = storeTrajectory(db, await prepareTrajectory(trajectory, name), {
    studyId: 1,
    jobId: null,
    sourceKey: name,
  });
  indexTrajectories(db, [stored.id]);
  db.$client.prepare("update trajectory set rules_version = ? where id = ?").run(RULES_VERSION, stored.id);
  return stored.id;
}

interface FlagSeed {
  entry: number;
  slug: string;
  reason: string;
  evidence: { step: number; part: string; start: number; end: number }[];
}

/** Makes sure that these error types exist; those of a prepared index stay as they are. */
export function insertTypes(db: Db, types: { slug: string; name: string }[]): void {
  const known = new Set(db.$client.prepare("select slug from error_type").pluck().all());
  const missing = types.filter((t) => !known.has(t.slug));
  if (missing.length === 0) return;
  const taxonomy = db.$client
    .prepare("insert into taxonomy (name, version, origin) values ('seeded', 1, 'builtin')")
    .run().lastInsertRowid;
  for (const [i, t] of missing.entries())
    db.$client
      .prepare("insert into error_type (taxonomy_id, slug, name, definition, rank) values (?, ?, ?, 'seeded', ?)")
      .run(taxonomy, t.slug, t.name, i);
}

function seededRules(db: Db): number {
  db.$client.prepare("insert or ignore into localizer (kind, name, version) values ('rule', 'seeded', '1')").run();
  return db.$client.prepare("select id from localizer where name = 'seeded'").pluck().get() as number;
}

/** Flags steps as the rule localizer would. */
export function insertFlags(db: Db, id: number, flags: FlagSeed[]): void {
  const rules = seededRules(db);
  for (const flag of flags) {
    const step = id * SPAN + flag.entry;
    const type = db.$client.prepare("select id from error_type where slug = ?").pluck().get(flag.slug) as number;
    db.$client.prepare("insert or ignore into error_step (step_id, trajectory_id) values (?, ?)").run(step, id);
    const localization = Number(
      db.$client
        .prepare(
          "insert into localization (step_id, localizer_id, verdict, reason, evidence) values (?, ?, 'bad', ?, ?)",
        )
        .run(step, rules, flag.reason, JSON.stringify(flag.evidence)).lastInsertRowid,
    );
    db.$client.prepare("insert into reason_fts (rowid, reason) values (?, ?)").run(localization, flag.reason);
    db.$client
      .prepare(
        "insert into label (step_id, error_type_id, source, localizer_id, localization_id) values (?, ?, 'rule', ?, ?)",
      )
      .run(step, type, rules, localization);
    for (const scope of [0, -1, type])
      db.$client
        .prepare("insert into trajectory_type values (?, ?, 1) on conflict do update set error_steps = error_steps + 1")
        .run(scope, id);
    db.$client.prepare("update trajectory set error_steps = error_steps + 1 where id = ?").run(id);
  }
}
