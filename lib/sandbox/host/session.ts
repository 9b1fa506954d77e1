import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { Capture, keptText } from "@/lib/sandbox/capture";
import type { Launched } from "@/lib/sandbox/drivers/driver";
import { isSubmission, observation } from "@/lib/sandbox/observation";
import { quote } from "@/lib/sandbox/quote";
import {
  type ExecResult,
  SandboxFailure,
  SandboxFileError,
  type SandboxSpec,
  type TerminalSize,
} from "@/lib/sandbox/types";
import { writeEnvironment } from "./environment";
import { writing } from "./files";
import { FifoReader, type IoDir, writeAll } from "./io";
import { OutputPairs } from "./pairs";
import { type Answer, LoopReplies } from "./replies";
import { type LiveTerminal, SandboxTerminal } from "./terminal";

/** From TERM to KILL of a command that ran too long (recipe 2). */
const KILL_AFTER_MS = 10_000;
/** From KILL until the sandbox counts as hung and is killed whole. */
const HUNG_AFTER_MS = 10_000;
const START_MS = 30_000;
/** Characters of a command beyond which it goes through a file. */
const LONG_COMMAND = 1000;

interface RunOptions {
  keepState: boolean;
  timeoutMs: number;
  stdin?: Buffer;
  onOut: (chunk: Buffer) => void;
  onErr: (chunk: Buffer) => void;
}

/** The host's side of a loop: one command at a time, in order. Driver-independent. */
export class Session {
  private readonly token = randomBytes(16).toString("hex");
  private readonly control: number;
  private readonly replies: FifoReader;
  private readonly loop = new LoopReplies(this.token);
  private waiting: { resolve: (a: Answer) => void; reject: (e: Error) => void } | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  private readers = new Set<FifoReader>();
  private readonly terminals: SandboxTerminal;
  private readonly pairs: OutputPairs;
  /** Why nothing more can be run, or null while it lives. */
  failure: SandboxFailure | null = null;
  private launched: Launched | null = null;
  private readyResolve: () => void = () => undefined;
  private readonly ready: Promise<void>;

  constructor(
    private readonly io: IoDir,
    spec: SandboxSpec,
  ) {
    writeEnvironment(io, spec);
    this.pairs = new OutputPairs(io, this.readers);
    this.terminals = new SandboxTerminal({
      io,
      readers: this.readers,
      failure: () => this.failure,
      send: (text) => this.send(text),
      internal: (command) => this.internal(command, { onOut: () => undefined }),
      inOrder: (work) => this.inOrder(work),
    });
    this.control = io.openWrite("ctl");
    this.replies = new FifoReader(
      io.openRead("rpl"),
      (chunk) => this.onReply(chunk.toString("latin1")),
      () => undefined,
    );
    this.ready = new Promise((resolve) => {
      this.readyResolve = resolve;
    });
    fs.writeSync(this.control, `${this.token}\n`);
  }

  /** Waits for the loop of a launched sandbox. Rejects with SandboxFailure("cannot-start"). */
  async attach(launched: Launched): Promise<void> {
    this.launched = launched;
    let timer: NodeJS.Timeout | undefined;
    const why = await Promise.race([
      this.ready.then(() => null),
      launched.ended,
      new Promise<string>((resolve) => {
        timer = setTimeout(() => resolve(`nothing was heard from it for ${START_MS / 1000} s`), START_MS);
      }),
    ]);
    clearTimeout(timer);
    if (why !== null) throw new SandboxFailure("cannot-start", `the sandbox did not start: ${why}`);
    // Only the loop holds these now: a command cannot open them.
    for (const name of ["ctl", "rpl", "hand", "taken"]) this.io.unlink(name);
    void launched.ended.then((reason) => this.fail(new SandboxFailure("died", `the sandbox died: ${reason}`)));
  }

  private fail(error: SandboxFailure): void {
    this.failure ??= error;
    this.waiting?.reject(this.failure);
    this.waiting = null;
  }

  private onReply(text: string): void {
    for (const reply of this.loop.read(text)) {
      if (reply === "ready") this.readyResolve();
      else {
        this.waiting?.resolve(reply);
        this.waiting = null;
      }
    }
  }

