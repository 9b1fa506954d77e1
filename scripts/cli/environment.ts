import fs from "node:fs";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Db } from "@/db/client";
import { decodeCursor, encodeCursor } from "@/db/queries/cursor";
import {
  ENVIRONMENT_STATES,
  type EnvironmentRow,
  type EnvironmentState,
  listEnvironments,
} from "@/db/queries/environmentList";
import { CHECKS, type CheckKind } from "@/lib/environment/check";
import { ensureOwnEnvironments } from "@/lib/environment/ownEnvironments";
import { planOf } from "@/lib/environment/plan";
import { prepareEnvironment } from "@/lib/environment/run";
import { runnableBy } from "@/lib/environment/runnable";
import { findEnvironment, NoSuchEnvironment, type StoredEnvironment, substitute } from "@/lib/environment/store";
import { connectSandboxHost } from "@/lib/sandbox/client";
import { DRIVERS, type DriverName, SandboxFailure, type SandboxHost } from "@/lib/sandbox/types";
import { formatReward } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { callerPath, type JsonOption, openIndex, print, UsageError } from "./output";
import { runToEnd } from "./runJob";

/** The index with our own environments in it. */
export function openWithOwn(): Db {
  const db = openIndex();
  ensureOwnEnvironments(db);
  return db;
}

/** One environment by id or name; exit code 2 when there is none, or several. */
export function environmentOf(db: Db, given: string): StoredEnvironment {
  try {
    return findEnvironment(db, given);
  } catch (error) {
    if (error instanceof NoSuchEnvironment) throw new UsageError(error.message);
    throw error;
  }
}

