import "server-only";
import fs from "node:fs";
import path from "node:path";
import type { Db } from "@/db/client";
import { quote } from "@/lib/sandbox/quote";
import {
  type DriverName,
  type DriverStatus,
  type Sandbox,
  SandboxFailure,
  SandboxFileError,
  type SandboxHost,
  type SandboxSpec,
} from "@/lib/sandbox/types";
import { buildEngineImage, isEngine } from "./engine";
import { startEntrypoint } from "./entrypoint";
import { listFiles } from "./files";
import { drawMark, notPut, type PutEntry, putAnew, putScript, readScript, textsFrom } from "./filesInside";
import { filesFolder } from "./home";
import { BuildFailed } from "./layer";
import { FilesMissing, pathOf, planOf, testsNeedNetwork, variablesOf } from "./plan";
import { type Prepared, prepareImage, prepareLayers } from "./prepare";
import { runnableBy } from "./runnable";
import { findEnvironment, type StoredEnvironment } from "./store";
import type { EnvironmentSpec, TestRun } from "./types";
import { judge } from "./verdict";

/** Seconds when the environment states none: Harbor's own defaults. */
const VERIFIER_SECONDS = 600;
const SOLUTION_SECONDS = 600;
const TEST_FOLDERS: [string, string] = ["/tests", "/logs/verifier"];
/** Where tests leave their verdict (Harbor). */
const VERDICT_FILES = ["/logs/verifier/reward.txt", "/logs/verifier/reward.json", "/logs/verifier/ctrf.json"];

export interface OpenOptions {
  /** Only this driver; without it the first that can run the environment. */
  driver?: DriverName;
  /** Build its image for podman or docker when it is not there: only when a person asks, as it may pull from the internet. */
  build?: boolean;
}

export interface OpenEnvironment {
  sandbox: Sandbox;
  environment: StoredEnvironment;
  spec: EnvironmentSpec;
  /** As the sandbox was started. */
  settings: SandboxSpec;
  /** What is replaced or left out. */
  notes: string[];
}

const statuses = new WeakMap<SandboxHost, Promise<DriverStatus[]>>();

/** What the drivers of a host can do, asked once a connection. */
export function driversOf(host: SandboxHost): Promise<DriverStatus[]> {
  let known = statuses.get(host);
  if (!known) {
    known = host.drivers();
    known.catch(() => statuses.delete(host));
    statuses.set(host, known);
  }
  return known;
}

/**
 * Makes an environment ready to start: chooses the driver and builds what is missing. Throws SandboxFailure
 * "unsupported" with every reason when no driver (or not the one asked for) can run it, or when its build fails.
 */
export async function prepareEnvironment(
  host: SandboxHost,
  environment: StoredEnvironment,
  options: OpenOptions = {},
): Promise<Prepared> {
  const { spec, name } = environment;
  if (spec === null)
    throw new SandboxFailure(
      "unsupported",
      `${name} has no files: only trajectories name it. Import its task directory`,
    );
  try {
    if (options.build && options.driver && isEngine(options.driver)) await buildEngineImage(host, spec, options.driver);
    const all = runnableBy(spec, await driversOf(host)).filter((r) => !options.driver || r.driver === options.driver);
    const chosen = all.find((r) => r.ok);
    if (!chosen) {
      const why = all.map((r) => `${r.driver}: ${r.reasons.join("; ")}`).join("\n");
      throw new SandboxFailure(
        "unsupported",
        `${name} cannot run here. ${why || `there is no driver ${options.driver}`}`,
      );
    }
    const prepared = isEngine(chosen.driver) ? prepareImage(spec, chosen.driver) : await prepareLayers(host, spec);
    return { ...prepared, notes: [...chosen.reasons, ...prepared.notes] };
  } catch (error) {
    if (error instanceof BuildFailed || error instanceof FilesMissing)
      throw new SandboxFailure("unsupported", `${name} cannot be built. ${error.message}`);
    throw error;
  }
}

/** Starts a fresh sandbox of an environment (id, or name when it is the only one). The caller disposes it. Throws like prepareEnvironment. */
export async function openEnvironment(
  db: Db,
  host: SandboxHost,
  which: number | string,
  options: OpenOptions = {},
): Promise<OpenEnvironment> {
  const environment = findEnvironment(db, which);
  return startEnvironment(host, environment, await prepareEnvironment(host, environment, options));
}

/** Starts a fresh sandbox of a prepared environment and runs its ENTRYPOINT. The caller disposes it. */
export async function startEnvironment(
  host: SandboxHost,
  environment: StoredEnvironment,
  { sandbox: settings, notes }: Prepared,
): Promise<OpenEnvironment> {
  const sandbox = await host.create(settings);
  try {
    await startEntrypoint(sandbox, environment.spec as EnvironmentSpec);
  } catch (error) {
    await sandbox.dispose();
    throw error;
  }
  return { sandbox, environment, spec: environment.spec as EnvironmentSpec, settings, notes };
}

/** Files of a folder of the environment, as they are to lie below `to`. */
function entriesOf(spec: EnvironmentSpec, folder: string, to: string): PutEntry[] {
  const from = path.join(filesFolder(spec.digest), folder);
  if (!fs.existsSync(from)) return [];
  return listFiles(from).map((file): PutEntry => {
    const inside = `${to}/${file.path}`;
    if (file.kind === "link") return { kind: "link", path: inside, target: file.target ?? "" };
    return {
      kind: "file",
      path: inside,
      data: fs.readFileSync(path.join(from, file.path)),
      executable: file.executable,
    };
  });
}

