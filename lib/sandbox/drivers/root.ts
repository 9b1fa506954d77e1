import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { sandboxDir } from "@/lib/sandbox/endpoint";
import { fixTimes, folderSignature, giveTree, treeDigest } from "@/lib/sandbox/tree";
import { type Image, SandboxFailure } from "@/lib/sandbox/types";
import { baseRoot } from "./base";

/**
 * The root file system of a bubblewrap sandbox as folders for overlayfs. All of them are only read.
 * `dir` holds links "0", "1", … (topmost first) to the folders, so that no path has to be quoted for mount; "m", the
 * mount point; "t", what is copied there first; "bash", the loop's own.
 */
export interface RootPlan {
  dir: string;
  lower: string[];
  /** Folders of /usr when it is the machine's own, which is laid separately; else empty. */
  usr: string[];
  /** Folders of the machine to be shown as they are. */
  readOnly: string[];
  digest: string;
}

export interface RootRequest {
  image: Image;
  workdir: string;
  hostname: string;
  network: boolean;
  /** Owner of what the sandbox's user may change. */
  owner: number;
}

/** Folders that are always there and belong to the user. */
const OWN = ["app", "workspace", "output", "logs/verifier", "tests", "home/user", "run", "var/tmp", "tmp"];
/** Folders of the machine's /usr in which the user may add files. */
const OWN_USR = ["usr/bin", "usr/sbin", "usr/lib", "usr/share", "usr/local/bin", "usr/local/lib", "usr/local/share"];

const layerCache = new Map<string, { signature: string; digest: string }>();

/** Digest of a layer; its files are the user's (see docs/decisions/005). Looked at again whenever a folder of it changed. */
function prepareLayer(layer: string, owner: number): string {
  if (!path.isAbsolute(layer) || !fs.statSync(layer, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SandboxFailure("cannot-start", `${layer} is to be a folder of the root file system and is not there`);
  }
  const cached = layerCache.get(layer);
  if (cached && cached.signature === folderSignature(layer)) return cached.digest;
  if (process.getuid?.() === 0) giveTree(layer, owner);
  const digest = treeDigest(layer);
  layerCache.set(layer, { signature: folderSignature(layer), digest });
  return digest;
}

/** First file of that name from the top, or "". Never outside of the layer, whatever links say. */
function topmost(folders: string[], name: string): string {
  for (const folder of folders) {
    const file = path.join(folder, name);
    const dir = path.dirname(file);
    if (
      fs.lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() &&
      fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()
    )
      return fs.readFileSync(file, "utf8");
  }
  return "";
}

/** Where sandboxes mount their root, each in a mount namespace of its own. */
export function mountPoint(): string {
  const dir = path.join(sandboxDir(), "mnt");
  fs.mkdirSync(dir, { recursive: true });
  return dir;
}

/** The bash a root has, through its usual links. */
function findBash(below: string[], hostUsr: boolean): string {
  const places = ["usr/bin/bash", "bin/bash", "usr/local/bin/bash"];
  for (const folder of [...below, ...(hostUsr ? ["/"] : [])]) {
    for (const place of places) {
      const file = path.join(folder, place);
      const dir = fs.lstatSync(path.dirname(file), { throwIfNoEntry: false });
      if (dir?.isDirectory() && fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()) return file;
    }
  }
  throw new SandboxFailure("cannot-start", "the root file system has no bash");
}

/** The topmost layer: what every sandbox has, made for what lies below it. */
function makeTop(dir: string, below: string[], request: RootRequest, hostUsr: boolean): void {
  const put = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    fs.writeFileSync(path.join(dir, name), text, { mode: 0o644 });
  };
  const has = (file: string) =>
    topmost(below, file)
      .split("\n")
      .some((line) => line.split(":")[2] === "1000");
  if (!has("etc/passwd")) {
    put("etc/passwd", `${topmost(below, "etc/passwd")}user:x:1000:1000::/home/user:/bin/bash\n`);
  }
  if (!has("etc/group")) put("etc/group", `${topmost(below, "etc/group")}user:x:1000:\n`);
  put("etc/hostname", `${request.hostname}\n`);
  put("etc/hosts", `127.0.0.1 localhost ${request.hostname}\n::1 localhost\n`);
  put("etc/resolv.conf", request.network ? fs.readFileSync("/etc/resolv.conf", "utf8") : "");
  for (const name of [...OWN, ...(hostUsr ? OWN_USR : [])]) fs.mkdirSync(path.join(dir, name), { recursive: true });
  for (const name of ["tmp", "var/tmp"]) fs.chmodSync(path.join(dir, name), 0o1777);
  const workdir = path.posix.normalize(`/${request.workdir}`).slice(1);
  // A link on the way would hide what it points to; then the loop makes the folder.
  const parts = workdir.split("/");
  const linked = parts.some((_, at) =>
    below.some((folder) =>
      fs.lstatSync(path.join(folder, ...parts.slice(0, at + 1)), { throwIfNoEntry: false })?.isSymbolicLink(),
    ),
  );
  if (!linked) fs.mkdirSync(path.join(dir, workdir), { recursive: true });
  // What is a link or a file below stays one.
  for (const name of OWN) {
    const there = below
      .map((folder) => fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false }))
      .find((stat) => stat !== undefined);
    if (there && !there.isDirectory()) fs.rmSync(path.join(dir, name), { recursive: true });
  }
}

