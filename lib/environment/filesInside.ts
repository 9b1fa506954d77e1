import { randomBytes } from "node:crypto";
import path from "node:path";
import { quote } from "@/lib/sandbox/quote";
import { type Sandbox, SandboxFileError } from "@/lib/sandbox/types";

/** Something to be put into a sandbox. */
export type PutEntry =
  | { kind: "file"; path: string; data: Buffer; executable: boolean }
  | { kind: "link"; path: string; target: string };

/** Bytes of files that go in with one command; larger ones go one by one. */
const TOGETHER = 64 * 1024;

/** A word for bash's `printf %b` that prints exactly these bytes. */
const printed = (data: Buffer): string =>
  quote(
    data.toString("latin1").replace(/[^\n -&(-[\]-~]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`),
  );

/**
 * Removes folders, makes them anew and puts files (0644, or 0755) and links in. Starting a process is what costs in a
 * sandbox, so small files all go in by one command that writes them with a builtin. Throws SandboxFileError and
 * SandboxFailure. Programs are named by their path: a sandbox's PATH is the agent's.
 */
export async function putAnew(sandbox: Sandbox, folders: string[], entries: readonly PutEntry[]): Promise<void> {
  const parents = new Set([...folders, ...entries.map((entry) => path.posix.dirname(entry.path))]);
  const list = (paths: Iterable<string>) => [...paths].map(quote).join(" ");
  const lines = [`/bin/rm -rf -- ${list(folders)}`, `/bin/mkdir -p -- ${list(parents)}`];
  const executable: string[] = [];
  const large: Extract<PutEntry, { kind: "file" }>[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (entry.kind === "link") lines.push(`/bin/ln -sfn -- ${quote(entry.target)} ${quote(entry.path)}`);
    else if (bytes + entry.data.length > TOGETHER) large.push(entry);
    else {
      bytes += entry.data.length;
      lines.push(`printf %b ${printed(entry.data)} >|${quote(entry.path)}`);
      if (entry.executable) executable.push(entry.path);
    }
  }
  if (executable.length > 0) lines.push(`/bin/chmod 755 -- ${list(executable)}`);
  const done = await sandbox.exec(`(umask 022; ${lines.join(" &&\n")})`);
  if (done.exitCode !== 0)
    throw new SandboxFileError(folders[0] ?? "/", done.stderr.trim() || `exit code ${done.exitCode}`);
  for (const { path: to, data, executable: mayRun } of large)
    await sandbox.writeFile(to, data, { mode: mayRun ? 0o755 : 0o644 });
}

/** Reads text files by one command; null: not there, or no file. Throws SandboxFailure. */
export async function readTexts(sandbox: Sandbox, files: readonly string[]): Promise<(string | null)[]> {
  // What a file says cannot hold a mark that is drawn after it was written.
  const mark = randomBytes(12).toString("hex");
  const script = files.map(
    (file) =>
      `if [ -f ${quote(file)} ]; then printf '${mark}+'; /bin/cat -- ${quote(file)}; else printf '${mark}-'; fi`,
  );
  const done = await sandbox.exec(script.join("; "));
  const parts = done.stdout.split(mark).slice(1);
  if (parts.length === files.length && Buffer.byteLength(done.stdout) === done.stdoutBytes)
    return parts.map((part) => (part[0] === "+" ? part.slice(1) : null));
  // Longer than what is kept of an output, or broken UTF-8.
  const texts: (string | null)[] = [];
  for (const file of files) {
    try {
      texts.push((await sandbox.readFile(file)).toString("utf8"));
    } catch (error) {
      if (!(error instanceof SandboxFileError)) throw error;
      texts.push(null);
    }
  }
  return texts;
}
