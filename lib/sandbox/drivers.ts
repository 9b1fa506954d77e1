import { bubblewrap } from "./drivers/bubblewrap";
import type { Driver } from "./drivers/driver";
import { type DriverName, SandboxFailure } from "./types";

export const DRIVER_LIST: Driver[] = [bubblewrap];

export function driver(name: DriverName): Driver {
  const found = DRIVER_LIST.find((d) => d.name === name);
  if (!found) throw new SandboxFailure("unsupported", `there is no driver ${name}`);
  return found;
}