/** Connects to the sandbox host for one piece of work. */
export async function withHost<T>(work: (host: SandboxHost) => Promise<T>): Promise<T> {
  const host = await connectSandboxHost();
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

export const driverOption = () =>
  new Option(
    "--driver <driver>",
    "only this sandbox driver; without it the first that can run the environment",
  ).choices(DRIVERS);

function limit(text: string): number {
  const n = Number(text);
  if (!Number.isInteger(n) || n < 1 || n > 1000) throw new InvalidArgumentError("a whole number from 1 to 1000");
  return n;
}

const checkText = (what: string, c: EnvironmentRow["solution"]): string =>
  c === null
    ? ""
    : `${what} ${c.status === "void" ? "void" : formatReward(c.reward ?? Number.NaN)}${c.outdated ? " (older files)" : ""}`;

function listLine(row: EnvironmentRow): string {
  return [
    String(row.id).padStart(5),
    visible(row.name).slice(0, 40).padEnd(40),
    (visible(row.dataset) || "–").slice(0, 20).padEnd(20),
    row.kind.padEnd(14),
    row.state.padEnd(9),
    `${row.trajectories} trajectories`.padStart(18),
    [checkText("solution", row.solution), checkText("nothing", row.nothing)].filter((t) => t !== "").join(", "),
  ].join("  ");
}

interface ListOptions extends JsonOption {
  q?: string;
  state?: EnvironmentState[];
  limit: number;
  after?: string;
}

const list = () =>
  new Command("list")
    .description("list environments: kind, state of their checks, trajectories")
    .option("-q, --q <text>", "part of name or data set")
    .addOption(new Option("--state <state...>", "states of the newest checks").choices(ENVIRONMENT_STATES))
    .option("--limit <n>", "rows", limit, 50)
    .option("--after <cursor>", "go on after this place")
    .option("--json", "print the rows as JSON")
    .action((options: ListOptions) => {
      const cursor = options.after === undefined ? null : decodeCursor(options.after);
      if (options.after !== undefined && cursor === null)
        throw new UsageError(`"${options.after}" is no cursor; use the one printed at the end of a page`);
      const db = openWithOwn();
      const page = listEnvironments(db, {
        filters: { q: options.q ?? "", kinds: [], datasets: [], states: options.state ?? [] },
        sort: "name",
        direction: "asc",
        limit: options.limit,
        cursor,
        before: false,
      });
      const next = page.next ? encodeCursor(page.next) : null;
      const environments = page.rows.map(({ spec: _, ...row }) => row);
      print(options, { total: page.total, environments, next }, () => [
        ...page.rows.map(listLine),
        `${page.rows.length} of ${page.total}${next ? `; go on with --after ${next}` : ""}`,
      ]);
    });

interface ImportOptions extends JsonOption {
  dataset?: string;
  name?: string;
}

const importVerb = () =>
  new Command("import")
    .description("import task directories (Harbor, Terminal-Bench): one, or a folder with many")
    .argument("<path>", "task directory, or a folder that holds some")
    .option("--dataset <name>", "data set they belong to")
    .option("--name <name>", "name of a single one, instead of its own")
    .option("--json", "print counts and refusals as JSON")
    .action(async (given: string, options: ImportOptions) => {
      const path = callerPath(given);
      if (!fs.statSync(path, { throwIfNoEntry: false })?.isDirectory())
        throw new UsageError(`${path}: there is no such folder`);
      const db = openWithOwn();
      const { dataset, name } = options;
      const job = await runToEnd(db, {
        kind: "import-environments",
        title: `Import environments of ${path}`,
        params: { path, ...(dataset ? { dataset } : {}), ...(name ? { name } : {}) },
        requestedBy: "cli",
      });
      const counts = JSON.parse(job.counts) as Record<string, number>;
      const of = (status: string) => counts[`environments-${status}`] ?? 0;
      const refusals = db.$client
        .prepare(
          `select key, position, reason from import_file where job_id = @job and status = 'refused'
           union all select key, null, error from job_item where job_id = @job and status = 'failed'`,
        )
        .all({ job: job.id }) as { key: string; position: string | null; reason: string }[];
      const report = {
        job: job.id,
        status: job.status,
        error: job.error,
        added: of("added"),
        attached: of("attached"),
        changed: of("changed"),
        present: of("present"),
        refusals,
      };
      print(options, report, () => [
        `${report.added} added, ${report.attached} given files, ${report.changed} changed, ${report.present} already there, ${refusals.length} refused`,
        ...refusals.map((r) => `  ${r.key}${r.position ? ` (${r.position})` : ""}: ${r.reason}`),
        ...(report.error ? [`the job ended as ${report.status}: ${report.error}`] : []),
      ]);
      const nothing = report.added + report.attached + report.changed + report.present === 0;
      if (nothing && refusals.length === 0)
        throw new UsageError(`${path} holds no task directory (task.toml or task.yaml)`);
      if (job.status !== "done" || refusals.length > 0) process.exitCode = 1;
    });

const show = () =>
  new Command("show")
    .description("show an environment: settings, warnings, and which driver can run it and why not")
    .argument("<environment>", "id or name")
    .option("--json", "print everything as JSON")
    .action(async (given: string, options: JsonOption) => {
      const { spec, ...row } = environmentOf(openWithOwn(), given);
      const runnable = spec === null ? [] : await withHost(async (host) => runnableBy(spec, await host.drivers()));
      print(options, { ...row, spec, runnable }, () => {
        if (spec === null) return `${row.name}: only trajectories name it; it has no files`;
        return [
          `${row.id}  ${visible(row.name)}  ${row.kind}${row.dataset ? `  ${row.dataset}` : ""}`,
          ...spec.instruction
            .trimEnd()
            .split("\n")
            .map((line) => visible(line)),
          "",
          `base ${planOf(spec).base}; tests ${spec.tests ?? "none"}; solution ${spec.solution ?? "none"}`,
          ...spec.warnings.map((w) => `note: ${w}`),
          ...runnable.map(
            (r) => `${r.driver}: ${r.ok ? "can run" : "cannot run"}${r.reasons.map((t) => `\n  ${t}`).join("")}`,
          ),
        ];
      });
    });

interface PrepareOptions extends JsonOption {
  base?: string[];
  driver?: DriverName;
}

/** "image=base" as image and what replaces it; nothing behind the sign takes it back. */
function replacement(text: string): [image: string, by: string | null] {
  const at = text.lastIndexOf("=");
  if (at < 1) throw new UsageError(`--base takes IMAGE=base or IMAGE=OTHER; "${text}" has no "="`);
  return [text.slice(0, at), text.slice(at + 1) || null];
}

const prepare = () =>
  new Command("prepare")
    .description("build what an environment needs, so that it starts at once; replace its base image")
    .argument("<environment>", "id or name")
    .option("--base <image=by...>", 'replace a base image by "base" (Debian 12) or another image; IMAGE= takes it back')
    .addOption(driverOption())
    .option("--json", "print what was prepared as JSON")
    .action(async (given: string, options: PrepareOptions) => {
      const db = openWithOwn();
      const { id, spec } = environmentOf(db, given);
      for (const [image, by] of (options.base ?? []).map(replacement)) {
        const base = spec === null ? null : planOf(spec).base;
        if (base !== null && base !== image && spec?.substitutions[image] === undefined)
          throw new UsageError(`the base image of ${given} is ${base}, not ${image}`);
        substitute(db, id, image, by);
      }
      try {
        const { driver } = options;
        const done = await withHost((host) =>
          prepareEnvironment(host, environmentOf(db, String(id)), driver ? { driver, build: true } : {}),
        );
        print(options, { ok: true, ...done, reason: null }, () => [
          `${given} is ready under ${done.sandbox.driver}`,
          ...done.notes.map((note) => `note: ${note}`),
        ]);
      } catch (error) {
        if (!(error instanceof SandboxFailure)) throw error;
        print(options, { ok: false, sandbox: null, notes: [], reason: error.message }, () => error.message);
        process.exitCode = 1;
      }
    });

interface CheckRow {
  name: string;
  what: string;
  driver: string;
  status: string;
  reward: number | null;
  reason: string | null;
}

const check = () =>
  new Command("check")
    .description("run the hidden tests after the reference solution (1 expected) and after nothing (0 expected)")
    .argument("[environments...]", "ids or names; without any, all that have files")
    .addOption(driverOption())
    .addOption(new Option("--only <what>", "only one of the two").choices(CHECKS))
    .option("--json", "print the checks as JSON")
    .action(async (given: string[], options: JsonOption & { driver?: DriverName; only?: CheckKind }) => {
      const db = openWithOwn();
      const chosen = given.map((name) => environmentOf(db, name).id);
      const all = db.$client.prepare("select id from environment where digest is not null order by id").pluck();
      const environments = chosen.length > 0 ? chosen : (all.all() as number[]);
      const { driver, only } = options;
      const job = await runToEnd(db, {
        kind: "check-environments",
        title: `Check ${environments.length === 1 ? (given[0] ?? "1 environment") : `${environments.length} environments`}`,
        params: { environments, ...(driver ? { driver } : {}), ...(only ? { what: [only] } : {}) },
        requestedBy: "cli",
      });
      const rows = db.$client
        .prepare<[number], CheckRow>(
          `select e.name, c.what, c.driver, c.status, c.reward, c.void_reason as reason
           from environment_check c join environment e on e.id = c.environment_id where c.job_id = ? order by e.name, c.what desc`,
        )
        .all(job.id);
      print(options, { job: job.id, status: job.status, error: job.error, checks: rows }, () => [
        ...rows.map((r) =>
          [
            visible(r.name).padEnd(32),
            r.what.padEnd(9),
            r.driver.padEnd(11),
            r.status === "void" ? `void: ${r.reason}` : `r_o = ${formatReward(r.reward ?? Number.NaN)}`,
          ].join("  "),
        ),
        `job ${job.id} ${job.status}${job.error ? `: ${job.error}` : ""}`,
      ]);
      const sound = rows.every((r) => r.status === "done" && r.reward === (r.what === "solution" ? 1 : 0));
      if (job.status !== "done" || !sound) process.exitCode = 1;
    });

/** misstep environment … */
export function environmentCommand(): Command {
  const command = new Command("environment").description("task directories: list, import, show, prepare, check");
  for (const verb of [list, importVerb, show, prepare, check]) command.addCommand(verb().exitOverride());
  return command;
}
