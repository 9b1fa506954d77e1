import "server-only";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { extract } from "tar-stream";
import { COMMAND_TIMEOUT_MS, type Sandbox } from "@/lib/sandbox/types";
import type { BuildStep } from "./dockerfile";
import { BuildFailed, folderIn, placeIn } from "./layer";
import { quote } from "./quote";
import { SHIMS } from "./shims";

type RunStep = Extract<BuildStep, { kind: "run" }>;

/** Largest result of one RUN, packed. */
const MAX_TAR = 256 * 1024 ** 2;
/** Not part of an environment: what the kernel shows, and what is new on every start. */
const NOT_KEPT = ["/proc", "/sys", "/dev", "/tmp", "/run"];

/** Path → everything of an entry that a change would show. */
type Snapshot = Map<string, string>;

async function must(sandbox: Sandbox, command: string, what: string): Promise<string> {
  const result = await sandbox.exec(command, { timeoutMs: COMMAND_TIMEOUT_MS });
  if (result.exitCode !== 0) throw new BuildFailed(`${what}: exit code ${result.exitCode}\n${result.stderr}`);
  return result.stdout;
}

async function snapshot(sandbox: Sandbox, file: string): Promise<Snapshot> {
  const skipped = NOT_KEPT.map((folder) => `-path ${folder}`).join(" -o ");
  await must(
    sandbox,
    `find / -mindepth 1 \\( ${skipped} \\) -prune -o -printf '%p\\t%y %m %s %T@ %C@ %l\\0' > ${file} 2>/dev/null; test -s ${file}`,
    "the files of the sandbox cannot be listed",
  );
  const entries = (await sandbox.readFile(file)).toString("latin1").split("\0");
  return new Map(
    entries
      .filter((entry) => entry !== "")
      .map((entry): [string, string] => {
        const at = entry.indexOf("\t");
        return [entry.slice(0, at), entry.slice(at + 1)];
      }),
  );
}

/** What a RUN changed: paths (latin1 units are bytes) to take over, and paths that are gone. Of a folder only its mode counts. */
function changes(before: Snapshot, after: Snapshot): { changed: string[]; gone: string[] } {
  const shape = (entry: string | undefined) => (entry?.startsWith("d") ? entry.split(" ", 2).join(" ") : entry);
  const changed = [...after]
    .filter(([place, entry]) => shape(before.get(place)) !== shape(entry))
    .map(([place]) => place);
  return { changed, gone: [...before.keys()].filter((place) => !after.has(place)) };
}

/** Unpacks what a sandbox packed into the layer. It is hostile: nothing is written through links or outside, no devices, no set-id bits. */
async function unpack(root: string, archive: Buffer, line: number): Promise<void> {
  const reader = extract();
  reader.end(archive);
  for await (const entry of reader) {
    const { name, type, linkname, mode } = entry.header;
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    const inside = `/${name.replace(/^\/+|\/+$/g, "")}`;
    const bits = (mode ?? 0o644) & 0o1777;
    if (type === "directory") {
      fs.chmodSync(folderIn(root, inside), bits);
      continue;
    }
    const place = placeIn(root, inside);
    const there = fs.lstatSync(place, { throwIfNoEntry: false });
    if (there) fs.rmSync(place, { recursive: true });
    if (type === "symlink") fs.symlinkSync(linkname ?? "", place);
    else if (type === "file" || type === "contiguous-file") {
      fs.writeFileSync(place, Buffer.concat(chunks));
      fs.chmodSync(place, bits);
    } else
      throw new BuildFailed(
        `Dockerfile line ${line}: RUN made ${inside}, a ${type}; only files, folders and links are kept`,
      );
  }
}

/** Takes away what a RUN deleted from the layer. What lies in the base cannot be taken away. */
function remove(root: string, gone: readonly string[], line: number): void {
  for (const raw of [...gone].reverse()) {
    const inside = Buffer.from(raw, "latin1").toString("utf8");
    const place = placeIn(root, inside);
    if (!fs.lstatSync(place, { throwIfNoEntry: false }))
      throw new BuildFailed(
        `Dockerfile line ${line}: RUN deletes ${inside} of the base image; a layer can only add and change`,
      );
    fs.rmSync(place, { recursive: true, force: true });
  }
}

/**
 * Runs a RUN in a fresh sandbox that shows the layer so far, and takes its changes over into the layer at `root`.
 * Gives back notes and the log. Throws BuildFailed when it fails, SandboxFailure when the sandbox does.
 */
export async function runInLayer(
  root: string,
  sandbox: Sandbox,
  step: RunStep,
  timeoutMs: number,
): Promise<{ notes: string[]; log: string }> {
  const tools = `/tmp/.build-${randomBytes(6).toString("hex")}`;
  for (const [name, text] of Object.entries(SHIMS))
    await sandbox.writeFile(`${tools}/${name}`, text.replaceAll("@TOOLS@", tools), { mode: 0o755 });
  const before = await snapshot(sandbox, `${tools}/before`);
  const variables = Object.entries(step.env).map(([name, value]) => quote(`${name}=${value}`));
  const search = step.env.PATH ?? "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  const command = `cd ${quote(step.workdir)} && env ${[...variables, quote(`PATH=${tools}:${search}`)].join(" ")} ${step.argv.map(quote).join(" ")}`;
  const result = await sandbox.exec(command, { timeoutMs });
  const log = `RUN ${step.script}\n${result.stdout}${result.stderr}`;
  if (result.exitCode !== 0)
    throw new BuildFailed(
      `Dockerfile line ${step.line}: RUN ended with exit code ${result.exitCode}${result.timedOut ? " (timed out)" : ""}\n${log}`,
    );
  const after = await snapshot(sandbox, `${tools}/after`);
  const { changed, gone } = changes(before, after);
  const notes = await sandbox.readFile(`${tools}/notes`).then(
    (text) => text.toString("utf8").split("\n"),
    () => [],
  );
  if (changed.length > 0) {
    await sandbox.writeFile(
      `${tools}/list`,
      Buffer.from(changed.map((place) => `${place.slice(1)}\0`).join(""), "latin1"),
    );
    await must(
      sandbox,
      `tar --create --no-recursion --null --directory=/ --files-from=${tools}/list --file=${tools}/layer.tar`,
      `Dockerfile line ${step.line}: what RUN changed cannot be packed`,
    );
    const archive = await sandbox.readFile(`${tools}/layer.tar`);
    if (archive.byteLength > MAX_TAR)
      throw new BuildFailed(
        `Dockerfile line ${step.line}: RUN changes ${archive.byteLength} bytes; at most ${MAX_TAR} are kept`,
      );
    await unpack(root, archive, step.line);
  }
  remove(root, gone, step.line);
  return { notes: notes.filter((note) => note !== "").map((note) => `Dockerfile line ${step.line}: ${note}`), log };
}
