import "server-only";
import fs from "node:fs";
import path from "node:path";
import { DEFAULT_LIMITS, type DriverName, type DriverStatus } from "@/lib/sandbox/types";
import { isBaseImage } from "./dockerfile";
import { engineRecord, isEngine } from "./engine";
import { contextOf, FilesMissing, planOf, testsNeedNetwork } from "./plan";
import { type EnvironmentSpec, environmentSpec, type Runnable } from "./types";

/** What stands for the environment's base image under bubblewrap; `ok` false: nothing does. */
export function baseOf(spec: EnvironmentSpec): { image: string; ok: boolean; note: string | null } {
  const image = planOf(spec).base;
  const by = spec.substitutions[image];
  if (by !== undefined)
    return {
      image,
      ok: by === "base" || isBaseImage(by),
      note: `${image} is replaced by ${by === "base" ? "the base (a small Debian 12)" : by}, as a person asked`,
    };
  return { image, ok: isBaseImage(image), note: null };
}

function underBubblewrap(spec: EnvironmentSpec): { refusals: string[]; notes: string[] } {
  const plan = planOf(spec);
  const refusals = [...plan.refusals];
  const notes = [...plan.notes];
  const base = baseOf(spec);
  if (base.note) notes.push(base.note);
  if (!base.ok)
    refusals.unshift(
      `its base image ${base.image || "(none)"} is not there: bubblewrap has Debian 12 only. To use that instead: misstep environment prepare ${spec.name} --base ${base.image}=base`,
    );
  if (spec.healthcheck !== null)
    refusals.push(
      `it has a health check (${spec.healthcheck}): it needs a service that its image starts, and Misstep starts none`,
    );
  if (spec.dockerImage !== null && spec.dockerfile !== null)
    notes.push(`its Dockerfile is used, not the image ${spec.dockerImage}`);
  if (fs.existsSync(path.join(contextOf(spec), ".dockerignore")))
    notes.push("its .dockerignore is not looked at: COPY of a folder copies all of it");
  const mb = DEFAULT_LIMITS.rootBytes / 1024 ** 2;
  if (spec.storageMb !== null && spec.storageMb > mb)
    notes.push(`it asks for ${spec.storageMb} MB of disk: what it writes may have ${mb} MB`);
  if (spec.allowInternet) notes.push("it allows internet: under bubblewrap there is none");
  return { refusals, notes };
}

function underEngine(spec: EnvironmentSpec, driver: DriverName): { refusals: string[]; notes: string[] } {
  const refusals: string[] = [];
  const notes: string[] = [];
  if (!isEngine(driver)) return { refusals: ["its image is not there as a .sif file, and Misstep makes none"], notes };
  if (spec.healthcheck !== null)
    refusals.push(
      `it has a health check (${spec.healthcheck}): it needs a service that its image starts, and Misstep starts none`,
    );
  const known = engineRecord(spec, driver);
  const how = `misstep environment prepare ${spec.name} --driver ${driver}`;
  if (known === null) refusals.push(`its image is not built yet: ${how}`);
  else if (known.image === null) refusals.push(`its image could not be built: ${known.reason}. Try again: ${how}`);
  const base = baseOf(spec);
  if (base.note) notes.push(base.note);
  else if (base.ok) notes.push(`${base.image} is the Debian root of this machine`);
  if (spec.dockerImage !== null && spec.dockerfile !== null)
    notes.push(`its Dockerfile is built, the image ${spec.dockerImage} is not used`);
  return { refusals, notes };
}

/**
 * Whether each driver can run an environment, known from its files alone: nothing is started. `reasons` of a driver that
 * can: what is replaced or left out; of one that cannot: why, everything that stands in the way.
 */
export function runnableBy(spec: EnvironmentSpec, statuses: readonly DriverStatus[]): Runnable[] {
  return statuses.map((status) => {
    const { driver } = status;
    const { refusals, notes } = driver === "bubblewrap" ? underBubblewrap(spec) : underEngine(spec, driver);
    if (!status.usable)
      refusals.unshift(
        [
          status.reason ?? `${driver} does not work on this machine`,
          status.install ? `To change that: ${status.install}` : "",
        ]
          .filter((part) => part !== "")
          .join(". "),
      );
    const needs = testsNeedNetwork(spec);
    if (needs !== null && !(isEngine(driver) && spec.allowInternet))
      notes.push(`its tests use a network (${needs}): unless they pass without, they are void, never 0`);
    return { driver, ok: refusals.length === 0, reasons: refusals.length > 0 ? refusals : notes };
  });
}

/** The same for a stored row (`spec` as JSON). null: it has no files. Files that are gone are the one reason of every driver. */
export function runnableRow(digest: string | null, spec: string, statuses: readonly DriverStatus[]): Runnable[] | null {
  if (digest === null) return null;
  try {
    return runnableBy(environmentSpec.parse(JSON.parse(spec)), statuses);
  } catch (error) {
    if (!(error instanceof FilesMissing)) throw error;
    return statuses.map(({ driver }) => ({ driver, ok: false, reasons: [error.message] }));
  }
}

/** Base images that a person replaced, from a stored row's `spec`: "ubuntu:24.04 → base"; null: none. */
export function replacedIn(spec: string): string | null {
  const parsed = environmentSpec.safeParse(JSON.parse(spec));
  const pairs = parsed.success ? Object.entries(parsed.data.substitutions) : [];
  return pairs.length > 0 ? pairs.map(([image, by]) => `${image} → ${by}`).join(", ") : null;
}
