/**
 * The sandbox host. Without arguments it listens for this MISSTEP_HOME until it is told to stop (start supervises it);
 * with --stdio it serves the one client at its standard input and ends with it.
 */
import { Duplex } from "node:stream";
import { serve } from "@/lib/sandbox/host/connection";
import { cleanLeftovers } from "@/lib/sandbox/host/leftovers";
import { listen } from "@/lib/sandbox/host/listen";
import { Sandboxes } from "@/lib/sandbox/host/sandboxes";

const sandboxes = new Sandboxes();
void cleanLeftovers().catch((error: unknown) => {
  process.stderr.write(`misstep: leftovers of an ended sandbox host could not be removed: ${String(error)}\n`);
});
let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await sandboxes.close();
  process.exit(0);
}
process.on("SIGTERM", () => void stop());
process.on("SIGINT", () => void stop());
process.on("disconnect", () => void stop());

if (process.argv.includes("--stdio")) {
  await serve(Duplex.from({ readable: process.stdin, writable: process.stdout }), sandboxes);
  await stop();
} else {
  await listen(sandboxes);
}
