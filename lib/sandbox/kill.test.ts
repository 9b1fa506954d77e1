import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectSandboxHost } from "./client";
import { ownCgroups } from "./drivers/cgroup";
import { aboutBubblewrap, processesWith, SPEC } from "./testing";

const root = path.resolve(import.meta.dirname, "../..");
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(there: () => boolean): Promise<void> {
  while (!there()) await pause(20);
}

const line = (child: ChildProcess, text: string) =>
  new Promise<void>((resolve) => child.stdout?.on("data", (d: Buffer) => d.includes(text) && resolve()));

/** Clients and hosts that end by kill -9 leave nothing: no process, mount, control group or folder. */
describe.skipIf(aboutBubblewrap)("kill -9", () => {
  let home: string;
  const started: ChildProcess[] = [];

  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-kill-"));
    process.env.MISSTEP_HOME = home;
  });
  afterEach(async () => {
    for (const child of started.splice(0)) child.kill("SIGKILL");
    await until(() => processesWith(home).length === 0);
    fs.rmSync(home, { recursive: true, force: true });
  });

  function start(script: string, args: string[] = []): ChildProcess {
    const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    started.push(child);
    return child;
  }

  async function startHost(): Promise<ChildProcess> {
    const host = start(process.env.MISSTEP_SANDBOX_HOST ?? "");
    const socket = path.join(home, "sandbox/host.sock");
    for (;;) {
      const answers = await new Promise<boolean>((resolve) => {
        const probe = net.connect(socket, () => resolve(true)).on("error", () => resolve(false));
        probe.on("connect", () => probe.destroy());
      });
      if (answers) return host;
      await pause(20);
    }
  }

  /** A program that connects, leaves processes of every kind in a sandbox, says so, and waits. */
  async function startClient(mark: string): Promise<ChildProcess> {
    const file = path.join(home, `${mark}.mjs`);
    await build({
      stdin: {
        contents: `
          import { connectSandboxHost } from "@/lib/sandbox/client";
          const host = await connectSandboxHost();
          const box = await host.create(${JSON.stringify(SPEC)});
          await box.exec("setsid -f bash -c ': ${mark}; trap \\"\\" HUP TERM; sleep 1000; :'; nohup bash -c ': ${mark}; sleep 1000; :' &");
          void box.exec("bash -c ': ${mark}; sleep 1000; :'").catch(() => undefined);
          await host.create(${JSON.stringify(SPEC)});
          console.log("ready");
          setInterval(() => undefined, 1000);`,
        resolveDir: root,
      },
      outfile: file,
      bundle: true,
      platform: "node",
      format: "esm",
      absWorkingDir: root,
      alias: { "server-only": path.join(root, "scripts/support/empty.ts") },
    });
    const client = start(file);
    await line(client, "ready");
    expect(processesWith(mark).length).toBeGreaterThanOrEqual(3);
    return client;
  }

  const folders = () => fs.readdirSync(path.join(home, "sandbox")).filter((name) => /^h\d/.test(name));

  it("of a client ends its sandboxes and no others", async () => {
    const hostProcess = await startHost();
    const host = await connectSandboxHost();
    const mine = await host.create(SPEC);
    await mine.exec("export HERE=1");
    const client = await startClient("killedclient");
    client.kill("SIGKILL");
    await until(() => processesWith("killedclient").length === 0 && ownCgroups().length <= 2);
    // Its own, one that is ready for the next, and the stock of FIFOs.
    await until(() => fs.readdirSync(path.join(home, "sandbox", folders()[0] as string)).length <= 3);
    expect((await mine.exec("echo $HERE")).stdout).toBe("1\n");
    await host.close();
    hostProcess.kill("SIGTERM");
    await until(() => folders().length === 0 && processesWith(home).length === 0);
    expect(ownCgroups()).toEqual([]);
  });

  it("of a client with a host of its own ends that too", async () => {
    const client = await startClient("killedalone");
    client.kill("SIGKILL");
    await until(() => processesWith("killedalone").length === 0 && processesWith(home).length === 0);
    await until(() => folders().length === 0);
    expect(ownCgroups()).toEqual([]);
  });

  it("of the host ends all sandboxes, its clients are told, and the next host clears up", async () => {
    const first = await startHost();
    const client = await startClient("killedhost");
    const host = await connectSandboxHost();
    const box = await host.create(SPEC);
    const running = expect(box.exec("sleep 1000")).rejects.toMatchObject({ kind: "host-gone" });
    first.kill("SIGKILL");
    await running;
    await expect(host.create(SPEC)).rejects.toMatchObject({ kind: "host-gone" });
    client.kill("SIGKILL");
    await until(() => processesWith("killedhost").length === 0 && processesWith(home).length === 0);

    await startHost();
    const again = await connectSandboxHost();
    const fresh = await again.create(SPEC);
    expect((await fresh.exec("echo on")).stdout).toBe("on\n");
    await fresh.dispose();
    await until(() => folders().length === 1 && ownCgroups().length === 0);
    await again.close();
    expect(fs.readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(home);
  });

  it("of the host at any moment of a start leaves nothing either", async () => {
    for (let round = 0; round < 6; round++) {
      const hostProcess = await startHost();
      const host = await connectSandboxHost();
      const made = [host.create(SPEC), host.create(SPEC), host.create(SPEC)];
      for (const one of made) one.catch(() => undefined);
      await pause(round * 35);
      hostProcess.kill("SIGKILL");
      await Promise.allSettled(made);
      await host.close();
    }
    await startHost();
    const last = await connectSandboxHost();
    await (await last.create(SPEC)).dispose();
    await until(() => folders().length === 1 && ownCgroups().length === 0);
    await until(() => processesWith(path.join(home, "sandbox")).length === 0);
    await last.close();
  });
});
