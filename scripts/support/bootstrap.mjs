// What start, misstep, test and bench need before any package exists: plain Node, no imports from node_modules.
import { spawn, spawnSync } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

export function fail(message, code = 1) {
  process.stderr.write(`misstep: ${message}\n`);
  process.exit(code);
}

export function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) return;
  fail(
    `Node ${process.versions.node} cannot run it. Misstep needs Node 20.19, or 22.12 and newer (nodejs.org, or your package manager).`,
  );
}

function* filesBelow(dir) {
  for (const entry of fs.readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(dir, entry.name);
    if (entry.isDirectory()) yield* filesBelow(full);
    else if (entry.isFile()) yield full;
  }
}

/** One hash over the contents of files and folders of the project; what is missing counts as empty. */
export function hashOf(names) {
  const hash = crypto.createHash("sha256");
  for (const name of names) {
    const full = path.join(root, name);
    if (!fs.existsSync(full)) continue;
    for (const file of fs.statSync(full).isDirectory() ? filesBelow(full) : [full]) {
      if (/\.test\.tsx?$/.test(file)) continue;
      hash.update(path.relative(root, file)).update("\0").update(fs.readFileSync(file)).update("\0");
    }
  }
  return hash.digest("hex");
}

const readStamp = (file) => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "");

function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (done.error) fail(`${command} ${args.join(" ")}: ${done.error.message}`);
  return done.status ?? 1;
}

/** Where Node's own headers lie beside it, the compiler of SQLite need not fetch them. */
function headersOfNode() {
  const prefix = path.resolve(fs.realpathSync(process.execPath), "../..");
  return fs.existsSync(path.join(prefix, "include/node/node.h")) ? { npm_config_nodedir: prefix } : {};
}

const COMPILER = { python3: "python3", make: "make", "g++": "g++" };
const has = (command) => spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;

/** Installs what compiling SQLite needs and the machine lacks; false when nothing was missing or we may not. */
function installCompiler() {
  const missing = Object.keys(COMPILER).filter((command) => !has(command));
  if (missing.length === 0 || !installDebian(missing.map((command) => COMPILER[command]))) return false;
  return missing.every(has);
}

/** Whether everything is here that compiling SQLite needs. */
export const hasCompiler = () => Object.keys(COMPILER).every(has);

/** Whether we may install Debian packages. */
const mayInstall = () => process.getuid?.() === 0 && fs.existsSync("/usr/bin/apt-get");

/**
 * Begins to install groups of Debian packages ("a b") beside what follows, each on its own: one that cannot be had takes no
 * other with it. Resolves when it is over; what is missing then is for the caller to see.
 */
export function startDebian(groups) {
  if (groups.length === 0 || !mayInstall()) return Promise.resolve();
  process.stderr.write(`misstep: installing Debian packages: ${groups.join(" ")}\n`);
  const script =
    'apt-get update -qq; for group in "$@"; do apt-get install -y -qq --no-install-recommends $group; done';
  const child = spawn("/bin/sh", ["-c", script, "apt", ...groups], {
    stdio: ["ignore", "ignore", 2],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return new Promise((resolve) => child.once("close", resolve).once("error", resolve));
}

/** Installs Debian packages when we are root on a Debian; false when that is not so or apt failed. */
export function installDebian(packages) {
  if (!mayInstall()) return false;
  process.stderr.write(`misstep: installing Debian packages: ${packages.join(" ")}\n`);
  const options = { stdio: ["ignore", 2, 2], env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  run("apt-get", ["update", "-qq"], options);
  return run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], options) === 0;
}

/** Says every 20 seconds that something quiet goes on, from a process of its own: ours waits. Returns what ends it. */
function heartbeat(what) {
  const script = `let s = 0; setInterval(() => process.stderr.write(\`misstep: ${what} (\${(s += 20)} s)\\n\`), 20000); process.on("disconnect", () => process.exit());`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", 2, "ipc"] });
  child.unref();
  return () => child.kill();
}

/** Installs packages when node_modules is missing or older than package-lock.json. A linked node_modules is left alone. */
export function ensureInstalled() {
  const modules = path.join(root, "node_modules");
  if (fs.existsSync(modules) && fs.lstatSync(modules).isSymbolicLink()) return;
  const stamp = path.join(modules, ".misstep-installed");
  const wanted = `${hashOf(["package-lock.json"])} ${process.versions.modules}`;
  if (readStamp(stamp) === wanted) return;
  process.stderr.write(
    "misstep: installing packages (once; about two minutes, SQLite is compiled on machines without a prebuilt binary)…\n",
  );
  const install = () => {
    const heard = heartbeat("still installing packages");
    const status = run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
      stdio: ["ignore", 2, 2],
      // The embedded policy runs on the CPU library inside onnxruntime-node's package; its install step would fetch CUDA.
      env: { ONNXRUNTIME_NODE_INSTALL: "skip", ...headersOfNode(), ...process.env },
    });
    heard();
    return status;
  };
  if (install() !== 0 && !(installCompiler() && install() === 0)) {
    fail(
      "npm ci failed. It needs the npm registry and, where no prebuilt SQLite exists, python3, make and a C++ compiler (Debian: apt-get install python3 make g++).",
    );
  }
  fs.writeFileSync(stamp, wanted);
}

const BUNDLED = ["lib", "db", "scripts", "package-lock.json", "tsconfig.json"];
const BUILT = [...BUNDLED, "app", "components", "next.config.ts", "postcss.config.mjs"];

/** Bundles the command line, the worker and the web server into dist/ when a source changed. Takes a fraction of a second. */
export async function ensureBundled() {
  const stamp = path.join(root, "dist/.stamp");
  const wanted = hashOf(BUNDLED);
  if (readStamp(stamp) === wanted) return;
  const { bundle } = await import("./bundle.mjs");
  await bundle(root);
  fs.writeFileSync(stamp, wanted);
}

/** Builds the web app when a source changed since the last build. */
export async function ensureBuilt() {
  await ensureBundled();
  const stamp = path.join(root, ".next/misstep-built");
  const wanted = hashOf(BUILT);
  if (readStamp(stamp) === wanted && fs.existsSync(path.join(root, ".next/BUILD_ID"))) return;
  process.stderr.write("misstep: building the web app (only after a change; under a minute)…\n");
  const next = path.join(root, "node_modules/next/dist/bin/next");
  // A page of advice to deployers, of which a start has none: told in a file, and in whole when the build fails.
  const log = path.join(root, "dist/web-build.log");
  const output = fs.openSync(log, "w");
  const heard = heartbeat("still building the web app");
  const status = run(process.execPath, [next, "build"], {
    stdio: ["ignore", output, output],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
  });
  heard();
  fs.closeSync(output);
  if (status !== 0) {
    process.stderr.write(fs.readFileSync(log, "utf8"));
    fail("the web app did not build; the errors are above.");
  }
  fs.writeFileSync(stamp, wanted);
}
