import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

/** What a command gave back; text is what the bytes say in UTF-8, broken ones as U+FFFD. */
export interface Ran {
  stdout: string;
  stderr: string;
  exitCode: number;
  ms: number;
}

/** Before each command: directory and exported variables of the last one; both are saved when it ends. */
const PREFIX =
  "cd \"$(cat /run/rec/cwd)\"; . /run/rec/env; trap 'rec_rc=$?; pwd >/run/rec/cwd; export -p >/run/rec/env; exit $rec_rc' EXIT";

const LOOP = `while read -r n limit; do
  timeout --signal=TERM --kill-after=2 "$limit" bash -c '. /run/rec/prefix; eval "$(cat /run/rec/step)"' bash </dev/null >"/run/rec/out.$n" 2>"/run/rec/err.$n"
  echo "done $?"
done
`;

/** Mounts a read-only /usr into the root and starts the loop there; everything ends with the first process. */
const ENTER = `set -e
R=$1
for d in usr etc/alternatives; do
  mount --bind "/$d" "$R/$d"
  mount -o remount,bind,ro "$R/$d"
done
for d in null zero urandom; do touch "$R/dev/$d"; mount --bind "/dev/$d" "$R/dev/$d"; done
mount -t proc proc "$R/proc"
hostname sample
exec chroot "$R" /usr/bin/env -i HOME=/root PATH=/usr/bin:/usr/sbin:/bin LANG=C.UTF-8 TERM=xterm PAGER=cat TZ=UTC USER=root /usr/bin/bash /run/rec/loop
`;

/**
 * A throw-away machine made of Linux namespaces: own root folder, own processes, no network, no way to write outside.
 * It exists to run the sample's hand-written commands, nothing else.
 */
export class Sandbox {
  private readonly root: string;
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private count = 0;

  constructor() {
    this.root = mkdtempSync(path.join(tmpdir(), "misstep-sample-"));
    for (const d of ["usr", "etc/alternatives", "dev", "proc", "tmp", "root", "app", "run/rec"])
      mkdirSync(path.join(this.root, d), { recursive: true });
    for (const d of ["bin", "sbin", "lib", "lib64"]) symlinkSync(`usr/${d}`, path.join(this.root, d));
    this.write("etc/passwd", "root:x:0:0:root:/root:/bin/bash\n");
    this.write("etc/group", "root:x:0:\n");
    this.write("run/rec/cwd", "/app\n");
    this.write("run/rec/env", "");
    this.write("run/rec/prefix", `${PREFIX}\n`);
    this.write("run/rec/loop", LOOP);
    const asRoot = process.getuid?.() === 0 ? [] : ["-r"];
    this.child = spawn(
      "unshare",
      [...asRoot, "-m", "-p", "-u", "-i", "-n", "-f", "--kill-child", "bash", "-c", ENTER, "enter", this.root],
      {
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    if (!this.child.stdout) throw new Error("The sandbox has no output pipe.");
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  private write(file: string, text: string): void {
    writeFileSync(path.join(this.root, file), text);
  }

  private read(file: string): string {
    return readFileSync(path.join(this.root, "run/rec", file)).toString("utf8");
  }

  /** Runs a command in the persistent shell state. */
  async run(command: string, limitSeconds: number): Promise<Ran> {
    const n = ++this.count;
    this.write("run/rec/step", command);
    const started = performance.now();
    this.child.stdin?.write(`${n} ${limitSeconds}\n`);
    const line = await this.lines.next();
    const exit = line.done ? null : /^done (\d+)$/.exec(line.value);
    if (!exit) throw new Error("The sandbox ended. It needs Linux with unshare, and rights to make namespaces.");
    return {
      stdout: this.read(`out.${n}`),
      stderr: this.read(`err.${n}`),
      exitCode: Number(exit[1]),
      ms: Math.round(performance.now() - started),
    };
  }

  /** Ends every process of it and removes its folder. */
  async dispose(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.stdin?.end();
    this.child.kill("SIGKILL");
    await ended;
    // A mount that were still there would make the removal reach into the real /usr.
    const mounts = existsSync("/proc/self/mountinfo") ? readFileSync("/proc/self/mountinfo", "utf8") : "";
    if (mounts.includes(this.root)) throw new Error(`${this.root} is still mounted; unmount and remove it by hand.`);
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Why sessions cannot be recorded here, or null. */
export function whyNot(): string | null {
  if (process.platform !== "linux") return "Recording needs Linux.";
  const probe = spawnSync("unshare", [...(process.getuid?.() === 0 ? [] : ["-r"]), "-m", "-p", "-n", "-f", "true"]);
  return probe.status === 0 ? null : "Recording needs unshare (util-linux) and the right to make namespaces.";
}
