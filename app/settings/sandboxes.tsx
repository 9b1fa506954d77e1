import { Check, CircleMinus } from "lucide-react";
import { Suspense } from "react";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { driverStatuses } from "@/lib/jobs/doctorSandbox";
import type { DriverStatus } from "@/lib/sandbox/types";

/** What commands can run in on this machine, driver by driver. Asked of the sandbox host while the page is there already. */
export function Sandboxes() {
  return (
    <section className="flex flex-col gap-2">
      <h2 className="font-medium">Sandboxes</h2>
      <Suspense fallback={<p className="text-sm text-muted">Asking the sandbox host which drivers work…</p>}>
        <Drivers />
      </Suspense>
    </section>
  );
}

async function Drivers() {
  let drivers: DriverStatus[];
  try {
    drivers = await driverStatuses();
  } catch (error) {
    return (
      <p role="alert" className="text-sm text-bad">
        The sandbox host cannot be asked: {error instanceof Error ? error.message : String(error)}. Start Misstep again.
      </p>
    );
  }
  return (
    <TableFrame label="Sandboxes">
      <thead>
        <tr>
          <Th>Driver</Th>
          <Th>State</Th>
          <Th>Detail</Th>
        </tr>
      </thead>
      <tbody>
        {drivers.map((driver) => (
          <tr key={driver.driver}>
            <Td className="whitespace-nowrap">
              {driver.driver} <span className="text-muted">{driver.version}</span>
            </Td>
            <Td className={driver.usable ? "text-good" : "text-muted"}>
              <span className="flex items-center gap-1.5 whitespace-nowrap">
                {driver.usable ? (
                  <Check aria-hidden className="size-4" />
                ) : (
                  <CircleMinus aria-hidden className="size-4" />
                )}
                {driver.usable ? "usable" : "not usable"}
              </span>
            </Td>
            <Td className="foreign">
              {driver.reason}
              {driver.notes.map((note) => (
                <span key={note} className="block">
                  {note}
                </span>
              ))}
              {driver.install ? (
                <span className="block text-muted">
                  Install: <code className="font-mono text-xs">{driver.install}</code>
                </span>
              ) : null}
            </Td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