  /** Runs `work` after everything asked before. */
  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => undefined);
    return result;
  }

  private async run(command: string, options: RunOptions): Promise<Answer & { timedOut: boolean; tookMs: number }> {
    if (this.failure) throw this.failure;
    const { pair, out, err } = await this.pairs.next();
    out.to(options.onOut);
    err.to(options.onErr);
    const input = options.stdin === undefined ? null : this.io.openWrite(`${pair}.i`);
    const answered = new Promise<Answer>((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
    answered.catch(() => undefined);
    const began = performance.now();
    let timedOut = false;
    let timer: NodeJS.Timeout | undefined;
    try {
      const long = command.length > LONG_COMMAND;
      if (long) fs.writeFileSync(path.join(this.io.dir, "command"), command, { mode: 0o644 });
      await this.send(
        [
          "run",
          String(pair),
          input === null ? "null" : "fifo",
          options.keepState ? "keep" : "drop",
          long ? "@" : `=${command}`,
          "",
        ].join("\0"),
      );
      if (input !== null && options.stdin) await this.feed(input, options.stdin, answered);
      timer = setTimeout(() => {
        timedOut = true;
        void this.stop(answered);
      }, options.timeoutMs);
      const answer = await answered;
      return { ...answer, timedOut, tookMs: performance.now() - began };
    } finally {
      clearTimeout(timer);
      if (input !== null) fs.closeSync(input);
      out.finish();
      err.finish();
      if (!this.failure) this.pairs.prepare();
    }
  }

  /** TERM, then KILL to the process group of the command, then death to the sandbox that does not answer. */
  private async stop(answered: Promise<unknown>): Promise<void> {
    let done = false;
    answered.then(
      () => {
        done = true;
      },
      () => {
        done = true;
      },
    );
    const pause = (ms: number) => Promise.race([answered.catch(() => undefined), sleep(ms)]);
    for (const [signal, ms] of [
      ["SIGUSR1", KILL_AFTER_MS],
      ["SIGUSR2", HUNG_AFTER_MS],
    ] as const) {
      await this.launched?.signal(signal).catch(() => undefined);
      await pause(ms);
      if (done) return;
    }
    this.fail(new SandboxFailure("died", "the sandbox did not answer any more and was ended"));
    await this.launched?.kill();
  }

  private async send(text: string): Promise<void> {
    await writeAll(this.control, Buffer.from(text, "utf8"), () => this.failure);
  }

  private async feed(fd: number, data: Buffer, answered: Promise<unknown>): Promise<void> {
    let over: Error | null = null;
    const stop = () => {
      over = new Error("the reader is gone");
    };
    answered.then(stop, stop);
    await writeAll(fd, data, () => over).catch(() => undefined);
  }

  exec(command: string, timeoutMs: number): Promise<ExecResult> {
    return this.inOrder(async () => {
      if (command.includes("\0")) throw new SandboxFailure("unsupported", "a command cannot contain a NUL character");
      const out = new Capture();
      const err = new Capture();
      const { exitCode, startMs, endMs, timedOut, tookMs } = await this.run(command, {
        keepState: true,
        timeoutMs,
        onOut: (c) => out.push(c),
        onErr: (c) => err.push(c),
      });
      const code = timedOut ? (exitCode === 137 ? 137 : 124) : exitCode;
      const stdout = out.text();
      const stderr = err.text();
      return {
        observation: observation(stdout, stderr, code),
        stdout: keptText(stdout),
        stderr: keptText(stderr),
        stdoutBytes: out.bytes,
        stderrBytes: err.bytes,
        exitCode: code,
        timedOut,
        durationMs: startMs !== null && endMs !== null ? endMs - startMs : tookMs,
        submitted: isSubmission(stdout, stderr),
      };
    });
  }

  readFile(file: string): Promise<Buffer> {
    return this.inOrder(async () => {
      const chunks: Buffer[] = [];
      const problem = await this.internal(`cat -- ${quote(file)}`, { onOut: (c) => chunks.push(c) });
      if (problem !== null) throw new SandboxFileError(file, problem);
      return Buffer.concat(chunks);
    });
  }

  writeFile(file: string, data: Buffer, mode: number | null): Promise<void> {
    return this.inOrder(async () => {
      const problem = await this.internal(writing(file, data.length, mode), { stdin: data, onOut: () => undefined });
      if (problem !== null) throw new SandboxFileError(file, problem);
    });
  }

  /** A command of the host's own: leaves cwd and variables as they are. What went wrong, or null. */
  private async internal(
    command: string,
    options: { stdin?: Buffer; onOut: (c: Buffer) => void },
  ): Promise<string | null> {
    let errors = "";
    const { exitCode, timedOut } = await this.run(`PATH=/usr/bin:/bin; ${command}`, {
      ...options,
      keepState: false,
      timeoutMs: 60_000,
      onErr: (c) => {
        if (errors.length < 2000) errors += c.toString();
      },
    });
    if (timedOut) return "it took longer than a minute";
    return exitCode === 0 ? null : errors.trim() || `exit code ${exitCode}`;
  }

  /**
   * Opens a terminal. `onData` gets what it prints and may return a promise until which nothing more is read; `onExit`
   * comes once, with null when its bash ended by itself.
   */
  terminal(
    size: TerminalSize,
    onData: (chunk: Buffer) => Promise<void> | null,
    onExit: (reason: string | null) => void,
  ): Promise<LiveTerminal> {
    return this.inOrder(() => this.terminals.open(size, onData, onExit));
  }

  /** Ends the sandbox and lets go of everything. */
  async close(): Promise<void> {
    this.fail(new SandboxFailure("died", "the sandbox was disposed"));
    await this.launched?.kill();
    this.terminals.close();
    for (const reader of this.readers) reader.close();
    this.readers.clear();
    this.replies.close();
    fs.closeSync(this.control);
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