/** What the tmpfs of a sandbox holds at first: upper, work and mount folders of its two overlays, with fixed times. */
function makeTemplate(dir: string, owner: number): void {
  fs.mkdirSync(dir);
  for (const name of ["u", "w", "r", "uu", "uw", "ur"]) {
    const folder = path.join(dir, name);
    fs.mkdirSync(folder);
    fs.chmodSync(folder, 0o755);
    if (process.getuid?.() === 0) giveTree(folder, owner);
  }
  fs.chmodSync(dir, 0o755);
  fixTimes(dir);
}

const plans = new Map<string, RootPlan>();

/** Folders and digest of a root file system. Throws SandboxFailure("cannot-start" | "unsupported"). */
export function rootPlan(request: RootRequest): RootPlan {
  const { image, owner } = request;
  if (image.kind === "reference") {
    throw new SandboxFailure("unsupported", "bubblewrap runs no images; use podman or docker for this environment");
  }
  const base = baseRoot(owner);
  const layers = image.kind === "layers" ? image.lower : [];
  const digests = layers.map((layer) => prepareLayer(layer, owner));
  const below = [...layers, base.dir];
  const text = JSON.stringify([6, request, base.dir, base.digest, base.usr, digests]);
  const key = createHash("sha256").update(text).digest("hex").slice(0, 24);
  const known = plans.get(key);
  if (known) return known;

  const dir = path.join(sandboxDir(), "roots", key);
  if (!fs.existsSync(dir)) {
    const building = `${dir}.${process.pid}`;
    fs.rmSync(building, { recursive: true, force: true });
    fs.mkdirSync(path.join(building, "top"), { recursive: true });
    fs.chmodSync(path.join(building, "top"), 0o755);
    makeTop(path.join(building, "top"), below, request, base.usr);
    if (process.getuid?.() === 0) giveTree(path.join(building, "top"), owner);
    fixTimes(path.join(building, "top"));
    fs.copyFileSync(findBash(below, base.usr), path.join(building, "bash"));
    fs.chmodSync(path.join(building, "bash"), 0o111);
    fs.symlinkSync(mountPoint(), path.join(building, "m"));
    makeTemplate(path.join(building, "t"), owner);
    for (const [at, folder] of ["top", ...below].entries()) fs.symlinkSync(folder, path.join(building, String(at)));
    const usr = ["top", ...layers].filter((folder) =>
      fs.lstatSync(path.resolve(building, folder, "usr"), { throwIfNoEntry: false })?.isDirectory(),
    );
    if (base.usr) {
      for (const [at, folder] of [...usr.map((f) => path.join(f, "usr")), "/usr"].entries())
        fs.symlinkSync(folder, path.join(building, `u${at}`));
    }
    try {
      fs.renameSync(building, dir);
    } catch (error) {
      fs.rmSync(building, { recursive: true, force: true });
      if (!fs.existsSync(dir)) throw error;
    }
  }
  const links = fs.readdirSync(dir);
  const ordered = (pattern: RegExp) =>
    links.filter((n) => pattern.test(n)).sort((a, b) => Number(a.replace("u", "")) - Number(b.replace("u", "")));
  const plan: RootPlan = {
    dir,
    lower: ordered(/^\d+$/),
    usr: ordered(/^u\d+$/),
    readOnly: base.readOnly,
    digest: createHash("sha256")
      .update(JSON.stringify([base.digest, digests]))
      .digest("hex"),
  };
  plans.set(key, plan);
  return plan;
}
