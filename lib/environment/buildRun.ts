import "server-only";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { extract } from "tar-stream";
import { quote } from "@/lib/sandbox/quote";
import { COMMAND_TIMEOUT_MS, type Sandbox } from "@/lib/sandbox/types";
import { type BuildStep, DEFAULT_PATH } from "./dockerfile";
import { BuildFailed, folderIn, placeIn } from "./layer";
import { SHIMS } from "./shims";

type RunStep = Extract<BuildStep, { kind: "run" }>;

/** Largest result of one RUN, packed. */
const MAX_TAR = 256 * 1024 ** 2;
/** Not part of an environment: what the kernel shows, and what is new on every start. */
const NOT_KEPT = ["/proc", "/sys", "/dev", "/tmp", "/run"];

/** Path → kind of entry ("f", "d", "l", …). Paths are latin1 texts whose units are the bytes of the name. */
type Entries = Map<string, string>;

async function must(sandbox: Sandbox, command: string, what: string): Promise<void> {
  const result = await sandbox.exec(command, { timeoutMs: COMMAND_TIMEOUT_MS });
  if (result.exitCode !== 0) throw new BuildFailed(`${what}: exit code ${result.exitCode}\n${result.stderr}`);
}

/** What a find command lists. Places that are not there are left out. */
async function find(sandbox: Sandbox, tools: string, command: string): Promise<Entries> {
  const file = `${tools}/found`;
  await sandbox.exec(`${command} > ${file} 2>/dev/null`, { timeoutMs: COMMAND_TIMEOUT_MS });
  const entries = (await sandbox.readFile(file)).toString("latin1").split("\0");
  return new Map(entries.filter((e) => e !== "").map((e): [string, string] => [e.slice(2), e.slice(0, 1)]));
}

const list = (paths: Iterable<string>): Buffer =>
  Buffer.from([...paths].map((place) => `${place}\0`).join(""), "latin1");

/** The entries of these folders, or all below them. */
async function below(sandbox: Sandbox, tools: string, folders: string[], depth: "-maxdepth 1" | ""): Promise<Entries> {
  if (folders.length === 0) return new Map();
  await sandbox.writeFile(`${tools}/folders`, list(folders));
  return find(sandbox, tools, `xargs -0 -r sh -c 'find "$@" ${depth} -printf "%y %p\\0"' sh < ${tools}/folders`);
}

/**
 * What changed since the marker: paths to take over, and paths that are gone. `fresh` is a sandbox as it was before:
 * of a folder that changed, its names then and now tell what is gone; a folder that is new is taken whole.
 */
async function changes(
  sandbox: Sandbox,
  fresh: Sandbox,
  tools: string,
): Promise<{ changed: Set<string>; gone: string[] }> {
  const skipped = NOT_KEPT.map((folder) => `-path ${folder}`).join(" -o ");
  const newer = await find(
    sandbox,
    tools,
    // A folder of somebody else (the machine's own /usr) holds nothing that this user could have changed.
    `find / -mindepth 1 \\( ${skipped} \\) -prune -o -type d ! -user "$(id -u)" ! -cnewer ${tools}/marker -prune -o -cnewer ${tools}/marker -printf '%y %p\\0'`,
  );
  const folders = ["/", ...[...newer].filter(([, kind]) => kind === "d").map(([place]) => place)];
  const before = await below(fresh, tools, folders, "-maxdepth 1");
  const now = await below(sandbox, tools, folders, "-maxdepth 1");
  const added = await below(
    sandbox,
    tools,
    folders.filter((place) => !before.has(place)),
    "",
  );
  const kept = (place: string) =>
    place !== "/" && !NOT_KEPT.some((top) => place === top || place.startsWith(`${top}/`));
  return {
    changed: new Set([...newer.keys(), ...added.keys()].filter(kept).sort()),
    gone: [...before.keys()].filter((place) => !now.has(place) && kept(place)).sort(),
  };
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
 * Runs a RUN in a fresh sandbox that shows the layer so far (`start` gives one), and takes its changes over into the
 * layer at `root`. Gives back notes and the log. Throws BuildFailed when it fails, SandboxFailure when a sandbox does.
 */
export async function runInLayer(
  root: string,
  start: () => Promise<Sandbox>,
  step: RunStep,
  timeoutMs: number,
): Promise<{ notes: string[]; log: string }> {
  const open: Sandbox[] = [];
  const fresh = async () => {
    const sandbox = await start();
    open.push(sandbox);
    return sandbox;
  };
  try {
    const sandbox = await fresh();
    const tools = `/tmp/.build-${randomBytes(6).toString("hex")}`;
    const log = await runStep(sandbox, tools, step, timeoutMs);
    const other = await fresh();
    const { changed, gone } = await changes(sandbox, other, tools);
    const notes = await sandbox.readFile(`${tools}/notes`).then(
      (text) => text.toString("utf8").split("\n"),
      () => [],
    );
    if (changed.size > 0) await unpack(root, await packed(sandbox, tools, changed, step.line), step.line);
    remove(root, gone, step.line);
    return { notes: notes.filter((note) => note !== "").map((note) => `Dockerfile line ${step.line}: ${note}`), log };
  } finally {
    await Promise.all(open.map((sandbox) => sandbox.dispose()));
  }
}

/** Carries the command out; what changes afterwards is newer than the marker in `tools`. Gives back the log. */
async function runStep(sandbox: Sandbox, tools: string, step: RunStep, timeoutMs: number): Promise<string> {
  for (const [name, text] of Object.entries(SHIMS))
    await sandbox.writeFile(`${tools}/${name}`, text.replaceAll("@TOOLS@", tools), { mode: 0o755 });
  // Times of files have a grain of a few milliseconds: what follows must be later for certain.
  await must(sandbox, `touch ${tools}/marker && sleep 0.05`, "the sandbox cannot be used to build in");
  const variables = Object.entries(step.env).map(([name, value]) => quote(`${name}=${value}`));
  const search = step.env.PATH ?? DEFAULT_PATH;
  const command = `cd ${quote(step.workdir)} && env ${[...variables, quote(`PATH=${tools}:${search}`)].join(" ")} ${step.argv.map(quote).join(" ")}`;
  const result = await sandbox.exec(command, { timeoutMs });
  const log = `RUN ${step.script}\n${result.stdout}${result.stderr}`;
  if (result.exitCode === 0) return log;
  const how = result.timedOut ? " (timed out)" : "";
  throw new BuildFailed(`Dockerfile line ${step.line}: RUN ended with exit code ${result.exitCode}${how}\n${log}`);
}

/** The changed entries as a tar archive. */
async function packed(sandbox: Sandbox, tools: string, changed: Set<string>, line: number): Promise<Buffer> {
  await sandbox.writeFile(`${tools}/list`, list([...changed].map((place) => place.slice(1))));
  await must(
    sandbox,
    `tar --create --no-recursion --null --directory=/ --files-from=${tools}/list --file=${tools}/layer.tar`,
    `Dockerfile line ${line}: what RUN changed cannot be packed`,
  );
  const archive = await sandbox.readFile(`${tools}/layer.tar`);
  if (archive.byteLength > MAX_TAR)
    throw new BuildFailed(
      `Dockerfile line ${line}: RUN changes ${archive.byteLength} bytes; at most ${MAX_TAR} are kept`,
    );
  return archive;
}
