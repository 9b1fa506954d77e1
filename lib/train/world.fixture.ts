import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { filesFolder } from "@/lib/environment/home";
import type { EnvironmentSpec } from "@/lib/environment/types";
import { replayOf } from "@/lib/prefix/replay";
import { recordedStep } from "@/lib/prefix/testing";
import type { PlannedEnvironment } from "@/lib/profile/perform";
import { system, user } from "@/lib/profile/rules/steps.fixture";
import type { JudgedMode } from "@/lib/reward/types";
import type { TrainStart } from "./rollout/starts";

/** Help for tests: the places of a made-up world, and the states in them that rollouts start from. */

/** Solves any task of this world. */
export const SOLVE = "solve";
/** Kills the sandbox. */
export const CRASH = "crash";
/** The command that prefixes of this world failed with. */
export const FAILS = "make";
/** What it printed. */
export const FAILURE = "make: *** [all] Error 1";

const DIGEST = "0".repeat(64);
/** What the files of every environment of this world say. */
export const TEXTS = { solution: "solve --all\n", tests: "test -e solved\n" };

/** A home for data with the files of this world's environments; gives back what removes it. */
export function makeHome(): () => void {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-groups-"));
  const before = process.env.MISSTEP_HOME;
  process.env.MISSTEP_HOME = home;
  for (const [file, text] of [
    ["tests/test.sh", TEXTS.tests],
    ["solution/solve.sh", TEXTS.solution],
  ] as const) {
    const full = path.join(filesFolder(DIGEST), file);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, text);
  }
  return () => {
    if (before === undefined) delete process.env.MISSTEP_HOME;
    else process.env.MISSTEP_HOME = before;
    fs.rmSync(home, { recursive: true, force: true });
  };
}

const spec = (name: string, instruction: string): EnvironmentSpec => ({
  kind: "tiny",
  schemaVersion: null,
  name,
  instruction,
  difficulty: null,
  category: null,
  tags: [],
  agentTimeoutSec: null,
  verifierTimeoutSec: null,
  buildTimeoutSec: null,
  cpus: null,
  memoryMb: null,
  storageMb: null,
  allowInternet: false,
  dockerImage: null,
  dockerfile: null,
  tests: "tests/test.sh",
  solution: "solution/solve.sh",
  env: {},
  verifierEnv: {},
  solutionEnv: {},
  healthcheck: null,
  user: null,
  substitutions: {},
  digest: DIGEST,
  warnings: [],
});

function environment(id: number, over: Partial<PlannedEnvironment> = {}): PlannedEnvironment {
  const name = over.name ?? `e${id}`;
  return {
    id,
    name,
    dataset: "",
    kind: "tiny",
    directory: null,
    digest: null,
    spec: spec(name, "Do it."),
    family: null,
    seed: null,
    ...over,
  };
}

const MODE: JudgedMode = {
  errorTypeId: 1,
  name: "Retries the same cause",
  definition: "Tries again what failed, with its cause unchanged.",
  excludes: [],
  examples: [],
  detectors: ["retry-same-cause"],
};

export const taskAt = (id: number, over: Partial<PlannedEnvironment> = {}): TrainStart => ({
  environment: environment(id, over),
  prefix: null,
  pivot: null,
});

/** A prefix after one step that failed; the misbehavior is to try it again. */
export function prefixAt(id: number): TrainStart {
  const seen = [system("s"), user("Do it."), recordedStep(FAILS, FAILURE, 2)];
  const replay = replayOf("misstep", seen, seen.length);
  return {
    environment: environment(id),
    prefix: { id, trajectoryId: id, index: seen.length, replay, seen, steps: 1, mode: MODE },
    pivot: null,
  };
}

export const pivotAt = (id: number, gold: string): TrainStart => ({
  environment: environment(id),
  prefix: null,
  pivot: { trajectoryId: id, index: 2, seen: [system("s"), user("Do it.")], gold },
});
