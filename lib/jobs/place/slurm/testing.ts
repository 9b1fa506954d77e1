import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const BINARIES = ["/usr/sbin/munged", "/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/bin/sbatch", "/usr/bin/setpriv"];

/** Why a one-node Slurm cannot be started here; null: it can. */
export const aboutSlurm: string | null =
  process.getuid?.() !== 0
    ? "starting a Slurm of one's own needs root"
    : (BINARIES.filter((file) => !fs.existsSync(file)).map(
        (file) => `${file} is missing (Debian: apt-get install munge slurmctld slurmd slurm-client)`,
      )[0] ?? null);

/** A Slurm with this machine as its only node, with ports and folders of its own. */
export interface TestSlurm {
  /** Value of SLURM_CONF. */
  conf: string;
  /** The node dies: its daemon, what supervises its tasks, and the tasks. */
  killNode(): Promise<void>;
  /** The node comes back, and is usable when this resolves. */
  startNode(): Promise<void>;
  /** Lets tasks that wait after a requeue (two minutes, by default) start at once. */
  hurry(): void;
  stop(): Promise<void>;
}

async function freePorts(n: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: n },
      () =>
        new Promise<net.Server>((resolve) => {
          const server = net.createServer().listen(0, "127.0.0.1", () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function configuration(dir: string, ports: number[], more: Record<string, string | number>): string {
  const host = os.hostname().split(".")[0];
  const lines: Record<string, string | number> = {
    ClusterName: "misstep-test",
    SlurmctldHost: `${host}(127.0.0.1)`,
    SlurmUser: "root",
    SlurmdUser: "root",
    AuthType: "auth/munge",
    AuthInfo: `socket=${dir}/munge.socket`,
    CredType: "cred/munge",
    SlurmctldPort: ports[0] as number,
    SlurmdPort: ports[1] as number,
    SlurmctldPidFile: `${dir}/slurmctld.pid`,
    SlurmdPidFile: `${dir}/slurmd.pid`,
    StateSaveLocation: `${dir}/state`,
    SlurmdSpoolDir: `${dir}/spool`,
    ProctrackType: "proctrack/linuxproc",
    TaskPlugin: "task/none",
    AccountingStorageType: "accounting_storage/none",
    JobCompType: "jobcomp/none",
    SchedulerType: "sched/backfill",
    SchedulerParameters: "batch_sched_delay=0,sched_min_interval=100000,sched_interval=1,bf_interval=1",
    SelectType: "select/cons_tres",
    SelectTypeParameters: "CR_CPU",
    // The node has as many places as the test says, whatever the machine has.
    SlurmdParameters: "config_overrides",
    ReturnToService: 2,
    SlurmdTimeout: 6,
    SlurmctldTimeout: 30,
    MpiDefault: "none",
    SwitchType: "switch/none",
    JobRequeue: 1,
    BatchStartTimeout: 2,
    ...more,
  };
  return [
    ...Object.entries(lines).map(([key, value]) => `${key}=${value}`),
    `NodeName=${host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 State=UNKNOWN`,
    "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP",
    "",
  ].join("\n");
}

const running = (pid: number): boolean => {
  try {
    // A zombie is dead.
    return !/^\d+ \(.*\) Z/.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

/** Processes whose environment names this folder; `task`: Slurm started it for a job. */
function processesOf(dir: string): { pid: number; name: string; task: boolean }[] {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const environment = fs.readFileSync(`/proc/${name}/environ`, "latin1");
        const comm = fs.readFileSync(`/proc/${name}/comm`, "latin1").trim();
        const task = environment.includes("SLURM_JOB_ID=");
        return environment.includes(dir) ? [{ pid: Number(name), name: comm, task }] : [];
      } catch {
        return [];
      }
    });
}

/** Kills a process that may have ended since it was listed. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function until(what: string, ready: () => boolean, ms: number): Promise<void> {
  for (const end = Date.now() + ms; !ready(); await delay(50))
    if (Date.now() > end) throw new Error(`${what} took more than ${ms} ms`);
}

/** Starts munged, slurmctld and slurmd; `more` goes into slurm.conf. Everything ends with the caller, or at `stop`. */
export async function startSlurm(more: Record<string, string | number> = {}): Promise<TestSlurm> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-slurmd-"));
  for (const name of ["state", "spool"]) fs.mkdirSync(path.join(dir, name), { mode: 0o755 });
  fs.chmodSync(dir, 0o711);
  const conf = path.join(dir, "slurm.conf");
  fs.writeFileSync(path.join(dir, "munge.key"), randomBytes(1024), { mode: 0o400 });
  fs.writeFileSync(conf, configuration(dir, await freePorts(2), more));
  const PATH = process.env.PATH ?? "/usr/bin:/bin:/usr/sbin:/sbin";
  const env: NodeJS.ProcessEnv = { PATH, HOME: "/root", SLURM_CONF: conf, NODE_ENV: "test" };
  const children = new Map<string, ChildProcess>();
  const start = (name: string, args: string[]) => {
    const log = fs.openSync(path.join(dir, `${name}.log`), "a");
    const child = spawn("/usr/bin/setpriv", ["--pdeathsig", "KILL", `/usr/sbin/${name}`, ...args], {
      env,
      stdio: ["ignore", log, log],
    });
    fs.closeSync(log);
    children.set(name, child);
  };
  const end = async (name: string, signal: NodeJS.Signals) => {
    const child = children.get(name);
    children.delete(name);
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await Promise.race([new Promise((resolve) => child.once("exit", resolve)), delay(5000)]);
    if (running(child.pid)) child.kill("SIGKILL");
  };
  const sinfo = () => {
    try {
      return execFileSync("sinfo", ["-h", "-o", "%t"], { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    } catch {
      return "";
    }
  };
  const kill = (names?: string[]) => {
    for (const { pid, name } of processesOf(dir)) if (!names || names.includes(name)) killIfThere(pid);
  };
  const slurm: TestSlurm = {
    conf,
    async killNode() {
      await end("slurmd", "SIGKILL");
      // Supervisors first: they would tell the controller how their tasks ended.
      kill(["slurmstepd"]);
      for (const { pid, task } of processesOf(dir)) if (task) killIfThere(pid);
    },
    async startNode() {
      start("slurmd", ["-D", "-f", conf]);
      await until("the node", () => /^(idle|mix|alloc)\n/.test(sinfo()), 60_000);
    },
    hurry() {
      const pending = execFileSync("squeue", ["-h", "-r", "-t", "PENDING", "-o", "%i|%r"], { env, encoding: "utf8" });
      for (const line of pending.split("\n")) {
        const [task, reason] = line.split("|");
        if (task && reason === "BeginTime")
          execFileSync("scontrol", ["update", `JobId=${task}`, "StartTime=now"], { env, stdio: "ignore" });
      }
    },
    async stop() {
      await end("slurmd", "SIGTERM");
      await end("slurmctld", "SIGTERM");
      await end("munged", "SIGTERM");
      kill();
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
  try {
    start("munged", [
      "--foreground",
      "--force",
      `--key-file=${dir}/munge.key`,
      `--socket=${dir}/munge.socket`,
      `--pid-file=${dir}/munged.pid`,
      `--log-file=${dir}/munged.log`,
      `--seed-file=${dir}/munged.seed`,
    ]);
    await until("munged", () => fs.existsSync(path.join(dir, "munge.socket")), 10_000);
    start("slurmctld", ["-D", "-f", conf]);
    await slurm.startNode();
    return slurm;
  } catch (error) {
    const logs = ["munged", "slurmctld", "slurmd"].map((name) => {
      const file = path.join(dir, `${name}.log`);
      return fs.existsSync(file) ? `${name}: ${fs.readFileSync(file, "utf8").slice(-1500)}` : `${name}: no log`;
    });
    await slurm.stop();
    throw new Error(`${String(error)}\n${logs.join("\n")}`);
  }
}
