import "server-only";
import fs from "node:fs";
import path from "node:path";
import type { BuildStep } from "./dockerfile";

/** A build step that cannot be carried out. The message says which and why. */
export class BuildFailed extends Error {}

/** Folders of a Debian root that are links: a layer must name what they point at, or it would hide them. */
const LINKED: [from: string, to: string][] = [
  ["/bin", "/usr/bin"],
  ["/sbin", "/usr/sbin"],
  ["/lib", "/usr/lib"],
  ["/lib64", "/usr/lib64"],
  ["/var/run", "/run"],
  ["/var/lock", "/run/lock"],
];
/** Folders every Debian root has: a COPY to them puts a file inside. */
const STANDARD = new Set(
  "/ /boot /etc /home /media /mnt /opt /root /run /srv /tmp /usr /usr/bin /usr/sbin /usr/lib /usr/local /usr/local/bin /usr/local/sbin /usr/local/lib /usr/local/share /usr/share /var /var/lib /var/log /var/tmp /etc/cron.d /etc/profile.d".split(
    " ",
  ),
);
/** Modes that differ from 0755, as in Debian. */
const MODES: Record<string, number> = { "/tmp": 0o1777, "/var/tmp": 0o1777, "/root": 0o700 };

/** The same place with the links of a Debian root followed. */
function real(inside: string): string {
  const found = LINKED.find(([from]) => inside === from || inside.startsWith(`${from}/`));
  return found ? found[1] + inside.slice(found[0].length) : inside;
}

/**
 * Place on this machine of an absolute path inside a layer; makes its parent folders. Throws BuildFailed where a part of
 * the way is a link: nothing is ever written through one.
 */
export function placeIn(root: string, inside: string): string {
  const parts = real(path.posix.normalize(inside))
    .split("/")
    .filter((part) => part !== "");
  if (parts.includes("..")) throw new BuildFailed(`${inside} leads out of the layer`);
  let place = root;
  for (const [at, part] of parts.entries()) {
    place = path.join(place, part);
    if (at === parts.length - 1) break;
    const stat = fs.lstatSync(place, { throwIfNoEntry: false });
    if (stat === undefined) makeFolder(root, place);
    else if (!stat.isDirectory())
      throw new BuildFailed(`${inside}: /${parts.slice(0, at + 1).join("/")} is no folder (a file or a link)`);
  }
  return place;
}

function makeFolder(root: string, place: string): void {
  fs.mkdirSync(place);
  fs.chmodSync(place, MODES[`/${path.relative(root, place)}`] ?? 0o755);
}

/** Makes a folder of a layer with all above it. */
export function folderIn(root: string, inside: string): string {
  const place = placeIn(root, inside);
  const stat = fs.lstatSync(place, { throwIfNoEntry: false });
  if (stat === undefined) makeFolder(root, place);
  else if (!stat.isDirectory()) throw new BuildFailed(`${inside} is a file or a link, not a folder`);
  return place;
}

const isFolder = (root: string, inside: string): boolean =>
  STANDARD.has(real(inside)) ||
  (fs.lstatSync(placeIn(root, inside), { throwIfNoEntry: false })?.isDirectory() ?? false);

/** Files of the build folder that a source names: "*" and "?" stand for parts of names, as in Docker. */
function matches(context: string, source: string, line: number): string[] {
  const parts = path.posix
    .normalize(source.replace(/^\/+/, ""))
    .split("/")
    .filter((p) => p !== "" && p !== ".");
  if (parts.includes("..")) throw new BuildFailed(`Dockerfile line ${line}: ${source} is outside the build folder`);
  let found = [""];
  for (const part of parts) {
    const pattern = /[*?[]/.test(part)
      ? new RegExp(
          `^${part
            .replace(/[.+^${}()|\\]/g, "\\$&")
            .replace(/\*/g, ".*")
            .replace(/\?/g, ".")}$`,
        )
      : null;
    found = found.flatMap((folder) => {
      const place = path.join(context, folder);
      if (!fs.lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) return [];
      const names = pattern
        ? fs
            .readdirSync(place)
            .filter((name) => pattern.test(name))
            .sort()
        : [part];
      return names
        .map((name) => path.posix.join(folder, name))
        .filter((name) => fs.lstatSync(path.join(context, name), { throwIfNoEntry: false }));
    });
  }
  if (found.length === 0) throw new BuildFailed(`Dockerfile line ${line}: ${source} is not in the build folder`);
  return found;
}

function copyFile(root: string, from: string, to: string, mode: number | null): void {
  const place = placeIn(root, to);
  const stat = fs.lstatSync(from);
  const there = fs.lstatSync(place, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw new BuildFailed(`${to} is a folder already`);
  if (there) fs.rmSync(place);
  if (stat.isSymbolicLink()) {
    fs.symlinkSync(fs.readlinkSync(from), place);
    return;
  }
  fs.copyFileSync(from, place);
  fs.chmodSync(place, mode ?? ((stat.mode & 0o111) !== 0 ? 0o755 : 0o644));
}

function copyTree(root: string, from: string, to: string, mode: number | null): void {
  folderIn(root, to);
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.posix.join(to, entry.name)];
    if (entry.isDirectory()) copyTree(root, source, target, mode);
    else copyFile(root, source, target, mode);
  }
}

/** Carries out a WORKDIR or COPY in the layer at `root`. `context`: the build folder. Throws BuildFailed. */
export function applyToLayer(root: string, context: string, step: Exclude<BuildStep, { kind: "run" }>): void {
  if (step.kind === "workdir") {
    folderIn(root, step.path);
    return;
  }
  const sources = step.sources.flatMap((source) => matches(context, source, step.line));
  const target = step.to.length > 1 && step.to.endsWith("/") ? step.to.slice(0, -1) : step.to;
  const into = step.to.endsWith("/") || sources.length > 1 || isFolder(root, target);
  for (const source of sources) {
    const from = path.join(context, source);
    if (fs.lstatSync(from).isDirectory()) copyTree(root, from, target, step.mode);
    else if (into) {
      if (!STANDARD.has(real(target))) folderIn(root, target);
      copyFile(root, from, path.posix.join(target, path.posix.basename(source)), step.mode);
    } else copyFile(root, from, target, step.mode);
  }
}
