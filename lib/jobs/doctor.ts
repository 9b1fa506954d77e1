import "server-only";
import fs from "node:fs";
import type { Db } from "@/db/client";
import { home } from "@/db/home";
import { SCOPES } from "@/db/schema/errors";
import { RULES_VERSION } from "@/lib/profile/rules";

/** One thing that was looked at. `level`: ok, warn (works, but…), fail (something does not work). */
export interface Check {
  name: string;
  level: "ok" | "warn" | "fail";
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

function database(db: Db): Check[] {
  const s = db.$client;
  const version = s.prepare("select sqlite_version()").pluck().get() as string;
  const integrity = s.pragma("quick_check", { simple: true }) as string;
  return [
    {
      name: "Index",
      level: integrity === "ok" ? "ok" : "fail",
      detail: `SQLite ${version}, ${integrity}`,
      fix: integrity === "ok" ? null : "restore a backup: misstep restore FILE",
    },
  ];
}

/** Counters against a recount of what they count: they are maintained by triggers and must never differ. */
function counters(db: Db): Check {
  const s = db.$client;
  const kept = s
    .prepare(
      "select ifnull(sum(trajectories), 0) t, ifnull(sum(steps), 0) s, ifnull(sum(error_steps), 0) e from corpus_count",
    )
    .get();
  const real = s
    .prepare(
      "select count(*) t, ifnull(sum(steps), 0) s, ifnull(sum(error_steps), 0) e from trajectory where superseded_by is null",
    )
    .get();
  const typed = s.prepare("select ifnull(sum(error_steps), 0) from type_count where scope = ?").pluck().get(SCOPES.all);
  const active = s
    .prepare(
      "select count(*) from error_step e join trajectory t on t.id = e.trajectory_id where e.active = 1 and t.superseded_by is null",
    )
    .pluck()
    .get();
  const equal = JSON.stringify(kept) === JSON.stringify(real) && typed === active;
  return {
    name: "Counters",
    level: equal ? "ok" : "fail",
    detail: equal
      ? "equal to a recount"
      : `kept ${JSON.stringify(kept)} and ${typed}, recounted ${JSON.stringify(real)} and ${active}`,
    fix: equal ? null : "run misstep scan --all and report this",
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
