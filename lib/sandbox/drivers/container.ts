import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { sandboxDir } from "@/lib/sandbox/endpoint";
import { IO_DIR, STATE_DIR } from "@/lib/sandbox/host/loop";
import { type DriverStatus, type Image, SandboxFailure } from "@/lib/sandbox/types";
import { debianRoot } from "./base";
import type { Driver, Launched, LaunchRequest } from "./driver";

const exec = promisify(execFile);
const INSTALL = {
  podman: "apt-get install podman runc uidmap",
  docker: "apt-get install docker.io, and start its daemon",
} as const;
/** What the root of an image needs to work on its own files; everything else is dropped. */
const CAPABILITIES = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "KILL", "SETGID", "SETUID"];

const has = (program: string) =>
  (process.env.PATH ?? "").split(":").some((dir) => fs.existsSync(path.join(dir, program)));

/**
 * podman settings of our own: hosts without systemd or with old control groups need runc and cgroupfs, and hosts that may
 * not raise limits need low defaults.
 */
function podmanSettings(): string {
  const file = path.join(sandboxDir(), "containers.conf");
  const lines = [
    "[containers]",
    'default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]',
    'netns = "none"',
    "[engine]",
    ...(has("runc") ? ['runtime = "runc"'] : []),
    ...(fs.existsSync("/run/systemd/system") ? [] : ['cgroup_manager = "cgroupfs"']),
    'events_logger = "file"',
  ];
  const text = `${lines.join("\n")}\n`;
  if (!fs.existsSync(file) || fs.readFileSync(file, "utf8") !== text) fs.writeFileSync(file, text);
  return file;
}

function environment(name: "podman" | "docker"): NodeJS.ProcessEnv {
  return name === "podman" ? { ...process.env, CONTAINERS_CONF: podmanSettings() } : process.env;
}

async function ask(name: "podman" | "docker", args: string[]): Promise<string> {
  const { stdout } = await exec(name, args, { env: environment(name), timeout: 60_000, maxBuffer: 16 * 1024 ** 2 });
  return stdout.trim();
}

/** What a program said when it failed, in one line. */
function said(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return (stderr?.trim() || message).split("\n").slice(-1)[0] ?? message;
}

/** Arguments that name the root file system and run bash in it, and its identity. */
async function imageOf(name: "podman" | "docker", image: Image): Promise<{ args: string[]; digest: string }> {
  if (image.kind === "layers") {
    throw new SandboxFailure("unsupported", `${name} runs images, not folders; use bubblewrap for this environment`);
  }
  if (image.kind === "reference") {
    try {
      const digest = await ask(name, ["image", "inspect", "--format", "{{.Id}}", image.name]);
      return { args: ["--pull=never", "--entrypoint", "bash", image.name], digest };
    } catch (error) {
      throw new SandboxFailure("cannot-start", `${name} has no image ${image.name} here: ${said(error)}`);
    }
  }
  const { dir, record } = debianRoot();
  if (!fs.existsSync(record)) {
    throw new SandboxFailure("cannot-start", `${name} needs the Debian root as its base: misstep sandbox build-root`);
  }
  const { digest } = JSON.parse(fs.readFileSync(record, "utf8")) as { digest: string };
  if (name === "podman") return { args: ["--rootfs", `${dir}:O`, "bash"], digest };
  const tag = `localhost/misstep-base:${digest.slice(0, 16)}`;
  await ask(name, ["image", "inspect", tag]).catch(() => importBase(dir, tag));
  return { args: ["--pull=never", "--entrypoint", "bash", tag], digest };
}

/** docker takes no folders: the Debian root becomes an image once. */
async function importBase(dir: string, tag: string): Promise<void> {
  const tar = spawn("tar", ["-C", dir, "-c", "."], { stdio: ["ignore", "pipe", "ignore"] });
  const load = spawn("docker", ["import", "-", tag], { stdio: [tar.stdout, "ignore", "pipe"] });
  const code = await new Promise((resolve) => {
    load.on("error", () => resolve(1));
    load.on("exit", resolve);
  });
  if (code !== 0) throw new SandboxFailure("cannot-start", "docker could not import the Debian root");
}

