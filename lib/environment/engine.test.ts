import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openMemoryDb } from "@/db/client";
import { type DriverStatus, SandboxFailure, type SandboxHost } from "@/lib/sandbox/types";
import { put, scratch } from "@/lib/trajectory/testing";
import { buildEngineImage, engineDockerfile, engineRecord } from "./engine";
import { prepareImage } from "./prepare";
import { readEnvironment } from "./read";
import { runnableBy } from "./runnable";
import { storeEnvironment } from "./store";
import type { EnvironmentSpec } from "./types";

beforeEach(() => vi.stubEnv("MISSTEP_HOME", scratch()));
afterEach(() => vi.unstubAllEnvs());

const PODMAN: DriverStatus = { driver: "podman", usable: true, version: "4", reason: null, install: null, notes: [] };

function task(dockerfile: string, toml = ""): EnvironmentSpec {
  const root = scratch();
  put(root, "t/task.toml", `version = "1.0"\n${toml}`);
  put(root, "t/instruction.md", "x");
  put(root, "t/tests/test.sh", "true");
  put(root, "t/environment/Dockerfile", dockerfile);
  const directory = path.join(root, "t");
  const spec = readEnvironment(directory);
  storeEnvironment(openMemoryDb(), { directory, spec });
  return spec;
}

function host(build: SandboxHost["buildImage"]): SandboxHost {
  return { buildImage: build } as SandboxHost;
}

test("the base of the Dockerfile is replaced as asked, and nothing else of it", () => {
  const spec = task("# FROM nothing\nFROM --platform=linux/amd64 ubuntu:24.04 AS base\nRUN echo FROM ubuntu:24.04\n");
  expect(engineDockerfile(spec)).toMatch(/^# FROM nothing\nFROM --platform=linux\/amd64 ubuntu:24\.04 AS base\n/);
  const replaced = engineDockerfile({ ...spec, substitutions: { "ubuntu:24.04": "base" } });
  expect(replaced).toMatch(/\nFROM --platform=linux\/amd64 misstep\/base AS base\nRUN echo FROM ubuntu:24\.04\n/);
  expect(replaced).toMatch(/USER root\nRUN mkdir -p \/app \/logs\/verifier \/tests\n$/);
});

test("a stated user is the image's user and may write where tests and solution are put", () => {
  const text = engineDockerfile(task("FROM debian:12\nRUN useradd agent\n", '[agent]\nuser = "agent"\n'));
  expect(text).toMatch(/^FROM misstep\/base\n/);
  expect(text).toMatch(/chmod 1777 \/logs \/logs\/verifier \/tests \/solution \/oracle\nUSER agent\n$/);
});

test("an image is built only when a person asks; what came of it is known afterwards, with the reason", async () => {
  const spec = task("FROM ubuntu:24.04\n");
  expect(runnableBy(spec, [PODMAN])[0]).toMatchObject({
    ok: false,
    reasons: [expect.stringMatching(/not built yet: .*--driver podman/)],
  });
  const failing = host(async () => {
    throw new SandboxFailure("unsupported", "no such registry");
  });
  await expect(buildEngineImage(failing, spec, "podman")).rejects.toThrow("no such registry");
  expect(runnableBy(spec, [PODMAN])[0]?.reasons.join()).toMatch(/could not be built: no such registry/);
  const built = await buildEngineImage(
    host(async () => ({ digest: "sha256:1", log: "done" })),
    spec,
    "podman",
  );
  expect(engineRecord(spec, "podman")).toEqual({ image: built, reason: null, log: "done" });
  expect(runnableBy(spec, [PODMAN])[0]).toMatchObject({ ok: true });
  expect(prepareImage(spec, "podman").sandbox).toMatchObject({
    driver: "podman",
    image: { kind: "reference", name: built },
    network: false,
  });
  const other = { ...spec, substitutions: { "ubuntu:24.04": "base" } };
  expect(engineRecord(other, "podman")).toBeNull();
});

test("a failure of the host itself says nothing about the image and is not kept", async () => {
  const spec = task("FROM debian:12\n");
  const gone = host(async () => {
    throw new SandboxFailure("host-gone", "gone");
  });
  await expect(buildEngineImage(gone, spec, "podman")).rejects.toThrow("gone");
  expect(engineRecord(spec, "podman")).toBeNull();
});
