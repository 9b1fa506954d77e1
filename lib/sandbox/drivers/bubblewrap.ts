import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { IO_DIR, STATE_DIR } from "@/lib/sandbox/host/loop";
import { SandboxFailure } from "@/lib/sandbox/types";
import type { Driver, Launched, LaunchRequest } from "./driver";

/** bubblewrap: namespaces without a daemon. */
export const bubblewrap: Driver = {
  name: "bubblewrap",
  async status() {
    return { driver: "bubblewrap", usable: true, version: null, reason: null, install: null, notes: [] };
  },
  async cleanUp() {
    // Namespaces end with their processes.
  },
  async launch({ spec, io }: LaunchRequest): Promise<Launched> {
    const args = [
      ...["--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/sbin", "/sbin"],
      ...["--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--dev", "/dev", "--proc", "/proc"],
      ...["--tmpfs", "/tmp", "--dir", "/app", "--dir", "/workspace", "--dir", "/output", "--dir", "/logs"],
      ...["--dir", "/tests", "--dir", spec.workdir, "--tmpfs", STATE_DIR, "--ro-bind", io, IO_DIR],
      ...["--unshare-all", "--hostname", spec.hostname, "--die-with-parent", "--new-session", "--as-pid-1"],
      ...["--uid", "1000", "--gid", "1000", "--cap-drop", "ALL", "--info-fd", "3"],
      ...["bash", `${IO_DIR}/loop`, spec.workdir],
    ];
    const child = spawn("bwrap", args, {
      stdio: ["ignore", "ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH } as unknown as NodeJS.ProcessEnv,
    });
    let errors = "";
    child.stderr?.on("data", (d: Buffer) => {
      if (errors.length < 4000) errors += d.toString();
    });
    let info = "";
    (child.stdio[3] as Readable).on("data", (d: Buffer) => {
      info += d.toString();
    });
    const ended = new Promise<string>((resolve) => {
      child.on("error", (error) => resolve(`bwrap could not be run: ${error.message}`));
      child.on("exit", (code, signal) => resolve(errors.trim() || `it ended with ${signal ?? `code ${code}`}`));
    });
    return {
      imageDigest: "host",
      ended,
      async signal(name) {
        const pid = Number(/"child-pid":\s*(\d+)/.exec(info)?.[1]);
        if (!pid) throw new SandboxFailure("died", "the sandbox has no first process");
        process.kill(pid, name);
      },
      async kill() {
        if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
        await ended;
      },
    };
  },
};
