import "server-only";
import { connectSandboxHost } from "@/lib/sandbox/client";
import type { DriverStatus } from "@/lib/sandbox/types";
import type { Check } from "./doctor";

/** Every sandbox driver, as the sandbox host sees it. Rejects with SandboxFailure when there is no host. */
export async function driverStatuses(): Promise<DriverStatus[]> {
  const host = await connectSandboxHost();
  try {
    return await host.drivers();
  } finally {
    await host.close();
  }
}

/** One line a driver. Without any, nothing can be rerun: that is worth a warning; a missing one beside others is not. */
export function driverChecks(drivers: DriverStatus[]): Check[] {
  const any = drivers.some((d) => d.usable);
  return drivers.map((d) => ({
    name: `Sandboxes: ${d.driver}`,
    level: d.usable ? "ok" : any || d.driver !== "bubblewrap" ? "off" : "warn",
    detail: d.usable
      ? `${d.version ?? "works"}; ${d.notes.join("; ")}`
      : `${d.reason}${any || d.driver !== "bubblewrap" ? "" : "; no driver works, so nothing can be rerun"}`,
    fix: d.install,
  }));
}

/** The same as checks of the doctor; a host that cannot be reached is one of them. */
export async function sandboxChecks(): Promise<Check[]> {
  try {
    return driverChecks(await driverStatuses());
  } catch (error) {
    const detail = `the sandbox host cannot be asked: ${error instanceof Error ? error.message : String(error)}`;
    return [{ name: "Sandboxes", level: "fail", detail, fix: "start Misstep again (npm start)" }];
  }
}
