import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { Duplex } from "node:stream";
import { projectRoot } from "@/db/home";
import { socketPath } from "./endpoint";
import { encodeFrame, FrameReader, MAX_FRAME } from "./frames";
import {
  type BuiltImage,
  type DriverName,
  type DriverStatus,
  type ExecResult,
  type ImageRequest,
  type Sandbox,
  SandboxFailure,
  SandboxFileError,
  type SandboxHost,
  type SandboxSpec,
  type Terminal,
  type TerminalSize,
} from "./types";

const NOTHING = Buffer.alloc(0);

type Reply = { result: unknown; body: Buffer };

/** A connection that matches answers to requests. */
class Line {
  private next = 1;
  private readonly open = new Map<number, { resolve: (r: Reply) => void; reject: (e: Error) => void }>();
  private gone: SandboxFailure | null = null;
  /** Of the terminal of a sandbox. */
  readonly listeners = new Map<string, (head: Record<string, unknown>, body: Buffer) => void>();
  readonly ended: Promise<void>;

  constructor(private readonly stream: Duplex) {
    const reader = new FrameReader();
    stream.on("data", (chunk: Buffer) => {
      for (const { head, body } of reader.push(chunk)) {
        if (typeof head.event === "string") {
          this.listeners.get(String(head.sandbox))?.(head, body);
          continue;
        }
        const waiting = this.open.get(Number(head.id));
        this.open.delete(Number(head.id));
        if (head.error) waiting?.reject(revive(head.error as Record<string, string>));
        else waiting?.resolve({ result: head.result, body });
      }
    });
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.gone ??= new SandboxFailure("host-gone", "the sandbox host ended");
        for (const waiting of this.open.values()) waiting.reject(this.gone);
        this.open.clear();
        for (const listener of this.listeners.values()) listener({ event: "exit", reason: this.gone.message }, NOTHING);
        resolve();
      };
      stream.on("close", end);
      stream.on("end", end);
      stream.on("error", end);
    });
  }

  request(head: Record<string, unknown>, body?: Buffer): Promise<Reply> {
    if (this.gone) return Promise.reject(this.gone);
    if (body && body.length > MAX_FRAME / 2) {
      return Promise.reject(new SandboxFailure("unsupported", `${body.length} bytes are too many for one request`));
    }
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.open.set(id, { resolve, reject });
      for (const part of encodeFrame({ ...head, id }, body)) this.stream.write(part);
    });
  }

  close(): void {
    this.gone ??= new SandboxFailure("host-gone", "the connection to the sandbox host was closed");
    this.stream.end();
  }
}

function revive(error: Record<string, string>): Error {
  if (error.type === "file") return new SandboxFileError(error.path ?? "", error.message ?? "");
  return new SandboxFailure((error.kind ?? "died") as SandboxFailure["kind"], error.message ?? "");
}

class RemoteTerminal implements Terminal {
  private early: Buffer[] | null = [];
  private readonly dataListeners: ((data: Buffer) => void)[] = [];
  private readonly exitListeners: ((reason: string | null) => void)[] = [];
  private over: { reason: string | null } | null = null;

  constructor(
    private readonly line: Line,
    private readonly sandbox: string,
  ) {
    line.listeners.set(sandbox, (head, body) => {
      if (head.event === "data") {
        if (this.early) this.early.push(body);
        else for (const listener of this.dataListeners) listener(body);
      } else if (!this.over) {
        this.over = { reason: (head.reason as string | null) ?? null };
        line.listeners.delete(sandbox);
        for (const listener of this.exitListeners) listener(this.over.reason);
      }
    });
  }

  private tell(method: string, more: object, body?: Buffer): Promise<unknown> {
    if (this.over) return Promise.resolve();
    return this.line.request({ method, sandbox: this.sandbox, ...more }, body).catch(() => undefined);
  }

  write(data: string): void {
    void this.tell("input", {}, Buffer.from(data, "utf8"));
  }

  resize(size: TerminalSize): void {
    void this.tell("resize", { size });
  }

  onData(listener: (data: Buffer) => void): void {
    this.dataListeners.push(listener);
    const early = this.early ?? [];
    this.early = null;
    for (const data of early) listener(data);
  }

