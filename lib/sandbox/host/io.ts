import { execFile } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { BEGIN, LOOP, TERMINAL_RC } from "./loop";

const run = promisify(execFile);
/** Pairs of FIFOs a folder starts with; more are made while background processes hold them. */
const FIRST_PAIRS = 3;
/** FIFOs made at once: enough for about ten sandboxes. */
const STOCK = 128;

/** FIFOs made in advance, many by one process: each is used once, by moving it to where it is needed. */
export class FifoStock {
  private ready: string[] = [];
  private making: Promise<void> | null = null;
  private made = 0;

  /** `dir` is on the file system of the sandboxes' folders. */
  constructor(private readonly dir: string) {}

  /** Path of a FIFO that everyone may read and write. */
  async take(): Promise<string> {
    while (this.ready.length === 0) await this.make();
    return this.ready.pop() as string;
  }

  private make(): Promise<void> {
    this.making ??= (async () => {
      fs.mkdirSync(this.dir, { recursive: true, mode: 0o700 });
      const paths = Array.from({ length: STOCK }, () => path.join(this.dir, String(++this.made)));
      await run("mkfifo", ["-m", "0666", ...paths]);
      // The mode option is subject to no umask with coreutils, but other mkfifo's are.
      for (const p of paths) fs.chmodSync(p, 0o666);
      this.ready.push(...paths);
    })().finally(() => {
      this.making = null;
    });
    return this.making;
  }
}

/** A folder of FIFOs through which the host talks to one sandbox (see loop.ts). */
export class IoDir {
  private free: number[] = [];
  private pairs = 0;

  private constructor(
    readonly dir: string,
    private readonly stock: FifoStock,
  ) {}

  /** Makes the folder (which must not exist) with the loop's files and its first FIFOs. */
  static async make(dir: string, stock: FifoStock): Promise<IoDir> {
    fs.mkdirSync(dir, { mode: 0o711 });
    const io = new IoDir(dir, stock);
    for (const [name, text] of [
      ["loop", LOOP],
      ["begin", BEGIN],
      ["rc", TERMINAL_RC],
    ] as const) {
      fs.writeFileSync(path.join(dir, name), text, { mode: 0o644 });
    }
    const names = ["ctl", "rpl", "hand", "taken"];
    for (let i = 0; i < FIRST_PAIRS; i++) names.push(...io.newPair());
    await io.fifos(names);
    return io;
  }

  private newPair(): string[] {
    const n = this.pairs++;
    this.free.push(n);
    return [`${n}.o`, `${n}.e`, `${n}.i`];
  }

  private async fifos(names: string[]): Promise<void> {
    for (const name of names) fs.renameSync(await this.stock.take(), path.join(this.dir, name));
  }

  /** A pair nobody holds. Give it back with `release` once its output has ended. */
  async take(): Promise<number> {
    if (this.free.length === 0) await this.fifos(this.newPair());
    return this.free.shift() as number;
  }

  release(pair: number): void {
    this.free.unshift(pair);
  }

  openRead(name: string): number {
    return fs.openSync(path.join(this.dir, name), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  }

  /** Opened for both, so that it neither waits for a reader nor fails without one. */
  openWrite(name: string): number {
    return fs.openSync(path.join(this.dir, name), fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  }

  unlink(name: string): void {
    fs.rmSync(path.join(this.dir, name), { force: true });
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Every reader reads into it and copies at once what came. */
const BUFFER = Buffer.allocUnsafe(64 * 1024);

/** Reads a FIFO until its last writer is gone, or as far as `drain` finds something. */
export class FifoReader {
  private socket: net.Socket;
  private closed = false;
  private seen = 0;
  private resuming: NodeJS.Timeout | null = null;
  ended = false;

  constructor(
    private readonly fd: number,
    public sink: ((chunk: Buffer) => void) | null,
    public onEnd: () => void,
  ) {
    this.socket = new net.Socket({
      fd,
      readable: true,
      writable: false,
      onread: {
        buffer: BUFFER,
        callback: (n: number, buffer: Uint8Array) => {
          // A copy: the same memory takes the next read.
          this.take(Buffer.from(buffer.subarray(0, n)));
          return this.pace(n);
        },
      },
    } as net.SocketConstructorOpts);
    this.socket.on("error", () => this.end());
    this.socket.on("end", () => this.end());
    this.socket.on("close", () => this.end());
    this.socket.resume();
  }

  /** Output without end must not keep the host from serving others: after 16 MB, 64 kB a millisecond. */
  private pace(n: number): boolean {
    this.seen += n;
    if (this.seen < 16 * 1024 ** 2) return true;
    this.resuming = setTimeout(() => this.socket.resume(), 1);
    return false;
  }

  /** Reads nothing more until `ready`. */
  holdUntil(ready: Promise<void>): void {
    this.socket.pause();
    void ready.then(() => this.socket.resume());
  }

  private take(chunk: Buffer): void {
    this.sink?.(chunk);
  }

  private end(): void {
    if (this.ended) return;
    this.close();
    this.onEnd();
  }

  /** Takes what was written before now and gives everything later away. */
  drain(): void {
    while (!this.ended) {
      let n: number;
      try {
        n = fs.readSync(this.fd, BUFFER, 0, BUFFER.length, null);
      } catch {
        break; // EAGAIN: a background process still holds it, and nothing more is there.
      }
      if (n === 0) {
        this.end();
        break;
      }
      this.take(Buffer.from(BUFFER.subarray(0, n)));
    }
    this.sink = null;
  }

  /** Lets go of it, without a call of `onEnd`. */
  close(): void {
    this.ended = true;
    if (this.closed) return;
    this.closed = true;
    if (this.resuming) clearTimeout(this.resuming);
    this.socket.destroy();
  }
}

/** Writes all of it to a FIFO that may be full for a while. Rejects when `over` gives an error. */
export async function writeAll(fd: number, data: Buffer, over: () => Error | null): Promise<void> {
  for (let at = 0, pause = 0; at < data.length; ) {
    const error = over();
    if (error) throw error;
    try {
      at += fs.writeSync(fd, data, at, Math.min(data.length - at, 65_536));
      pause = 0;
    } catch (e) {
      if ((e as NodeJS.ErrnoException).code !== "EAGAIN") throw e;
      await (pause === 0 ? new Promise((resolve) => setImmediate(resolve)) : sleep(pause));
      pause = Math.min(pause + 1, 10);
    }
  }
}
