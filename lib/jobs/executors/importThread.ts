import "server-only";
import { parentPort } from "node:worker_threads";
import type { ImportUnit } from "@/lib/trajectory/unit";
import { encodePart, type Part } from "./importPart";
import { readUnits } from "./importRead";

/** To a thread: read these units; a part was written; nobody waits for the task any more. */
export type ToThread =
  | { kind: "read"; task: number; units: ImportUnit[]; root: string }
  | { kind: "taken"; task: number }
  | { kind: "abandon"; task: number };

/** From a thread: a part, in order; the end of a task; the defect that ended it. */
export type FromThread =
  | { kind: "part"; task: number; part: Part }
  | { kind: "done"; task: number }
  | { kind: "failed"; task: number; message: string };

/** Parts of a task that may wait to be written: bounds the memory that a slow writer costs. */
const AHEAD = 2;

/** Serves the import as a thread: one task after the other, until it is ended from outside. */
export function serveImport(): void {
  const port = parentPort;
  if (!port) throw new Error("this file is the entry of a thread of the worker; it is not run by itself");
  const say = (message: FromThread, move: ArrayBuffer[] = []) => port.postMessage(message, move);
  const abandoned = new Set<number>();
  let waiting = 0;
  let wake: () => void = () => undefined;

  async function read(task: number, units: ImportUnit[], root: string): Promise<void> {
    waiting = 0;
    try {
      for await (const reads of readUnits(units, root)) {
        const part = encodePart(reads);
        say({ kind: "part", task, part }, part.buffers);
        waiting += 1;
        // Also lets messages in: an abandoned task ends here.
        await new Promise<void>((resolve) => setImmediate(resolve));
        while (waiting >= AHEAD && !abandoned.has(task)) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        if (abandoned.delete(task)) break;
      }
      say({ kind: "done", task });
    } catch (error) {
      say({ kind: "failed", task, message: error instanceof Error ? error.message : String(error) });
    }
  }

  let last: Promise<void> = Promise.resolve();
  port.on("message", (message: ToThread) => {
    if (message.kind === "read") last = last.then(() => read(message.task, message.units, message.root));
    else {
      if (message.kind === "taken") waiting -= 1;
      else abandoned.add(message.task);
      wake();
    }
  });
}
