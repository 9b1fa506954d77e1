import { apptainer } from "./drivers/apptainer";
import { bubblewrap } from "./drivers/bubblewrap";
import { docker, podman } from "./drivers/container";
import type { Driver } from "./drivers/driver";
import { type DriverName, SandboxFailure } from "./types";

/** In the order of preference. */
export const DRIVER_LIST: Driver[] = [bubblewrap, podman, docker, apptainer];

export function driver(name: DriverName): Driver {
  const found = DRIVER_LIST.find((d) => d.name === name);
  if (!found) throw new SandboxFailure("unsupported", `there is no driver ${name}`);
  return found;
}
