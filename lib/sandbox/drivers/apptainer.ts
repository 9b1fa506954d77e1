import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { IO_DIR, STATE_DIR } from "@/lib/sandbox/host/loop";
import { type DriverStatus, SandboxFailure } from "@/lib/sandbox/types";
import { debianRoot } from "./base";
import type { Driver, Launched, LaunchRequest } from "./driver";

const run = promisify(execFile);
const INSTALL = "see apptainer.org/docs (not in Debian 12)";

/** apptainer: an instance without the machine's home and environment, with a throw-away writable root (recipe 2). */
export const apptainer: Driver = {
  name: "apptainer",

  async status(): Promise<DriverStatus> {
    const status = { driver: "apptainer" as const, version: null, notes: [] };
    try {
      const version = (await run("apptainer", ["--version"])).stdout.trim().replace(/^apptainer version /, "");
      const notes = ["runs .sif files; kill -9 -1 ends its sandbox", "limits need control groups version 2"];
      return { driver: "apptainer", usable: true, version, reason: null, install: null, notes };
    } catch {
      return { ...status, usable: false, reason: "the program apptainer is not installed", install: INSTALL };
    }
  },

  async cleanUp(isGone) {
    const listed = await run("apptainer", ["instance", "list", "--json"]).catch(() => null);
    const { instances = [] } = listed ? (JSON.parse(listed.stdout) as { instances?: { instance: string }[] }) : {};
    for (const { instance } of instances) {
      if (instance.startsWith("misstep-") && isGone(instance.slice(8)))
        await run("apptainer", ["instance", "stop", "--force", instance]).catch(() => undefined);
    }
  },

  async launch({ id, spec, io }: LaunchRequest): Promise<Launched> {
    if (spec.image.kind === "layers") {
      throw new SandboxFailure(
        "unsupported",
        "apptainer runs .sif files, not folders; use bubblewrap for this environment",
      );
    }
    const image = spec.image.kind === "reference" ? spec.image.name : debianRoot().dir;
    const stat = fs.statSync(image, { throwIfNoEntry: false });
    if (!stat) throw new SandboxFailure("cannot-start", `there is no image ${image}`);
    const state = path.join(io, "state");
    fs.mkdirSync(path.join(state, "io"), { recursive: true, mode: 0o777 });
    const name = `misstep-${id}`;
    const args = [
      ...["instance", "start", "--containall", "--no-home", "--cleanenv", "--writable-tmpfs", "--no-privs"],
      ...["--hostname", spec.hostname, "--bind", `${state}:${STATE_DIR}`, "--bind", `${io}:${IO_DIR}:ro`],
      ...(spec.network ? [] : ["--net", "--network", "none"]),
      ...["--memory", String(spec.limits.memoryBytes), "--pids-limit", String(spec.limits.processes), image, name],
    ];
    try {
      await run("apptainer", args, { timeout: 60_000 });
    } catch (error) {
      const { stderr, message } = error as { stderr?: string; message: string };
      throw new SandboxFailure("cannot-start", `apptainer did not start ${image}: ${stderr?.trim() || message}`);
    }
    const loop = ["exec", "--cleanenv", `instance://${name}`, "bash", `${IO_DIR}/loop`, spec.workdir];
    const child = spawn("apptainer", loop, { stdio: ["ignore", "ignore", "pipe"], cwd: "/" });
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
      imageDigest: `${path.basename(image)}:${stat.size}:${Math.trunc(stat.mtimeMs)}`,
      ended,
      async signal(signal) {
        child.kill(signal);
      },
      kill() {
        killed ??= (async () => {
          await run("apptainer", ["instance", "stop", "--force", name]).catch(() => undefined);
          if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
          await ended;
        })();
        return killed;
      },
    };
  },
};
