import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { home } from "@/db/home";
import { sandboxDir } from "@/lib/sandbox/endpoint";
import { fixTimes, giveTree } from "@/lib/sandbox/tree";

/** The root file system below everything else. */
export interface BaseRoot {
  dir: string;
  digest: string;
  /** /usr is the machine's own: it is laid over separately. */
  usr: boolean;
  /** Other folders of the machine that are shown as they are. */
  readOnly: string[];
}

/** Files of /etc that programs in /usr need. Nothing that names people, machines, networks or secrets. */
const ETC = [
  ...["alternatives", "debian_version", "inputrc", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "magic", "mime.types"],
  ...["nanorc", "os-release", "perl", "protocols", "python3", "python3.9", "python3.11", "python3.12", "python3.13"],
  ...["rpc", "services", "terminfo", "vim"],
];

const PASSWD = "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n";
const GROUP = "root:x:0:\ntty:x:5:\nnogroup:x:65534:\n";
const TOP_LINKS = ["bin", "sbin", "lib", "lib32", "lib64", "libx32"];

export const rootfsDir = (): string => path.join(home().root, "rootfs");
/** The Debian root that `misstep sandbox build-root` makes, and the file beside it with its digest. */
export const debianRoot = (): { dir: string; record: string } => ({
  dir: path.join(rootfsDir(), "base"),
  record: path.join(rootfsDir(), "base.json"),
});

function copyEtc(from: string, to: string): void {
  const stat = fs.lstatSync(from, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from), to);
  else if (stat.isDirectory()) {
    fs.mkdirSync(to, { mode: 0o755 });
    for (const name of fs.readdirSync(from)) copyEtc(path.join(from, name), path.join(to, name));
  } else if (stat.isFile() && (stat.mode & 0o004) !== 0) fs.copyFileSync(from, to);
}

/** A root around the machine's own /usr: a small /etc of ours, and nothing else of the machine. */
function makeSkeleton(dir: string): void {
  for (const name of ["etc", "root", "home", "opt", "srv", "mnt", "media", "run", "proc", "dev", "sys", "usr"])
    fs.mkdirSync(path.join(dir, name), { recursive: true });
  for (const name of ["var/lib", "var/log", "var/cache", "var/tmp", "tmp"])
    fs.mkdirSync(path.join(dir, name), { recursive: true });
  for (const name of ["var/tmp", "tmp"]) fs.chmodSync(path.join(dir, name), 0o1777);
  fs.symlinkSync("/run", path.join(dir, "var/run"));
  for (const name of ETC) copyEtc(path.join("/etc", name), path.join(dir, "etc", name));
  fs.writeFileSync(path.join(dir, "etc/passwd"), PASSWD);
  fs.writeFileSync(path.join(dir, "etc/group"), GROUP);
  fs.writeFileSync(path.join(dir, "etc/nsswitch.conf"), "passwd: files\ngroup: files\nhosts: files dns\n");
  for (const name of TOP_LINKS) {
    const stat = fs.lstatSync(`/${name}`, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(`/${name}`), path.join(dir, name));
    else if (stat?.isDirectory()) fs.mkdirSync(path.join(dir, name));
  }
}

/** What the machine's /usr is, as far as that can be told without reading all of it: its list of installed packages. */
function usrDigest(): string {
  const hash = createHash("sha256");
  for (const file of [
    "/var/lib/dpkg/status",
    "/var/lib/rpm/rpmdb.sqlite",
    "/lib/apk/db/installed",
    "/usr/lib/os-release",
  ]) {
    if (fs.existsSync(file)) hash.update(file).update(fs.readFileSync(file));
  }
  return hash.digest("hex");
}

let machine: BaseRoot | null = null;

function machineRoot(owner: number): BaseRoot {
  if (machine && fs.existsSync(machine.dir)) return machine;
  const digest = createHash("sha256").update(`3\0${usrDigest()}`).digest("hex");
  const dir = path.join(sandboxDir(), "skeleton", digest.slice(0, 16));
  if (!fs.existsSync(dir)) {
    const building = `${dir}.${process.pid}`;
    fs.rmSync(building, { recursive: true, force: true });
    fs.mkdirSync(building, { recursive: true });
    fs.chmodSync(building, 0o755);
    makeSkeleton(building);
    if (process.getuid?.() === 0) giveTree(building, owner);
    fixTimes(building);
    try {
      fs.renameSync(building, dir);
    } catch (error) {
      fs.rmSync(building, { recursive: true, force: true });
      if (!fs.existsSync(dir)) throw error;
    }
  }
  const readOnly = TOP_LINKS.map((name) => `/${name}`).filter((p) =>
    fs.lstatSync(p, { throwIfNoEntry: false })?.isDirectory(),
  );
  machine = { dir, digest, usr: true, readOnly };
  return machine;
}

/** The Debian root when it was built, else one around the machine's own /usr. */
export function baseRoot(owner: number): BaseRoot {
  const { dir, record } = debianRoot();
  if (!fs.existsSync(record)) return machineRoot(owner);
  const { digest } = JSON.parse(fs.readFileSync(record, "utf8")) as { digest: string };
  return { dir, digest, usr: false, readOnly: [] };
}
