import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { IO_DIR, STATE_DIR } from "@/lib/sandbox/host/loop";
import { type DriverStatus, type Limits, SandboxFailure } from "@/lib/sandbox/types";
import { debianRoot } from "./base";
import { type Cgroup, findCgroups, makeCgroup } from "./cgroup";
import type { Driver, Launched, LaunchRequest } from "./driver";
import { mountPoint, type RootPlan, rootPlan } from "./root";
import { type Identity, sandboxIdentity } from "./userns";

const run = promisify(execFile);

/** The bash of the loop: a copy nobody may read, so that the kernel keeps its memory and descriptors from the commands. */
const LOOP_BASH = `${STATE_DIR}/bash`;

/**
 * Runs in a mount namespace of its own, which ends with the sandbox: nothing is ever mounted on the machine. Joins the
 * control groups, sets limits, mounts a tmpfs, lays an overlay over the read-only folders, becomes the sandbox's user and
 * then bubblewrap. A limit that is higher than this process may set stays at what it has. A host that was killed meanwhile is
 * noticed here: bubblewrap only watches over a parent that is alive when it starts.
 */
const LAUNCH = `set -e
umask 022
cd "$1"; size=$2; option=$3; lower=$4; usr=$5
for file in $6; do echo $$ >"$file"; done
for limit in $7; do ulimit "\${limit%=*}" "\${limit#*=}" 2>/dev/null || :; done
id=$8; host=$9; shift 9
mount -t tmpfs -o "size=$size,mode=755" tmpfs m
cp -a t/. m/
mount -t overlay overlay -o "\${option}lowerdir=$lower,upperdir=m/u,workdir=m/w" m/r
[ -z "$usr" ] || mount -t overlay overlay -o "\${option}lowerdir=$usr,upperdir=m/uu,workdir=m/uw" m/ur
cd /
read -r _ _ _ parent _ </proc/$$/stat
[ "$parent" = "$host" ] || exit 1
[ -z "$id" ] || exec setpriv --reuid "$id" --regid "$id" --clear-groups --pdeathsig KILL "$@"
exec "$@"
`;

/** Per-process limits; what a control group limits is left to it. */
function ulimits(limits: Limits, cgroup: Cgroup | null): string {
  const kilobytes = (bytes: number) => Math.ceil(bytes / 1024);
  return [
    "-c=0",
    `-f=${kilobytes(limits.fileBytes)}`,
    `-n=${limits.openFiles}`,
    `-t=${limits.cpuSeconds}`,
    ...(cgroup?.limitsProcesses ? [] : [`-u=${limits.processes}`]),
    ...(cgroup?.limitsMemory ? [] : [`-v=${kilobytes(limits.memoryBytes)}`]),
  ].join(" ");
}

