import "server-only";
import { randomUUID } from "node:crypto";
import { MarkReader } from "@/lib/sandbox/marks";
import { type Sandbox, SandboxFailure, type Terminal, type TerminalSize } from "@/lib/sandbox/types";
import { CommandOutput, OutputTail } from "./output";
import type { ForkCommand, ForkState, ForkView } from "./types";

/** A terminal that nobody looks at, or into which nobody types, is closed after this long. */
export const LONELY_MS = 2 * 60_000;
export const IDLE_MS = 30 * 60_000;
/** What a person may send at once: a paste. */
export const INPUT_BYTES = 64 * 1024;

/** What a fork needs of the rest: how its state is reached, and where its commands go. */
export interface ForkPlan {
  prefixId: number;
  commands: number;
  /** Reruns the prefix and hands over the sandbox in that state, or says why it was not reached. */
  restore(onCommand: (done: number) => void, signal: AbortSignal): Promise<{ sandbox: Sandbox } | { reason: string }>;
  /** Stores all commands so far as one branch, anew after each; gives back its trajectory. */
  store(commands: ForkCommand[]): number;
  size: TerminalSize;
}

/** A live fork: a prefix's state in a sandbox of its own, with a terminal in it. */
export class Fork {
  readonly id = randomUUID();
  readonly output = new OutputTail();
  private state: ForkState = "restoring";
  private restored = 0;
  private reason: string | null = null;
  private unstored: string | null = null;
  private readonly ran: ForkCommand[] = [];
  private trajectoryId: number | null = null;
  private sandbox: Sandbox | null = null;
  private terminal: Terminal | null = null;
  private size: TerminalSize;
  private readonly stop = new AbortController();
  private readonly listeners = new Set<() => void>();
  private readonly marks = new MarkReader();
  private prompted = false;
  private waiting = "";
  private current: { command: string; output: CommandOutput; startedAt: number } | null = null;
  private lonely: NodeJS.Timeout | undefined;
  private idle: NodeJS.Timeout | undefined;
  /** Resolves when the fork is over and nothing of it is left. */
  readonly over: Promise<void>;
  private resolveOver: () => void = () => undefined;

  constructor(private readonly plan: ForkPlan) {
    this.size = plan.size;
    this.over = new Promise((resolve) => {
      this.resolveOver = resolve;
    });
    this.watch();
    void this.start();
  }

  view(): ForkView {
    const { id, state, restored, trajectoryId } = this;
    const reason = this.unstored ?? this.reason;
    const { prefixId, commands } = this.plan;
    return { id, prefixId, state, restored, commands, reason, ran: this.ran.length, trajectoryId };
  }

  /** Calls `listener` after every change; the fork stays open while somebody listens. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    this.watch();
    return () => {
      this.listeners.delete(listener);
      this.watch();
    };
  }

  /** What is typed before the terminal is there waits for its first prompt; more than INPUT_BYTES of it is dropped. */
  type(data: string): void {
    if (this.prompted) this.terminal?.write(data);
    else if (this.waiting.length + data.length <= INPUT_BYTES) this.waiting += data;
    this.watch();
  }

  resize(size: TerminalSize): void {
    this.size = size;
    this.terminal?.resize(size);
  }

  /** Ends it: stores what ran, ends every process. Safe to call again. */
  async close(reason: string | null = null): Promise<void> {
    if (this.state === "ended" || this.state === "failed") return this.over;
    this.end("ended", reason);
    return this.over;
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** Sets the clocks anew: nobody listens, nobody types. */
  private watch(): void {
    clearTimeout(this.lonely);
    clearTimeout(this.idle);
    if (this.state === "ended" || this.state === "failed") return;
    const minutes = (ms: number) => `${ms / 60_000} minutes`;
    if (this.listeners.size === 0)
      this.lonely = setTimeout(() => void this.close(`no page had it open for ${minutes(LONELY_MS)}`), LONELY_MS);
    this.idle = setTimeout(() => void this.close(`nothing was typed for ${minutes(IDLE_MS)}`), IDLE_MS);
    this.lonely?.unref();
    this.idle.unref();
  }

  private async start(): Promise<void> {
    try {
      const reached = await this.plan.restore((done) => {
        this.restored = done;
        this.changed();
      }, this.stop.signal);
      if ("reason" in reached) return this.end("failed", reached.reason);
      this.sandbox = reached.sandbox;
      if (this.stop.signal.aborted) return void reached.sandbox.dispose();
      this.terminal = await reached.sandbox.terminal(this.size);
      this.terminal.onData((data) => this.take(data));
      this.terminal.onExit((why) => this.end("ended", why ?? "the shell was left"));
      this.state = "open";
      this.changed();
    } catch (error) {
      if (!(error instanceof SandboxFailure) && !this.stop.signal.aborted) process.stderr.write(`misstep: ${error}\n`);
      this.end("failed", error instanceof Error ? error.message : String(error));
    }
  }

  private take(data: Buffer): void {
    this.output.push(data);
    for (const event of this.marks.push(data)) {
      if (event.kind === "command")
        this.current = { command: event.command, output: new CommandOutput(), startedAt: Date.now() };
      else if (event.kind === "output") this.current?.output.push(event.text);
      else if (event.kind === "prompt" && !this.prompted) {
        this.prompted = true;
        if (this.waiting !== "") this.terminal?.write(this.waiting);
      } else if (event.kind === "exit") this.finishCommand(event.exitCode);
    }
    this.changed();
  }

  /** A command that cannot be stored is told and tried again with the next one: the terminal goes on. */
  private finishCommand(exitCode: number | null): void {
    if (this.current === null) return;
    const { command, output, startedAt } = this.current;
    this.current = null;
    this.ran.push({ command, output: output.text(), exitCode, durationMs: Date.now() - startedAt, startedAt });
    try {
      this.trajectoryId = this.plan.store(this.ran);
      this.unstored = null;
    } catch (error) {
      this.unstored = `its last command could not be stored: ${error instanceof Error ? error.message : error}`;
    }
  }

  private end(state: "ended" | "failed", reason: string | null): void {
    if (this.state === "ended" || this.state === "failed") return;
    this.state = state;
    this.reason = reason;
    this.stop.abort();
    this.finishCommand(null);
    this.watch();
    this.changed();
    void (async () => {
      await this.terminal?.close().catch(() => undefined);
      await this.sandbox?.dispose().catch(() => undefined);
      this.resolveOver();
    })();
  }
}
