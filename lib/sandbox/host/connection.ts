import type { Duplex } from "node:stream";
import { buildImage } from "@/lib/sandbox/drivers/image";
import { encodeFrame, FrameReader } from "@/lib/sandbox/frames";
import {
  COMMAND_TIMEOUT_MS,
  type ImageRequest,
  SandboxFailure,
  SandboxFileError,
  type SandboxSpec,
  type TerminalSize,
} from "@/lib/sandbox/types";
import type { LiveSandbox, Sandboxes } from "./sandboxes";
import type { LiveTerminal } from "./terminal";

/** Terminal output that waits for a slow client; nothing more is read from the terminal beyond it. */
const HELD_BYTES = 4 * 1024 ** 2;

/** Serves one client. Its sandboxes end with the connection, however it ends. Resolves when all of them are gone. */
export function serve(stream: Duplex, sandboxes: Sandboxes): Promise<void> {
  const own = new Map<string, Promise<LiveSandbox>>();
  const terminals = new Map<string, LiveTerminal>();
  let closed = false;
  const send = (head: object, body?: Buffer) => {
    if (!closed) for (const part of encodeFrame(head, body)) stream.write(part);
  };

  async function live(id: unknown): Promise<LiveSandbox> {
    const sandbox = own.get(String(id));
    if (!sandbox) throw new SandboxFailure("died", "the sandbox was disposed");
    return sandbox;
  }

  async function dispose(id: string): Promise<void> {
    const sandbox = own.get(id);
    own.delete(id);
    await sandbox?.then(
      (s) => s.dispose(),
      () => undefined,
    );
  }

  async function answer(head: Record<string, unknown>, body: Buffer): Promise<[result: unknown, body?: Buffer]> {
    switch (head.method) {
      case "drivers":
        return [await sandboxes.drivers()];
      case "buildImage":
        return [await buildImage(head.request as ImageRequest)];
      case "create": {
        const id = sandboxes.newId();
        const made = sandboxes.create(id, head.spec as SandboxSpec);
        own.set(id, made);
        try {
          const sandbox = await made;
          return [{ id, driver: sandbox.driver, imageDigest: sandbox.imageDigest }];
        } catch (error) {
          own.delete(id);
          throw error;
        }
      }
      case "exec": {
        const { session } = await live(head.sandbox);
        return [await session.exec(body.toString("utf8"), Number(head.timeoutMs ?? COMMAND_TIMEOUT_MS))];
      }
      case "readFile": {
        const { session } = await live(head.sandbox);
        return [null, await session.readFile(String(head.path))];
      }
      case "writeFile": {
        const { session } = await live(head.sandbox);
        return [await session.writeFile(String(head.path), body, typeof head.mode === "number" ? head.mode : null)];
      }
      case "terminal": {
        const id = String(head.sandbox);
        const { session } = await live(id);
        const onData = (chunk: Buffer) => {
          send({ event: "data", sandbox: id }, chunk);
          return stream.writableLength > HELD_BYTES ? new Promise<void>((go) => stream.once("drain", go)) : null;
        };
        const onExit = (reason: string | null) => {
          terminals.delete(id);
          send({ event: "exit", sandbox: id, reason });
        };
        terminals.set(id, await session.terminal(head.size as TerminalSize, onData, onExit));
        return [null];
      }
      case "input":
        return [terminals.get(String(head.sandbox))?.write(body)];
      case "resize":
        return [terminals.get(String(head.sandbox))?.resize(head.size as TerminalSize)];
      case "hangUp":
        return [await terminals.get(String(head.sandbox))?.hangUp()];
      case "dispose":
        return [await dispose(String(head.sandbox))];
      default:
        throw new SandboxFailure("unsupported", `the sandbox host does not know ${String(head.method)}`);
    }
  }

  const reader = new FrameReader();
  stream.on("data", (chunk: Buffer) => {
    let frames: ReturnType<FrameReader["push"]>;
    try {
      frames = reader.push(chunk);
    } catch {
      stream.destroy();
      return;
    }
    for (const { head, body } of frames) {
      answer(head, body).then(
        ([result, data]) => send({ id: head.id, result: result ?? null }, data),
        (error: unknown) => send({ id: head.id, error: plain(error) }),
      );
    }
  });
  return new Promise((resolve) => {
    const end = () => {
      if (closed) return;
      closed = true;
      stream.destroy();
      void Promise.all([...own.keys()].map(dispose)).then(() => resolve());
    };
    stream.on("end", end);
    stream.on("close", end);
    stream.on("error", end);
  });
}

function plain(error: unknown): object {
  if (error instanceof SandboxFailure) return { type: "failure", kind: error.kind, message: error.message };
  if (error instanceof SandboxFileError) return { type: "file", path: error.path, message: error.message };
  return { type: "failure", kind: "died", message: error instanceof Error ? error.message : String(error) };
}