function arguments_(request: LaunchRequest, plan: RootPlan, identity: Identity): string[] {
  const { spec, io } = request;
  const mount = mountPoint();
  return [
    ...["--bind", path.join(mount, "r"), "/"],
    ...(plan.usr.length > 0 ? ["--bind", path.join(mount, "ur"), "/usr"] : []),
    ...plan.readOnly.flatMap((dir) => ["--ro-bind", dir, dir]),
    ...["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"],
    ...["--perms", "1777", "--size", String(64 * 1024 ** 2), "--tmpfs", "/dev/shm"],
    ...["--size", String(4 * 1024 ** 2), "--tmpfs", STATE_DIR, "--ro-bind", io, IO_DIR],
    ...["--ro-bind", path.join(plan.dir, "bash"), LOOP_BASH],
    ...(identity.userNamespace === null ? ["--unshare-user", "--disable-userns"] : ["--userns", "4"]),
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(spec.network ? [] : ["--unshare-net"]),
    ...["--hostname", spec.hostname, "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL"],
    ...["--die-with-parent", "--new-session", "--as-pid-1", "--clearenv", "--info-fd", "3"],
    ...["--setenv", "PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
    ...[LOOP_BASH, `${IO_DIR}/loop`, spec.workdir],
  ];
}

/** bubblewrap: namespaces and overlayfs, without a daemon. */
export const bubblewrap: Driver = {
  name: "bubblewrap",

  async status(): Promise<DriverStatus> {
    const status = { driver: "bubblewrap" as const, version: null, notes: [] };
    const install = "apt-get install bubblewrap";
    let version: string;
    try {
      version = (await run("bwrap", ["--version"])).stdout.trim().replace(/^bubblewrap /, "");
    } catch {
      return { ...status, usable: false, reason: "the program bwrap is not installed", install };
    }
    const cgroups = findCgroups();
    const notes = [
      cgroups.kind === "none"
        ? `limits per process only (prlimit): ${cgroups.reason}`
        : `memory and processes are limited by control groups (${cgroups.kind})`,
      fs.existsSync(debianRoot().record)
        ? "root file system: Debian, built here"
        : "root file system: this machine's /usr, read-only; misstep sandbox build-root makes a Debian of its own",
    ];
    return { driver: "bubblewrap", usable: true, version, reason: null, install: null, notes };
  },

  async cleanUp() {
    // Mounts end with the mount namespace, that with its processes; control groups are cleaned for all drivers.
  },

  async launch(request: LaunchRequest): Promise<Launched> {
    const { spec } = request;
    let identity: Identity;
    try {
      identity = await sandboxIdentity();
    } catch (error) {
      throw new SandboxFailure("cannot-start", `no user namespaces here: ${(error as Error).message}`);
    }
    const { image, workdir, hostname, network } = spec;
    const plan = rootPlan({ image, workdir, hostname, network, owner: identity.id });
    const cgroup = makeCgroup(request.id, spec.limits);
    const root = identity.userNamespace !== null;
    const args = [
      ...(root ? ["--mount"] : ["--user", "--map-root-user", "--mount"]),
      ...["--propagation", "private", "bash", "-c", LAUNCH, "misstep-sandbox"],
      ...[plan.dir, String(spec.limits.rootBytes), root ? "" : "userxattr,"],
      ...[plan.lower.join(":"), plan.usr.join(":"), cgroup?.procs.join(" ") ?? "", ulimits(spec.limits, cgroup)],
      ...[root ? String(identity.id) : "", String(process.pid), "bwrap", ...arguments_(request, plan, identity)],
    ];
    const child = spawn("unshare", args, {
      stdio: ["ignore", "ignore", "pipe", "pipe", identity.userNamespace ?? "ignore"],
      env: { PATH: process.env.PATH, LC_ALL: "C" } as unknown as NodeJS.ProcessEnv,
      cwd: "/",
    });
    let errors = "";
    (child.stderr as Readable).on("data", (d: Buffer) => {
      if (errors.length < 4000) errors += d.toString();
    });
    let info = "";
    (child.stdio[3] as Readable).on("data", (d: Buffer) => {
      info += d.toString();
    });
    const first = () => Number(/"child-pid":\s*(\d+)/.exec(info)?.[1] ?? 0);
    const ended = new Promise<string>((resolve) => {
      child.on("error", (error) => resolve(`it could not be run: ${error.message}`));
      child.on("exit", (code, signal) => {
        const memory = cgroup?.outOfMemory();
        const why = memory ? "it used more memory than it may" : `it ended with ${signal ?? `code ${code}`}`;
        resolve(errors.trim() || why);
      });
    });
    let killed: Promise<void> | null = null;
    return {
      imageDigest: plan.digest,
      ended,
      async signal(name) {
        if (!first()) throw new SandboxFailure("died", "the sandbox has no first process");
        process.kill(first(), name);
      },
      kill() {
        killed ??= (async () => {
          const alive = () => child.exitCode === null && child.signalCode === null;
          // The end of the first process ends all others, and bwrap reports it only then.
          if (alive() && first()) tryKill(first());
          const gone = await Promise.race([ended.then(() => true), pause(first() ? 5000 : 0)]);
          if (!gone && alive()) child.kill("SIGKILL");
          await ended;
          await cgroup?.remove();
        })();
        return killed;
      },
    };
  },
};

function tryKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

const pause = (ms: number) => new Promise<false>((resolve) => setTimeout(() => resolve(false), ms).unref());