  onExit(listener: (reason: string | null) => void): void {
    if (this.over) listener(this.over.reason);
    else this.exitListeners.push(listener);
  }

  async close(): Promise<void> {
    if (this.over) return;
    const exited = new Promise<void>((resolve) => this.onExit(() => resolve()));
    await this.tell("hangUp", {});
    await exited;
  }
}

class RemoteSandbox implements Sandbox {
  private disposed: Promise<void> | null = null;

  constructor(
    private readonly line: Line,
    readonly id: string,
    readonly driver: DriverName,
    readonly imageDigest: string,
  ) {}

  async exec(command: string, options?: { timeoutMs?: number }): Promise<ExecResult> {
    const head = { method: "exec", sandbox: this.id, timeoutMs: options?.timeoutMs };
    return (await this.line.request(head, Buffer.from(command, "utf8"))).result as ExecResult;
  }

  async readFile(file: string): Promise<Buffer> {
    return (await this.line.request({ method: "readFile", sandbox: this.id, path: file })).body;
  }

  async writeFile(file: string, data: Buffer | string, options?: { mode?: number }): Promise<void> {
    const head = { method: "writeFile", sandbox: this.id, path: file, mode: options?.mode };
    await this.line.request(head, typeof data === "string" ? Buffer.from(data, "utf8") : data);
  }

  async terminal(size: TerminalSize): Promise<Terminal> {
    const terminal = new RemoteTerminal(this.line, this.id);
    try {
      await this.line.request({ method: "terminal", sandbox: this.id, size });
    } catch (error) {
      this.line.listeners.delete(this.id);
      throw error;
    }
    return terminal;
  }

  dispose(): Promise<void> {
    this.disposed ??= this.line.request({ method: "dispose", sandbox: this.id }).then(
      () => undefined,
      () => undefined,
    );
    return this.disposed;
  }
}

class RemoteHost implements SandboxHost {
  constructor(
    private readonly line: Line,
    private readonly afterClose: () => Promise<void>,
  ) {}

  async create(spec: SandboxSpec): Promise<Sandbox> {
    const { result } = await this.line.request({ method: "create", spec });
    const { id, driver, imageDigest } = result as { id: string; driver: DriverName; imageDigest: string };
    return new RemoteSandbox(this.line, id, driver, imageDigest);
  }

  async buildImage(request: ImageRequest): Promise<BuiltImage> {
    return (await this.line.request({ method: "buildImage", request })).result as BuiltImage;
  }

  async drivers(): Promise<DriverStatus[]> {
    return (await this.line.request({ method: "drivers" })).result as DriverStatus[];
  }

  async close(): Promise<void> {
    this.line.close();
    await this.afterClose();
  }
}

function dial(socket: string): Promise<Duplex | null> {
  return new Promise((resolve, reject) => {
    const stream = net.connect(socket);
    stream.once("connect", () => resolve(stream));
    stream.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "ENOENT" || error.code === "ECONNREFUSED" ? resolve(null) : reject(error),
    );
  });
}

/** A host of the caller's own: it serves its standard input, so it cannot outlive the caller. */
async function privateHost(): Promise<SandboxHost> {
  const script = process.env.MISSTEP_SANDBOX_HOST ?? path.join(projectRoot(), "dist/sandboxHost.mjs");
  if (!fs.existsSync(script)) {
    throw new SandboxFailure("cannot-start", `the sandbox host is not built: ${script} is missing (npm run build)`);
  }
  const child = spawn(process.execPath, ["--enable-source-maps", script, "--stdio"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.once("error", () => undefined);
  return new RemoteHost(new Line(Duplex.from({ readable: child.stdout, writable: child.stdin })), () => exited);
}

/**
 * Connects to the running sandbox host of this MISSTEP_HOME, else starts a private one that ends with the caller.
 * Rejects with SandboxFailure("cannot-start") when there is neither.
 */
export async function connectSandboxHost(): Promise<SandboxHost> {
  const stream = await dial(socketPath());
  if (!stream) return privateHost();
  const line = new Line(stream);
  return new RemoteHost(line, () => line.ended);
}
