import fs from "node:fs";
import path from "node:path";
import { parseDocument } from "yaml";
import { z } from "zod";
import { readText } from "./files";
import { checked, type LayoutSpec } from "./layout";
import { refuse } from "./refused";

/** task.yaml of Terminal-Bench 1: what Misstep reads of it. */
const taskYaml = z.looseObject({
  instruction: z.string().min(1).optional(),
  /** Older files: several wordings, `base` first. */
  descriptions: z.array(z.looseObject({ key: z.string(), description: z.string() })).optional(),
  difficulty: z.string().nullish(),
  category: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  parser_name: z.string().nullish(),
  max_agent_timeout_sec: z.number().positive().nullish(),
  max_test_timeout_sec: z.number().positive().nullish(),
  run_tests_in_same_shell: z.boolean().nullish(),
});

function yaml(file: string): z.infer<typeof taskYaml> {
  const text = readText(file);
  if (text === null) return refuse(file, null, "there is no such file; a Terminal-Bench task has one");
  const document = parseDocument(text);
  const error = document.errors[0];
  if (error) {
    const at = error.linePos?.[0];
    refuse(file, at ? `line ${at.line}, column ${at.col}` : null, error.message.split("\n")[0] ?? "it is no YAML");
  }
  return checked(taskYaml, document.toJS({ maxAliasCount: 100 }), file);
}

/** Terminal-Bench 1 task directory: task.yaml, Dockerfile, run-tests.sh, tests/, solution.sh or solution.yaml. */
export function readTerminalBench(root: string): LayoutSpec {
  const file = path.join(root, "task.yaml");
  const task = yaml(file);
  const base = task.descriptions?.find((d) => d.key === "base") ?? task.descriptions?.[0];
  const instruction = task.instruction ?? base?.description;
  if (instruction === undefined) return refuse(file, "instruction", "the task has no instruction");
  const has = (name: string) => fs.existsSync(path.join(root, name));
  if (!has("Dockerfile"))
    refuse(path.join(root, "Dockerfile"), null, "there is no such file: nothing says what the task runs in");
  const warnings: string[] = [];
  for (const name of ["docker-compose.yaml", "docker-compose.yml"])
    if (has(name)) warnings.push(`${name}: only the Dockerfile is used; further containers are not started`);
  if (task.run_tests_in_same_shell)
    warnings.push("the tests are to run in the agent's shell: they run in a fresh one in the work directory");
  if (task.parser_name && task.parser_name !== "pytest")
    warnings.push(`the parser ${task.parser_name} is not known: the exit code of run-tests.sh decides`);
  if (!has("solution.sh") && has("solution.yaml"))
    warnings.push("solution.yaml types into a terminal: it is not run; only solution.sh is");
  return {
    kind: "terminal-bench",
    schemaVersion: null,
    name: null,
    instruction,
    difficulty: task.difficulty ?? null,
    category: task.category ?? null,
    tags: task.tags ?? [],
    agentTimeoutSec: task.max_agent_timeout_sec ?? null,
    verifierTimeoutSec: task.max_test_timeout_sec ?? null,
    buildTimeoutSec: null,
    cpus: null,
    memoryMb: null,
    storageMb: null,
    allowInternet: false,
    dockerImage: null,
    dockerfile: "Dockerfile",
    tests: has("run-tests.sh") ? "run-tests.sh" : null,
    solution: has("solution.sh") ? "solution.sh" : null,
    env: {},
    verifierEnv: { TEST_DIR: "/tests" },
    solutionEnv: {},
    healthcheck: null,
    user: null,
    warnings,
  };
}
