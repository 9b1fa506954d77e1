import crypto from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { home } from "@/db/home";

/** Longest socket path that every system takes (Linux: 107 bytes and a NUL). */
const MAX_SOCKET_PATH = 100;

/** Folder below MISSTEP_HOME that belongs to the sandbox host. */
export function sandboxDir(): string {
  const dir = path.join(home().root, "sandbox");
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  return dir;
}

/** Where the host of this MISSTEP_HOME listens. A deep home gets a folder of the user's own in the temporary folder. */
export function socketPath(): string {
  const inside = path.join(sandboxDir(), "host.sock");
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH) return inside;
  const name = crypto.createHash("sha256").update(inside).digest("hex").slice(0, 16);
  const dir = path.join(os.tmpdir(), `misstep-${process.getuid?.() ?? 0}-${name}`);
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const stat = fs.lstatSync(dir);
  if (!stat.isDirectory() || (stat.mode & 0o077) !== 0 || stat.uid !== process.getuid?.()) {
    throw new Error(`${dir} must be a folder of yours that nobody else can open; remove it`);
  }
  return path.join(dir, "host.sock");
}
