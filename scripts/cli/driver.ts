import { connectSandboxHost } from "@/lib/sandbox/client";
import { UsageError } from "./output";

/**
 * Throws UsageError where a driver that the caller named does not work here. Without asking, every rerun would be void, and
 * a prefix that is kept would be void from then on.
 */
export async function checkDriver(name: string): Promise<void> {
  const host = await connectSandboxHost();
  try {
    const driver = (await host.drivers()).find((one) => one.driver === name);
    if (driver?.usable) return;
    const why = driver?.reason ?? "it does not work here";
    throw new UsageError(
      `the sandbox driver ${name} cannot be used: ${why}.${driver?.install ? ` To change that: ${driver.install}.` : ""} misstep sandbox drivers lists which work`,
    );
  } finally {
    await host.close();
  }
}
