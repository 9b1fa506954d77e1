import fs from "node:fs";
import { quote } from "@/lib/sandbox/quote";
import { SandboxFailure, type TerminalSize } from "@/lib/sandbox/types";
import { FifoReader, type IoDir, writeAll } from "./io";
import { IO_DIR, STATE_DIR } from "./loop";

export interface LiveTerminal {
  write(data: Buffer): void;
  resize(size: TerminalSize): void;
  hangUp(): Promise<void>;
}

/** What a terminal needs of the session it is in. */
interface Host {
  io: IoDir;
  /** Everything that is read now; what is in it is closed with the session. */
  readers: Set<FifoReader>;
  failure: () => SandboxFailure | null;
  send: (text: string) => Promise<void>;
  /** Runs a command of the host's own. What went wrong, or null. */
  internal: (command: string) => Promise<string | null>;
  inOrder: <T>(work: () => Promise<T>) => Promise<T>;
}

const sizeWords = ({ cols, rows }: TerminalSize) => {
  const number = (n: number) => Math.min(1000, Math.max(1, Math.trunc(Number(n)) || 80));
  return `rows ${number(rows)} cols ${number(cols)}`;
};

/** The terminal of a sandbox: one at a time. */
export class SandboxTerminal {
  private isOpen = false;
  private end: (() => void) | null = null;

  constructor(private readonly host: Host) {}

  /** Called in order with the session's commands; what `onData` and `onExit` are told, see Session.terminal. */
  async open(
    size: TerminalSize,
    onData: (chunk: Buffer) => Promise<void> | null,
    onExit: (reason: string | null) => void,
  ): Promise<LiveTerminal> {
    const { io, readers, send, internal, inOrder } = this.host;
    const failed = this.host.failure();
    if (failed) throw failed;
    if (this.isOpen) throw new SandboxFailure("unsupported", "the sandbox has a terminal already");
    const missing = await internal("command -v script");
    if (missing !== null)
      throw new SandboxFailure("unsupported", "the root file system has no script(1) to make a terminal");
    const pair = await io.take();
    const input = io.openWrite(`${pair}.i`);
    this.isOpen = true;
    let held = 2;
    const free = () => {
      if (--held > 0) return;
      this.end = null;
      this.isOpen = false;
      fs.closeSync(input);
      io.release(pair);
      onExit(this.host.failure()?.message ?? null);
    };
    const read = (suffix: string) => {
      const reader: FifoReader = new FifoReader(
        io.openRead(`${pair}.${suffix}`),
        (chunk) => {
          const wait = onData(chunk);
          if (wait) reader.holdUntil(wait);
        },
        () => {
          readers.delete(reader);
          free();
        },
      );
      readers.add(reader);
    };
    read("o");
    read("e");
    this.end = () => {
      held = 1;
      free();
    };
    const inner = `stty sane ${sizeWords(size)}; exec bash --rcfile ${IO_DIR}/rc -i`;
    const command = `export TERM=xterm-256color SHELL=/bin/bash; exec script -qfc ${quote(inner)} /dev/null`;
    await send(["terminal", String(pair), "fifo", "terminal", `=${command}`, ""].join("\0"));
    let writing: Promise<unknown> = Promise.resolve();
    return {
      write: (data) => {
        writing = writing
          .then(() => writeAll(input, data, () => (held > 0 ? this.host.failure() : new Error("closed"))))
          .catch(() => undefined);
      },
      resize: (to) => {
        void inOrder(() => internal(`stty -F "$(<${STATE_DIR}/tty)" ${sizeWords(to)}`)).catch(() => undefined);
      },
      hangUp: () => inOrder(() => send(["hangup", "", "", "", "", ""].join("\0"))),
    };
  }

  /** Lets go of it when the session ends. */
  close(): void {
    this.end?.();
  }
}
