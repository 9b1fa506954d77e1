import fs from "node:fs";
import path from "node:path";
import { parse, TomlError } from "smol-toml";
import { z } from "zod";
import { readText } from "./files";
import { checked, type LayoutSpec, megabytes, variables } from "./layout";
import { refuse } from "./refused";

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const seconds = z.number().positive().optional();
const role = z.looseObject({
  timeout_sec: seconds,
  user: z.union([z.string(), z.number()]).optional(),
  env: z.record(z.string(), scalar).optional(),
});

/** task.toml of Harbor, schema 1.0 and 1.1: what Misstep reads of it. Other keys are allowed and left alone. */
const taskToml = z.looseObject({
  schema_version: scalar.optional(),
  version: scalar.optional(),
  task: z.looseObject({ name: z.string().min(1).optional(), keywords: z.array(z.string()).optional() }).optional(),
  metadata: z
    .looseObject({
      difficulty: z.string().optional(),
      category: z.string().optional(),
      tags: z.array(z.string()).optional(),
    })
    .optional(),
  agent: role.optional(),
  verifier: role.optional(),
  solution: z.looseObject({ env: z.record(z.string(), scalar).optional() }).optional(),
  environment: z
    .looseObject({
      build_timeout_sec: seconds,
      docker_image: z.string().min(1).optional(),
      cpus: z.number().positive().optional(),
      memory_mb: z.number().positive().optional(),
      storage_mb: z.number().positive().optional(),
      memory: z.string().optional(),
      storage: z.string().optional(),
      gpus: z.number().optional(),
      allow_internet: z.boolean().optional(),
      env: z.record(z.string(), scalar).optional(),
      mcp_servers: z.array(z.unknown()).optional(),
      skills_dir: z.unknown().optional(),
      healthcheck: z.looseObject({ command: z.string().optional() }).optional(),
      workdir: z.string().optional(),
    })
    .optional(),
});
type TaskToml = z.infer<typeof taskToml>;

const KNOWN_VERSIONS = new Set(["1.0", "1", "1.1"]);

function toml(file: string): TaskToml {
  const text = readText(file);
  if (text === null) return refuse(file, null, "there is no such file; a Harbor task has one");
  try {
    return checked(taskToml, parse(text), file);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return refuse(file, `line ${error.line}, column ${error.column}`, error.message.split("\n")[0] ?? "it is no TOML");
  }
}

/** A size given in megabytes, or (older files) as text with a unit. */
function size(mb: number | undefined, text: string | undefined, key: string, file: string): number | null {
  if (mb !== undefined) return mb;
  if (text === undefined) return null;
  return megabytes(text) ?? refuse(file, `environment.${key}`, `"${text}" is no size; write 2G or 512M`);
}

function warningsOf(root: string, task: TaskToml, version: string | null): string[] {
  const warnings: string[] = [];
  const env = task.environment;
  if (version !== null && !KNOWN_VERSIONS.has(version))
    warnings.push(`task.toml states schema version ${version}; it was read as 1.1`);
  if (env?.healthcheck)
    warnings.push(
      `it states a health check (${env.healthcheck.command ?? "no command"}): Misstep starts no service and waits for none`,
    );
  if ((env?.gpus ?? 0) > 0) warnings.push(`it asks for ${env?.gpus} GPU: none is given`);
  if ((env?.mcp_servers?.length ?? 0) > 0) warnings.push("it names MCP servers: they are not started");
  if (env?.skills_dir !== undefined && env.skills_dir !== null) warnings.push("it names a skills folder: not used");
  if (env?.workdir !== undefined)
    warnings.push(`it names the work directory ${env.workdir}: that of the Dockerfile is used`);
  if (task.verifier?.user !== undefined)
    warnings.push(`the tests are to run as ${task.verifier.user}: they run as the sandbox's user`);
  for (const name of ["docker-compose.yaml", "docker-compose.yml"])
    if (fs.existsSync(path.join(root, "environment", name)))
      warnings.push(`environment/${name}: further containers are not started`);
  if ("steps" in task) warnings.push("it has steps of its own (multi-step task): only instruction.md is used");
  return warnings;
}

const relative = (root: string, name: string): string | null => (fs.existsSync(path.join(root, name)) ? name : null);

/** Harbor task directory: task.toml, instruction.md, environment/, tests/test.sh, solution/solve.sh. */
export function readHarbor(root: string): LayoutSpec {
  const file = path.join(root, "task.toml");
  const task = toml(file);
  const stated = task.schema_version ?? task.version;
  const version = stated === undefined ? null : typeof stated === "number" ? stated.toFixed(1) : String(stated);
  if (version !== null && Number.parseInt(version, 10) > 1)
    refuse(file, "schema_version", `version ${version} is not known; versions 1.0 and 1.1 are read`);
  const instruction = readText(path.join(root, "instruction.md"));
  if (instruction === null)
    return refuse(path.join(root, "instruction.md"), null, "there is no such file: the task has no instruction");
  const dockerfile = relative(root, "environment/Dockerfile");
  const env = task.environment;
  if (dockerfile === null && env?.docker_image === undefined)
    refuse(
      file,
      "environment",
      "there is neither environment/Dockerfile nor docker_image: nothing says what the task runs in",
    );
  const user = task.agent?.user;
  return {
    kind: "harbor",
    schemaVersion: version,
    name: task.task?.name ?? null,
    instruction,
    difficulty: task.metadata?.difficulty ?? null,
    category: task.metadata?.category ?? null,
    tags: task.metadata?.tags ?? task.task?.keywords ?? [],
    agentTimeoutSec: task.agent?.timeout_sec ?? null,
    verifierTimeoutSec: task.verifier?.timeout_sec ?? null,
    buildTimeoutSec: env?.build_timeout_sec ?? null,
    cpus: env?.cpus ?? null,
    memoryMb: size(env?.memory_mb, env?.memory, "memory", file),
    storageMb: size(env?.storage_mb, env?.storage, "storage", file),
    allowInternet: env?.allow_internet ?? false,
    dockerImage: env?.docker_image ?? null,
    dockerfile,
    tests: relative(root, "tests/test.sh"),
    solution: relative(root, "solution/solve.sh"),
    env: variables(env?.env),
    verifierEnv: variables(task.verifier?.env),
    solutionEnv: variables(task.solution?.env),
    healthcheck: env?.healthcheck ? (env.healthcheck.command ?? "") : null,
    user: user === undefined ? null : String(user),
    warnings: warningsOf(root, task, version),
  };
}
