import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { debianRoot, rootfsDir } from "./drivers/base";
import { sandboxIdentity } from "./drivers/userns";
import { giveTree, treeDigest } from "./tree";

const run = promisify(execFile);
/** Beside the essential packages: what small tasks and their tests ask for. */
const PACKAGES = ["procps", "python3-minimal", "ca-certificates", "less"];
const RELEASE = "bookworm";
/** Left by package tools; differs from build to build and is of no use in a sandbox. */
const NOT_KEPT = ["var/cache/apt", "var/lib/apt/lists", "var/log", "etc/machine-id", "var/cache/ldconfig/aux-cache"];

export class RootNotBuilt extends Error {}

/** Where this machine gets its packages from, or debootstrap's own default. */
async function mirror(): Promise<string[]> {
  const { stdout } = await run("apt-get", ["indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)"]).catch(
    () => ({
      stdout: "",
    }),
  );
  const line = stdout.split("\n").find((l) => l.includes(` ${RELEASE} main`)) ?? "";
  return line === "" ? [] : [line.split(" ")[0] as string];
}

function debootstrap(args: string[], say: (text: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("debootstrap", args, { stdio: ["ignore", "pipe", "pipe"] });
    let last = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (d: Buffer) => {
        last = (last + d.toString()).slice(-2000);
        for (const line of d.toString().split("\n")) if (line.startsWith("I: ")) say(line.slice(3));
      });
    }
    child.on("error", (error) => reject(new RootNotBuilt(`debootstrap could not be run: ${error.message}`)));
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new RootNotBuilt(`debootstrap ended with code ${code}:\n${last.trim()}`)),
    );
  });
}

/**
 * Builds the Debian root of this MISSTEP_HOME with debootstrap: there whole or not at all. Sandboxes started later use
 * it. Returns its folder and digest; `built` is false when it was there. Throws RootNotBuilt: it needs root and debootstrap.
 */
export async function buildRoot(
  options: { again?: boolean } = {},
  say: (text: string) => void = () => undefined,
): Promise<{ dir: string; digest: string; built: boolean }> {
  const { dir, record } = debianRoot();
  if (fs.existsSync(record) && !options.again) {
    return { dir, digest: (JSON.parse(fs.readFileSync(record, "utf8")) as { digest: string }).digest, built: false };
  }
  if (process.getuid?.() !== 0)
    throw new RootNotBuilt("only root can build a Debian root; plain users use this machine's /usr");
  const { id } = await sandboxIdentity();
  fs.mkdirSync(rootfsDir(), { recursive: true });
  const building = path.join(rootfsDir(), `building-${process.pid}`);
  fs.rmSync(building, { recursive: true, force: true });
  try {
    await debootstrap(
      ["--variant=minbase", `--include=${PACKAGES.join(",")}`, RELEASE, building, ...(await mirror())],
      say,
    );
    for (const name of NOT_KEPT) fs.rmSync(path.join(building, name), { recursive: true, force: true });
    for (const name of ["var/cache/apt", "var/lib/apt/lists/partial", "var/log"])
      fs.mkdirSync(path.join(building, name), { recursive: true });
    // Device files are of no use in a sandbox and cannot be given away.
    fs.rmSync(path.join(building, "dev"), { recursive: true, force: true });
    fs.mkdirSync(path.join(building, "dev"));
    for (const name of ["etc/apt/sources.list", "etc/resolv.conf", "etc/hostname"])
      fs.rmSync(path.join(building, name), { force: true });
    say("computing its digest");
    giveTree(building, id);
    const digest = treeDigest(building);
    fs.rmSync(record, { force: true });
    const old = path.join(rootfsDir(), `old-${process.pid}`);
    if (fs.existsSync(dir)) fs.renameSync(dir, old);
    fs.renameSync(building, dir);
    fs.writeFileSync(`${record}.new`, JSON.stringify({ digest, release: RELEASE, packages: PACKAGES }));
    fs.renameSync(`${record}.new`, record);
    fs.rmSync(old, { recursive: true, force: true });
    return { dir, digest, built: true };
  } finally {
    fs.rmSync(building, { recursive: true, force: true });
  }
}
