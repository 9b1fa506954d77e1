import "server-only";
import os from "node:os";
import { Worker } from "node:worker_threads";
import type { ImportUnit } from "@/lib/trajectory/unit";
import { decodePart, type Part } from "./importPart";
import type { Read } from "./importRead";
import type { FromThread, ToThread } from "./importThread";

/** Threads that read for the imports of this process: one core is left to the writer, and more than two would wait for it. */
const THREADS = Math.min(2, os.availableParallelism() - 1);
/** Idle threads are ended after this long, with the memory they hold. Milliseconds. */
const IDLE_MS = 3000;
/** An abandoned task may take this long to end. Milliseconds. */
const STUCK_MS = 2000;

interface Task {
  id: number;
  units: ImportUnit[];
  root: string;
  thread: Worker | null;
  parts: Part[];
  /** null while it runs; "" when all came; else why it ended early. */
  ended: string | null;
  wake: () => void;
}

let entry: URL | null = null;
let tasks: Task[] = [];
let nextId = 1;
let idle: NodeJS.Timeout | undefined;
/** Every live thread and the task it reads. */
const threads = new Map<Worker, Task | null>();

/** Tells where the bundled entry of the threads is. Without it (null, the default) and on a machine with one core imports read in the process itself. */
export function setImportThreads(file: URL | null): void {
  entry = os.availableParallelism() > 1 ? file : null;
}

/** Whether imports can be read in threads. */
export const hasImportThreads = (): boolean => entry !== null;

const send = (thread: Worker, message: ToThread) => thread.postMessage(message);

function end(task: Task, why: string): void {
  task.ended ??= why;
  task.thread = null;
  tasks = tasks.filter((t) => t !== task);
  task.wake();
}

/** A thread that died ends its task as failed; the next task gets a new thread. */
function lost(thread: Worker, why: string): void {
  const task = threads.get(thread);
  threads.delete(thread);
  if (task) end(task, `the thread that read it died: ${why}`);
  assign();
}

function start(file: URL): Worker {
  const thread = new Worker(file);
  threads.set(thread, null);
  thread.on("message", (message: FromThread) => {
    const task = threads.get(thread);
    if (!task || task.id !== message.task) return;
    if (message.kind === "part") {
      task.parts.push(message.part);
      task.wake();
      return;
    }
    threads.set(thread, null);
    end(task, message.kind === "done" ? "" : message.message);
    assign();
  });
  thread.on("messageerror", () => void thread.terminate());
  thread.on("error", (error) => lost(thread, error instanceof Error ? error.message : String(error)));
  thread.on("exit", (code) => lost(thread, `exit code ${code}`));
  return thread;
}

/** Gives waiting tasks, in order, to free threads. */
function assign(): void {
  clearTimeout(idle);
  for (const task of tasks) {
    if (task.thread) continue;
    const free = [...threads].find(([, busy]) => busy === null)?.[0];
    const thread = free ?? (entry && threads.size < THREADS ? start(entry) : undefined);
    if (!thread) break;
    threads.set(thread, task);
    task.thread = thread;
    send(thread, { kind: "read", task: task.id, units: task.units, root: task.root });
  }
  // A busy thread keeps the process alive, a free one does not.
  for (const [thread, task] of threads) task ? thread.ref() : thread.unref();
  if (tasks.length > 0) return;
  idle = setTimeout(() => {
    for (const [thread, task] of threads) if (!task) void thread.terminate();
  }, IDLE_MS);
  idle.unref();
}

/** Units being read by a thread. */
export interface Reading {
  /** The parts in order. A part counts as written when the next one is asked for. Throws when the thread failed. */
  parts(): AsyncGenerator<Read[]>;
  /** Ends it early; what was not taken is dropped. */
  abandon(): void;
}

/** Hands units to the threads. Tasks are begun in the order of these calls; their parts wait here until they are taken. */
export function readInThread(units: ImportUnit[], root: string): Reading {
  const task: Task = { id: nextId++, units, root, thread: null, parts: [], ended: null, wake: () => undefined };
  tasks.push(task);
  assign();
  return {
    async *parts() {
      for (;;) {
        const part = task.parts.shift();
        if (part) {
          yield decodePart(part);
          if (task.thread) send(task.thread, { kind: "taken", task: task.id });
        } else if (task.ended === "") return;
        else if (task.ended !== null) throw new Error(task.ended);
        else {
          await new Promise<void>((resolve) => {
            task.wake = resolve;
          });
        }
      }
    },
    abandon() {
      task.parts = [];
      const { thread } = task;
      if (!thread) {
        end(task, "abandoned");
        return;
      }
      send(thread, { kind: "abandon", task: task.id });
      task.ended ??= "abandoned";
      task.wake();
      // A thread that does not listen any more is stuck in one text.
      setTimeout(() => {
        if (threads.get(thread) === task) void thread.terminate();
      }, STUCK_MS).unref();
    },
  };
}
