import "server-only";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { type DriverName, SandboxFailure, type SandboxHost } from "@/lib/sandbox/types";
import { isBaseImage } from "./dockerfile";
import { readText } from "./files";
import { filesFolder, layersFolder } from "./home";
import { contextOf, planOf } from "./plan";
import type { EnvironmentSpec } from "./types";

/** Drivers that run images. */
export type Engine = Extract<DriverName, "podman" | "docker">;
export const isEngine = (driver: DriverName): driver is Engine => driver === "podman" || driver === "docker";

/** Version of how images are made from Dockerfiles. */
const VERSION = 1;
const BUILD_SECONDS = 600;

/** What the last build of an image came to. `image` null: it failed, for the reason. */
const record = z.object({ image: z.string().nullable(), reason: z.string().nullable(), log: z.string() });
export type EngineRecord = z.infer<typeof record>;

function keyOf(spec: EnvironmentSpec): string {
  const parts = [VERSION, spec.digest, spec.substitutions, spec.user, spec.allowInternet];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

const recordFile = (spec: EnvironmentSpec, engine: Engine): string =>
  path.join(layersFolder(spec.digest), `${engine}-${keyOf(spec)}.json`);

/** What is known about the image of an environment; null: nobody asked for it yet. */
export function engineRecord(spec: EnvironmentSpec, engine: Engine): EngineRecord | null {
  const text = readText(recordFile(spec, engine));
  return text === null ? null : record.parse(JSON.parse(text));
}

/** The image in FROM, with what a person replaced it by; the base as `misstep/base`. */
function from(spec: EnvironmentSpec): string {
  const { base } = planOf(spec);
  const by = spec.substitutions[base] ?? base;
  return by === "base" || isBaseImage(by) ? "misstep/base" : by;
}

/**
 * The Dockerfile as it is built: its base replaced, folders of the tests made, and the stated user set. A user who is not
 * root gets the folders in which solution and tests are put.
 */
export function engineDockerfile(spec: EnvironmentSpec): string {
  const file = spec.dockerfile === null ? null : readText(path.join(filesFolder(spec.digest), spec.dockerfile));
  const text = file ?? `FROM ${spec.dockerImage ?? ""}`;
  const replaced = text.replace(/^(\s*FROM\s+(?:--\S+\s+)*)(\S+)/im, (_, head: string) => `${head}${from(spec)}`);
  const user = spec.user ?? planOf(spec).user;
  const own = user !== null && user !== "root" && user !== "0";
  const folders = `/app /logs/verifier /tests${own ? " /solution /oracle" : ""}`;
  return [
    replaced,
    "USER root",
    `RUN mkdir -p ${folders}${own ? " && chmod 1777 /logs /logs/verifier /tests /solution /oracle" : ""}`,
    ...(own ? [`USER ${user}`] : []),
    "",
  ].join("\n");
}

/** Builds the image of an environment, or takes the one that is there, and keeps what came of it. Throws SandboxFailure. */
export async function buildEngineImage(host: SandboxHost, spec: EnvironmentSpec, engine: Engine): Promise<string> {
  const image = `localhost/misstep-env:${keyOf(spec)}`;
  const keep = (kept: EngineRecord) => {
    fs.mkdirSync(layersFolder(spec.digest), { recursive: true });
    fs.writeFileSync(recordFile(spec, engine), JSON.stringify(kept));
  };
  try {
    const { log } = await host.buildImage({
      driver: engine,
      context: contextOf(spec),
      dockerfile: engineDockerfile(spec),
      name: image,
      // As with every container build: whether the task allows internet is about its commands.
      network: true,
      timeoutMs: (spec.buildTimeoutSec ?? BUILD_SECONDS) * 1000,
    });
    keep({ image, reason: null, log });
    return image;
  } catch (error) {
    if (error instanceof SandboxFailure && error.kind === "unsupported")
      keep({ image: null, reason: error.message, log: "" });
    throw error;
  }
}
