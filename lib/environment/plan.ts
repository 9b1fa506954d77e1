import "server-only";
import fs from "node:fs";
import path from "node:path";
import { type BuildPlan, DEFAULT_PATH, planDockerfile } from "./dockerfile";
import { readText } from "./files";
import { filesFolder } from "./home";
import { networkCommand } from "./network";
import type { EnvironmentSpec } from "./types";

/** The kept files of an environment are gone. */
export class FilesMissing extends Error {
  constructor(spec: EnvironmentSpec) {
    super(`the files of ${spec.name} are not in MISSTEP_HOME/environments; import its task directory again`);
    this.name = "FilesMissing";
  }
}

const plans = new Map<string, BuildPlan>();

/** What the environment's Dockerfile asks for; without one, the image it names and nothing else. Kept by digest. */
export function planOf(spec: EnvironmentSpec): BuildPlan {
  let plan = plans.get(spec.digest);
  if (plan) return plan;
  if (!fs.existsSync(filesFolder(spec.digest))) throw new FilesMissing(spec);
  if (spec.dockerfile === null)
    plan = {
      base: spec.dockerImage ?? "",
      steps: [],
      workdir: "/",
      env: {},
      user: null,
      entrypoint: null,
      notes: [],
      refusals: [],
    };
  else plan = planDockerfile(readText(path.join(filesFolder(spec.digest), spec.dockerfile)) ?? "");
  plans.set(spec.digest, plan);
  return plan;
}

/** The folder a Dockerfile copies from. */
export const contextOf = (spec: EnvironmentSpec): string =>
  path.join(filesFolder(spec.digest), path.dirname(spec.dockerfile ?? "."));

/** The first command of the tests' script that cannot work without a network; null when none is seen. */
export function testsNeedNetwork(spec: EnvironmentSpec): string | null {
  if (spec.tests === null) return null;
  return networkCommand(readText(path.join(filesFolder(spec.digest), spec.tests)) ?? "");
}

/** Variables every command of the environment sees. */
export const variablesOf = (spec: EnvironmentSpec): Record<string, string> => ({ ...planOf(spec).env, ...spec.env });

/** Search path of the environment. */
export const pathOf = (spec: EnvironmentSpec): string => variablesOf(spec).PATH ?? DEFAULT_PATH;