/** A file of the environment as the script `to`. */
const scriptEntry = (spec: EnvironmentSpec, file: string, to: string): PutEntry => ({
  kind: "file",
  path: to,
  data: fs.readFileSync(path.join(filesFolder(spec.digest), file)),
  executable: true,
});

/** A command of ours in the environment's own state: its work directory and variables, nothing the agent exported. */
function fresh(spec: EnvironmentSpec, extra: Record<string, string>, script: string): string {
  const all = { HOME: "/root", LC_ALL: "C.UTF-8", ...variablesOf(spec), ...extra, PATH: pathOf(spec) };
  const user = spec.user ?? planOf(spec).user;
  if (user !== null && user !== "root" && !("HOME" in variablesOf(spec))) all.HOME = `/home/${user}`;
  const variables = Object.entries(all).map(([name, value]) => quote(`${name}=${value}`));
  return `(cd ${quote(planOf(spec).workdir)} && exec /usr/bin/env -i ${variables.join(" ")} /bin/bash ${quote(script)})`;
}

const both = (result: { stdout: string; stderr: string }): string =>
  result.stderr === ""
    ? result.stdout
    : `${result.stdout}${result.stdout.endsWith("\n") || result.stdout === "" ? "" : "\n"}${result.stderr}`;

/** Tests in, run, verdict out: one command for all three unless files are large. Throws SandboxFileError and SandboxFailure. */
async function performTests(sandbox: Sandbox, entries: PutEntry[], command: string, timeoutSec: number) {
  const { script, large } = putScript(TEST_FOLDERS, entries);
  const mark = drawMark();
  let put = `${script} || { code=$?; printf %s ${mark}!; exit $code; }\n`;
  if (large.length > 0) {
    await putAnew(sandbox, TEST_FOLDERS, entries);
    put = "";
  }
  const result = await sandbox.exec(`${put}${command}\ncode=$?\n${readScript(mark, VERDICT_FILES)}\nexit $code`, {
    timeoutMs: timeoutSec * 1000,
  });
  if (put !== "" && result.stdout === `${mark}!`) throw notPut(TEST_FOLDERS, result);
  const { before, texts } = await textsFrom(sandbox, result, mark, VERDICT_FILES);
  return { result, log: both({ stdout: before, stderr: result.stderr }), texts };
}

/**
 * Runs the hidden tests on the present state of a sandbox. They are copied in only now, to /tests, after what lies there
 * and in /logs/verifier was removed. A sandbox that dies, tests that do not end or that lack their network: void.
 */
export async function runTests(sandbox: Sandbox, spec: EnvironmentSpec): Promise<TestRun> {
  const began = performance.now();
  const broken = (voidReason: string): TestRun => ({
    status: "void",
    reward: null,
    rewards: {},
    tests: [],
    exitCode: null,
    log: "",
    durationMs: performance.now() - began,
    voidReason,
  });
  if (spec.tests === null) return broken("the environment has no tests");
  const timeoutSec = spec.verifierTimeoutSec ?? VERIFIER_SECONDS;
  try {
    const entries = entriesOf(spec, "tests", TEST_FOLDERS[0]);
    const testScript = spec.kind === "terminal-bench" ? "/tests/run-tests.sh" : "/tests/test.sh";
    if (spec.kind === "terminal-bench") entries.push(scriptEntry(spec, spec.tests, testScript));
    const { result, log, texts } = await performTests(
      sandbox,
      entries,
      fresh(spec, spec.verifierEnv, testScript),
      timeoutSec,
    );
    const [rewardText, rewardJson, ctrf] = texts;
    return judge({
      kind: spec.kind,
      rewardText: rewardText ?? null,
      rewardJson: rewardJson ?? null,
      ctrf: ctrf ?? null,
      exitCode: result.exitCode,
      timedOut: result.timedOut,
      log,
      durationMs: performance.now() - began,
      timeoutSec,
      needsNetwork: testsNeedNetwork(spec),
      hasNetwork: isEngine(sandbox.driver) && spec.allowInternet,
    });
  } catch (error) {
    if (error instanceof SandboxFailure || error instanceof SandboxFileError)
      return broken(`the tests could not be run: ${error.message}`);
    throw error;
  }
}

/** What the reference solution did. */
export interface SolutionRun {
  exitCode: number;
  timedOut: boolean;
  log: string;
  durationMs: number;
}

/** Runs the reference solution in a sandbox. Throws SandboxFailure when the sandbox fails or there is none. */
export async function runSolution(sandbox: Sandbox, spec: EnvironmentSpec): Promise<SolutionRun> {
  if (spec.solution === null)
    throw new SandboxFailure("unsupported", `${spec.name} has no reference solution that can be run`);
  const timeoutMs = (spec.agentTimeoutSec ?? SOLUTION_SECONDS) * 1000;
  const [folder, script] =
    spec.kind === "terminal-bench" ? ["/oracle", "/oracle/solution.sh"] : ["/solution", "/solution/solve.sh"];
  const entries =
    spec.kind === "terminal-bench" ? [scriptEntry(spec, spec.solution, script)] : entriesOf(spec, "solution", folder);
  await putAnew(sandbox, [folder], entries);
  const result = await sandbox.exec(fresh(spec, spec.solutionEnv, script), { timeoutMs });
  await sandbox.exec(`/bin/rm -rf ${folder}`);
  return { exitCode: result.exitCode, timedOut: result.timedOut, log: both(result), durationMs: result.durationMs };
}
