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

/** What is put into a sandbox by a command of its own: too large to be part of a script. */
export type LargeFile = Extract<PutEntry, { kind: "file" }>;

/**
 * Bash that empties folders (or makes them) and puts files (0644, or 0755) and links in; it ends with an exit code other
 * than 0 when that is not possible. Starting a process is what costs in a sandbox: small files are written by a builtin,
 * and folders that are there and empty are left. Programs are named by their path: the PATH is the agent's.
 */
export function putScript(folders: string[], entries: readonly PutEntry[]): { script: string; large: LargeFile[] } {
  const list = (paths: Iterable<string>) => [...paths].map(quote).join(" ");
  const below = new Set(entries.map((entry) => path.posix.dirname(entry.path)).filter((dir) => !folders.includes(dir)));
  const lines = [
    `for d in ${list(folders)}; do e=("$d"/*); [ -d "$d" ] && [ ! -L "$d" ] && [ -w "$d" ] && [ -x "$d" ] && [ \${#e[@]} = 0 ] || { /bin/rm -rf -- "$d" && /bin/mkdir -p -- "$d"; } || exit; done`,
    ...(below.size > 0 ? [`/bin/mkdir -p -- ${list(below)}`] : []),
  ];
  const executable: string[] = [];
  const large: LargeFile[] = [];
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
  return { script: `(shopt -s nullglob dotglob; umask 022; ${lines.join(" &&\n")})`, large };
}

/** Puts files in as putScript says. Throws SandboxFileError and SandboxFailure. */
export async function putAnew(sandbox: Sandbox, folders: string[], entries: readonly PutEntry[]): Promise<void> {
  const { script, large } = putScript(folders, entries);
  const done = await sandbox.exec(script);
  if (done.exitCode !== 0) throw notPut(folders, done);
  await putLarge(sandbox, large);
}

export async function putLarge(sandbox: Sandbox, large: readonly LargeFile[]): Promise<void> {
  for (const { path: to, data, executable } of large)
    await sandbox.writeFile(to, data, { mode: executable ? 0o755 : 0o644 });
}

export const notPut = (folders: string[], { stderr, exitCode }: { stderr: string; exitCode: number }) =>
  new SandboxFileError(folders[0] ?? "/", stderr.trim() || `exit code ${exitCode}`);

/** A mark that is drawn after the files it parts were written: they cannot hold it. */
export const drawMark = (): string => randomBytes(12).toString("hex");

/** Bash that prints text files, each after the mark and "+"; "-": not there, or no file; "?": to be read in another way. */
export const readScript = (mark: string, files: readonly string[]): string =>
  `for f in ${files.map(quote).join(" ")}; do if [ ! -f "$f" ]; then printf %s ${mark}-; elif IFS= read -r -d '' t <"$f"; then printf %s ${mark}?; else printf %s "${mark}+$t"; fi; done`;

/**
 * What readScript printed, and what was printed before it: null where a file is not there. Files that did not come whole
 * are read one by one. Throws SandboxFailure.
 */
export async function textsFrom(
  sandbox: Sandbox,
  { stdout, stdoutBytes }: { stdout: string; stdoutBytes: number },
  mark: string,
  files: readonly string[],
): Promise<{ before: string; texts: (string | null)[] }> {
  const [before = "", ...parts] = stdout.split(mark);
  const whole = parts.length === files.length && Buffer.byteLength(stdout) === stdoutBytes;
  const texts: (string | null)[] = [];
  for (const [at, file] of files.entries()) {
    const part = whole ? (parts[at] as string) : "?";
    if (part[0] === "+") texts.push(part.slice(1));
    else if (part[0] === "-") texts.push(null);
    else texts.push(await readText(sandbox, file));
  }
  return { before, texts };
}

async function readText(sandbox: Sandbox, file: string): Promise<string | null> {
  try {
    return (await sandbox.readFile(file)).toString("utf8");
  } catch (error) {
    if (error instanceof SandboxFileError) return null;
    throw error;
  }
}
