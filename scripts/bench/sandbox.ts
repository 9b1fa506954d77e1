import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { connectSandboxHost } from "@/lib/sandbox/client";
import { mountPoint, rootPlan } from "@/lib/sandbox/drivers/root";
import { sandboxIdentity } from "@/lib/sandbox/drivers/userns";
import { DEFAULT_LIMITS, type SandboxSpec } from "@/lib/sandbox/types";
import { type Measure, percentile } from "./measure";

const SPEC: SandboxSpec = {
  driver: "bubblewrap",
  image: { kind: "base" },
  workdir: "/app",
  env: {},
  hostname: "bench",
  network: false,
  limits: DEFAULT_LIMITS,
};
/** A builtin and a program: the two kinds of short commands. */
const COMMANDS = ["true", "ls -la /etc | wc -l"];

/** Between commands, as while a model thinks or an answer is stored: the next bash is up by then. Back to back it may not be. */
const PAUSE_MS = 30;

const sleep = (ms: number) => new Promise((resolve) => (ms > 0 ? setTimeout(resolve, ms) : resolve(null)));
const round = (n: number) => Math.round(n * 100) / 100;

/** Mounts as the driver's, then bubblewrap; no limits, no control groups, nobody to talk to. */
const BARE = `cd "$1"; lower=$2; usr=$3; option=$4; shift 4
mount -t tmpfs -o mode=755 tmpfs m
mkdir m/u m/w m/r m/uu m/uw m/ur
mount -t overlay overlay -o "\${option}lowerdir=$lower,upperdir=m/u,workdir=m/w" m/r
[ -z "$usr" ] || mount -t overlay overlay -o "\${option}lowerdir=$usr,upperdir=m/uu,workdir=m/uw" m/ur
cd /
exec bwrap "$@"`;

async function bareCommand(): Promise<[string, string[]]> {
  const { id } = await sandboxIdentity();
  const { image, workdir, hostname, network } = SPEC;
  const plan = rootPlan({ image, workdir, hostname, network, owner: id });
  const root = process.getuid?.() === 0;
  const m = mountPoint();
  const args = [
    ...(root ? ["--mount"] : ["--user", "--map-root-user", "--mount"]),
    ...["--propagation", "private", "bash", "-c", BARE, "bare"],
    ...[plan.dir, plan.lower.join(":"), plan.usr.join(":"), root ? "" : "userxattr,"],
    ...["--bind", path.join(m, "r"), "/", ...(plan.usr.length > 0 ? ["--bind", path.join(m, "ur"), "/usr"] : [])],
    ...["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--tmpfs", "/dev/shm", "--tmpfs", "/run"],
    ...["--ro-bind", plan.dir, "/run/misstep/io", "--ro-bind", path.join(plan.dir, "bash"), "/run/misstep/bash"],
    ...["--unshare-all", "--uid", "1000", "--gid", "1000", "--die-with-parent", "--new-session", "--clearenv"],
    ...["--setenv", "PATH", "/usr/bin:/bin", "bash", "--noprofile", "--norc"],
  ];
  return ["unshare", args];
}

/** A plain bash that reads commands from its input, in bubblewrap with the same mounts. */
class Bare {
  private constructor(private readonly child: ChildProcess) {}

  static start([program, args]: [string, string[]]): Bare {
    return new Bare(spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], cwd: "/" }));
  }

  /** Sends a command and waits until the line after its output is there. */
  run(command: string): Promise<void> {
    const end = "--end--";
    return new Promise((resolve, reject) => {
      this.child.once("exit", (code) => reject(new Error(`the bare sandbox ended with code ${code}`)));
      let said = "";
      const onData = (d: Buffer) => {
        said += d.toString("latin1");
        if (!said.includes(end)) return;
        this.child.stdout?.off("data", onData);
        this.child.removeAllListeners("exit");
        resolve();
      };
      this.child.stdout?.on("data", onData);
      this.child.stdin?.write(`{ ${command}; } </dev/null 2>&1; echo ${end}\n`);
    });
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      this.child.once("exit", () => resolve());
      this.child.kill("SIGKILL");
    });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Start to first output, and round trips, in turns with the bare ones: both see the same neighbours on the machine. */
export async function benchSandbox(work: string, say: (text: string) => void): Promise<Measure[]> {
  process.env.MISSTEP_HOME = path.join(work, "sandbox-home");
  fs.mkdirSync(process.env.MISSTEP_HOME);
  const host = await connectSandboxHost();
  try {
    const command = await bareCommand();
    const ours: number[] = [];
    const bare: number[] = [];
    await (await host.create(SPEC)).dispose();
    for (let i = 0; i < 40; i++) {
      let box: Awaited<ReturnType<typeof host.create>> | undefined;
      ours.push(
        await timed(async () => {
          box = await host.create(SPEC);
          await box.exec("echo first");
        }),
      );
      await box?.dispose();
      let plain: Bare | undefined;
      bare.push(
        await timed(async () => {
          plain = Bare.start(command);
          await plain.run("echo first");
        }),
      );
      await plain?.end();
    }
    const start = { ours: round(percentile(ours, 50)), bare: round(percentile(bare, 50)) };
    const ratio = round(start.ours / start.bare);
    say(`sandbox start: ${start.ours} ms, bare ${start.bare} ms (${ratio}x)`);
    const measures: Measure[] = [
      {
        name: "sandbox start to first output, against bare bubblewrap with the same mounts",
        value: ratio,
        unit: "x",
        budget: "at most 1.5",
        met: ratio <= 1.5,
        detail: start,
      },
    ];
    const box = await host.create(SPEC);
    const plain = Bare.start(command);
    for (const [text, pause] of COMMANDS.flatMap((c) => [[c, PAUSE_MS] as const, [c, 0] as const])) {
      const with_: number[] = [];
      const without: number[] = [];
      for (let i = 0; i < 150; i++) {
        await sleep(pause);
        with_.push(await timed(() => box.exec(text)));
        await sleep(pause);
        without.push(await timed(() => plain.run(text)));
      }
      const [a, b] = [round(percentile(with_, 50)), round(percentile(without, 50))];
      const how = pause > 0 ? `${pause} ms apart` : "back to back";
      say(`round trip of "${text}", ${how}: ${a} ms, bare ${b} ms`);
      measures.push({
        name: `command round trip over a plain bash in bubblewrap, ${how}: ${text.replaceAll("|", "to")}`,
        value: round(a - b),
        unit: "ms",
        budget: "at most 1",
        met: a - b <= 1,
        detail: { ours: a, bare: b, p95: round(percentile(with_, 95)), bareP95: round(percentile(without, 95)) },
      });
    }
    await plain.end();
    await box.dispose();
    return measures;
  } finally {
    await host.close();
  }
}
