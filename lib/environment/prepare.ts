import "server-only";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fixTimes } from "@/lib/sandbox/tree";
import { DEFAULT_LIMITS, type DriverName, type Image, type SandboxHost, type SandboxSpec } from "@/lib/sandbox/types";
import { runInLayer } from "./buildRun";
import { type Engine, engineRecord, isEngine } from "./engine";
import { layersFolder } from "./home";
import { makeWholeAsync } from "./keep";
import { applyToLayer, BuildFailed } from "./layer";
import { contextOf, planOf, variablesOf } from "./plan";
import type { EnvironmentSpec } from "./types";

/** Version of how layers are built: layers of another one are built again. */
const BUILD_VERSION = 1;
/** Build time when the environment states none: Harbor's own default. */
const BUILD_SECONDS = 600;
const HOSTNAME = "misstep";

/** An environment ready to start, as often as one likes. */
export interface Prepared {
  sandbox: SandboxSpec;
  /** What was left out or replaced while building. */
  notes: string[];
}

/** What building left in writing. */
export interface Built {
  notes: string[];
  log: string;
}

const memory = (spec: EnvironmentSpec): number =>
  spec.memoryMb === null ? DEFAULT_LIMITS.memoryBytes : Math.round(spec.memoryMb * 1024 ** 2);

/** Read-only folders over the base, topmost first. */
const layers = (...lower: string[]): Image => (lower.length > 0 ? { kind: "layers", lower } : { kind: "base" });

/** Settings of a sandbox of this environment. */
function sandboxSpec(spec: EnvironmentSpec, driver: DriverName, image: Image): SandboxSpec {
  const plan = planOf(spec);
  const user = spec.user ?? plan.user;
  const env = { ...variablesOf(spec) };
  if (user !== null && user !== "root" && env.HOME === undefined) env.HOME = `/home/${user}`;
  return {
    driver,
    image,
    workdir: plan.workdir,
    env,
    hostname: HOSTNAME,
    network: isEngine(driver) && spec.allowInternet,
    limits: { ...DEFAULT_LIMITS, memoryBytes: memory(spec) },
  };
}

async function build(folder: string, spec: EnvironmentSpec, host: SandboxHost): Promise<void> {
  const root = path.join(folder, "root");
  fs.mkdirSync(root);
  const built: Built = { notes: [], log: "" };
  const timeoutMs = (spec.buildTimeoutSec ?? BUILD_SECONDS) * 1000;
  for (const step of planOf(spec).steps) {
    if (step.kind !== "run") {
      applyToLayer(root, contextOf(spec), step);
      continue;
    }
    const start = () => host.create({ ...sandboxSpec(spec, "bubblewrap", layers(root)), env: {}, workdir: "/" });
    const done = await runInLayer(root, start, step, timeoutMs);
    built.notes.push(...done.notes);
    built.log += `${done.log}\n`;
  }
  await namedUser(root, spec);
  fixTimes(root);
  fs.writeFileSync(path.join(folder, "build.json"), JSON.stringify(built));
}

/** The user that the environment names must be there, as the sandbox's own. */
async function namedUser(root: string, spec: EnvironmentSpec): Promise<void> {
  const user = spec.user ?? planOf(spec).user;
  if (user === null || user === "root" || user === "0" || user === "1000") return;
  const file = path.join(root, "etc/passwd");
  const made = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
  if (!made.split("\n").some((line) => line.startsWith(`${user}:`) && line.split(":")[2] === "1000"))
    throw new BuildFailed(`it is to run as ${user}, and its Dockerfile makes no such user`);
}

function buildFolder(spec: EnvironmentSpec): string {
  const key = createHash("sha256")
    .update(JSON.stringify([BUILD_VERSION, planOf(spec).steps, spec.substitutions]))
    .digest("hex")
    .slice(0, 16);
  return path.join(layersFolder(spec.digest), key);
}

const readBuilt = (folder: string): Built =>
  JSON.parse(fs.readFileSync(path.join(folder, "build.json"), "utf8")) as Built;

/** What was left out or replaced when the layer of an environment was built, and what its RUNs printed; null: not built. */
export function builtLayer(spec: EnvironmentSpec): Built | null {
  const folder = buildFolder(spec);
  return fs.existsSync(folder) ? readBuilt(folder) : null;
}

/**
 * Builds the read-only layer of an environment for bubblewrap, once for a digest, in MISSTEP_HOME/environments, and
 * gives the settings of its sandboxes. RUN instructions run in sandboxes of `host`. Throws BuildFailed with line and log.
 */
export async function prepareLayers(host: SandboxHost, spec: EnvironmentSpec): Promise<Prepared> {
  if (planOf(spec).steps.length === 0) return { sandbox: sandboxSpec(spec, "bubblewrap", layers()), notes: [] };
  const folder = buildFolder(spec);
  await makeWholeAsync(folder, (building) => build(building, spec, host));
  const built = readBuilt(folder);
  return { sandbox: sandboxSpec(spec, "bubblewrap", layers(path.join(folder, "root"))), notes: built.notes };
}

/** The settings of sandboxes of an image that was built before (engine.ts). */
export function prepareImage(spec: EnvironmentSpec, engine: Engine): Prepared {
  const image = engineRecord(spec, engine)?.image;
  if (!image) throw new BuildFailed(`its image for ${engine} is not built`);
  return { sandbox: sandboxSpec(spec, engine, { kind: "reference", name: image }), notes: [] };
}