/** podman and docker by their command lines, which agree in all that is needed here. */
function container(name: "podman" | "docker"): Driver {
  const nameOf = (id: string) => `misstep-${id}`;
  return {
    name,

    async status(): Promise<DriverStatus> {
      const base = { driver: name, version: null, notes: [] };
      if (!has(name)) {
        return { ...base, usable: false, reason: `the program ${name} is not installed`, install: INSTALL[name] };
      }
      let version: string;
      try {
        const format = name === "podman" ? "{{.Version.Version}}" : "{{.ServerVersion}}";
        version = await ask(name, ["info", "--format", format]);
      } catch (error) {
        return { ...base, usable: false, reason: `${name} does not work here: ${said(error)}`, install: INSTALL[name] };
      }
      const notes = [
        "runs images; commands are the image's user, with few capabilities and no network",
        "memory, processes and sizes of files are limited; the sum of all files is not",
        ...(fs.existsSync(debianRoot().record) ? [] : ["the base root needs: misstep sandbox build-root"]),
      ];
      return { driver: name, usable: true, version, reason: null, install: null, notes };
    },

    async cleanUp(isGone) {
      if (!has(name)) return;
      const names = await ask(name, ["ps", "--all", "--filter", "name=misstep-", "--format", "{{.Names}}"]).catch(
        () => "",
      );
      for (const one of names.split("\n").filter((n) => n.startsWith("misstep-") && isGone(n.slice(8))))
        await ask(name, ["rm", "--force", one]).catch(() => undefined);
    },

    async launch({ id, spec, io }: LaunchRequest): Promise<Launched> {
      if (!has(name)) throw new SandboxFailure("cannot-start", `${name} is not installed: ${INSTALL[name]}`);
      const { args: image, digest } = await imageOf(name, spec.image);
      const { limits } = spec;
      const args = [
        ...["run", "--name", nameOf(id), "--rm", "--sig-proxy=false", "--hostname", spec.hostname],
        ...(spec.network ? (name === "podman" ? ["--network=slirp4netns"] : []) : ["--network=none"]),
        ...["--cap-drop=all", ...CAPABILITIES.map((c) => `--cap-add=${c}`), "--security-opt=no-new-privileges"],
        ...[
          `--memory=${limits.memoryBytes}`,
          `--memory-swap=${limits.memoryBytes}`,
          `--pids-limit=${limits.processes}`,
        ],
        ...[`--ulimit=nofile=${limits.openFiles}:${limits.openFiles}`, "--ulimit=nproc=4096:4096", "--ulimit=core=0:0"],
        ...[
          `--ulimit=fsize=${limits.fileBytes}:${limits.fileBytes}`,
          `--ulimit=cpu=${limits.cpuSeconds}:${limits.cpuSeconds}`,
        ],
        ...["--shm-size=64m", "--tmpfs", `${STATE_DIR}:rw,size=4m,mode=1777`, "--volume", `${io}:${IO_DIR}:ro`],
        ...[...image, `${IO_DIR}/loop`, spec.workdir],
      ];
      const child = spawn(name, args, { stdio: ["ignore", "ignore", "pipe"], env: environment(name), cwd: "/" });
      let errors = "";
      (child.stderr as Readable).on("data", (d: Buffer) => {
        if (errors.length < 4000) errors += d.toString();
      });
      const ended = new Promise<string>((resolve) => {
        child.on("error", (error) => resolve(`it could not be run: ${error.message}`));
        child.on("exit", (code, signal) => resolve(errors.trim() || `it ended with ${signal ?? `code ${code}`}`));
      });
      let killed: Promise<void> | null = null;
      return {
        imageDigest: digest,
        ended,
        async signal(signal) {
          await ask(name, ["kill", "--signal", signal, nameOf(id)]);
        },
        kill() {
          killed ??= (async () => {
            await ask(name, ["rm", "--force", ...(name === "podman" ? ["--time", "0"] : []), nameOf(id)]).catch(
              () => undefined,
            );
            await ended;
          })();
          return killed;
        },
      };
    },
  };
}

export const podman = container("podman");
export const docker = container("docker");

/** Variables the engine's command line is called with. */
export const engineEnvironment = environment;
