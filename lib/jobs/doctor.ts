import "server-only";
import fs from "node:fs";
import { type Db, openDb } from "@/db/client";
import { home } from "@/db/home";
import { ALL_ERRORS } from "@/db/schema/errors";
import { RULES_VERSION } from "@/lib/profile/rules";

/** One thing that was looked at. `level`: ok, warn (works, but…), fail (something does not work), off (not here, and not missed). */
export interface Check {
  name: string;
  level: "ok" | "warn" | "fail" | "off";
  detail: string;
  /** What to do; null when nothing is needed. */
  fix: string | null;
}

function machine(): Check[] {
  const checks: Check[] = [{ name: "Node", level: "ok", detail: process.version, fix: null }];
  const { root } = home();
  const free = fs.statfsSync(root);
  const gigabytes = (free.bavail * free.bsize) / 1e9;
  checks.push({
    name: "Disk",
    level: gigabytes < 1 ? "warn" : "ok",
    detail: `${gigabytes.toFixed(1)} GB free at ${root}`,
    fix: gigabytes < 1 ? "free some space, or set MISSTEP_HOME to another disk" : null,
  });
  return checks;
}

/**
 * SQLite's word on the file, over a connection of its own: one that searched the texts before keeps parts of their index in
 * memory, and takes what other processes wrote since for corruption.
 */
function quickCheck(db: Db): string {
  const check = (s: Db["$client"]) => s.pragma("quick_check", { simple: true }) as string;
  if (db.$client.memory) return check(db.$client);
  const fresh = openDb(db.$client.name, { readonly: true });
  try {
    return check(fresh.$client);
  } finally {
    fresh.$client.close();
  }
}

function database(db: Db): Check[] {
  const version = db.$client.prepare("select sqlite_version()").pluck().get() as string;
  const integrity = quickCheck(db);
  return [
    {
      name: "Index",
      level: integrity === "ok" ? "ok" : "fail",
      detail: `SQLite ${version}, ${integrity}`,
      fix: integrity === "ok" ? null : "restore a backup: misstep restore FILE",
    },
  ];
}

/** What pages count, kept by triggers, beside queries that count it again. */
const RECOUNTS: [what: string, kept: string, counted: string][] = [
  [
    "trajectories and steps",
    "select environment_id, checkpoint_id, format, outcome, trajectories, steps, error_steps from corpus_count where trajectories <> 0 or steps <> 0 or error_steps <> 0",
    `select ifnull(environment_id, 0), ifnull(checkpoint_id, 0), format, outcome, count(*), sum(steps), sum(error_steps)
     from trajectory where superseded_by is null group by 1, 2, 3, 4`,
  ],
  [
    "error steps by misbehavior",
    "select scope, environment_id, checkpoint_id, error_steps, trajectories from type_count where error_steps <> 0 or trajectories <> 0",
    `select tt.scope, ifnull(t.environment_id, 0), ifnull(t.checkpoint_id, 0), sum(tt.error_steps), count(*)
     from trajectory_type tt join trajectory t on t.id = tt.trajectory_id where t.superseded_by is null group by 1, 2, 3`,
  ],
  [
    "error steps of a trajectory",
    `select trajectory_id, error_steps from trajectory_type where scope = ${ALL_ERRORS}`,
    `select e.trajectory_id, count(*) from error_step e join trajectory t on t.id = e.trajectory_id
     where e.active = 1 and t.superseded_by is null group by 1`,
  ],
  [
    "labelled steps of a trajectory",
    "select scope, trajectory_id, error_steps from trajectory_type where scope > 0",
    `select l.error_type_id, e.trajectory_id, count(distinct e.step_id) from error_step e join trajectory t on t.id = e.trajectory_id
     join label l on l.step_id = e.step_id and l.current = 1 and l.value = 'yes'
     join error_type y on y.id = l.error_type_id join taxonomy x on x.id = y.taxonomy_id and x.status = 'done'
     where e.active = 1 and t.superseded_by is null group by 1, 2`,
  ],
  [
    "misbehaviors of a trajectory under each taxonomy version",
    "select scope, trajectory_id, error_steps from trajectory_type where scope < 0 and scope % 2 <> 0",
    `select -(2 * y.taxonomy_id - 1), e.trajectory_id, count(distinct e.step_id) from error_step e join trajectory t on t.id = e.trajectory_id
     join label l on l.step_id = e.step_id and l.current = 1 and l.value = 'yes'
     join error_type y on y.id = l.error_type_id and y.named = 1 join taxonomy x on x.id = y.taxonomy_id and x.status = 'done'
     where e.active = 1 and t.superseded_by is null group by 1, 2`,
  ],
];

/** Counters against a recount, row by row: they are maintained by triggers and must never differ. */
function counters(db: Db): Check {
  const wrong = RECOUNTS.flatMap(([what, kept, counted]) => {
    const n = db.$client
      .prepare(
        `select (select count(*) from (${kept} except ${counted})) + (select count(*) from (${counted} except ${kept}))`,
      )
      .pluck()
      .get() as number;
    return n === 0 ? [] : [`${what} (${n} rows)`];
  });
  return {
    name: "Counters",
    level: wrong.length === 0 ? "ok" : "fail",
    detail: wrong.length === 0 ? "equal to a recount" : `differ from a recount: ${wrong.join(", ")}`,
    fix: wrong.length === 0 ? null : "run misstep scan --all and report this",
  };
}

function rules(db: Db): Check {
  const outdated = db.$client
    .prepare("select count(*) from trajectory where rules_version is not ? and superseded_by is null")
    .pluck()
    .get(RULES_VERSION) as number;
  return {
    name: "Rules",
    level: outdated > 0 ? "warn" : "ok",
    detail:
      outdated > 0
        ? `${outdated} trajectories were scanned by other rules than ${RULES_VERSION}`
        : `all scanned with ${RULES_VERSION}`,
    fix: outdated > 0 ? "misstep scan" : null,
  };
}

/** What works here and what does not. Reads only. */
export function doctor(db: Db): Check[] {
  return [...machine(), ...database(db), counters(db), rules(db)];
}
