import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectSandboxHost } from "@/lib/sandbox/client";
import { SPEC } from "@/lib/sandbox/testing";
import type { SandboxHost, SandboxSpec } from "@/lib/sandbox/types";
import { podman } from "./container";

const home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-podman-"));
process.env.MISSTEP_HOME = home;
const { usable, reason } = await podman.status();
if (!usable) process.stdout.write(`Tests of podman are skipped: ${reason}\n`);

const PROGRAMS = "bash cat chmod head id ls mkdir rm script sleep stty tty pgrep".split(" ");
const IMAGE = `localhost/misstep-test:${process.pid}`;

/** A root of a few programs of this machine and the libraries they name. */
function smallRoot(dir: string): void {
  const files = new Set(PROGRAMS.map((p) => execFileSync("which", [p], { encoding: "utf8" }).trim()));
  for (const file of [...files]) {
    const libraries = execFileSync("ldd", [file], { encoding: "utf8" });
    for (const [, library] of libraries.matchAll(/(\/\S+) \(0x/g)) files.add(library as string);
  }
  for (const file of files) {
    const to = path.join(dir, file);
    fs.mkdirSync(path.dirname(to), { recursive: true });
    fs.copyFileSync(file, to);
  }
}

describe.skipIf(!usable)("podman", () => {
  let host: SandboxHost;
  const spec: SandboxSpec = {
    ...SPEC,
    driver: "podman",
    image: { kind: "reference", name: IMAGE },
    limits: { ...SPEC.limits, memoryBytes: 64 * 1024 ** 2, processes: 30 },
  };
  const containers = () => execFileSync("podman", ["ps", "-a", "--format", "{{.Names}}"], { encoding: "utf8" });

  beforeAll(async () => {
    const root = path.join(home, "root");
    smallRoot(root);
    const tar = execFileSync("tar", ["-C", root, "-c", "."], { maxBuffer: 512 * 1024 ** 2 });
    execFileSync("podman", ["import", "-", IMAGE], { input: tar, stdio: ["pipe", "ignore", "ignore"] });
    host = await connectSandboxHost();
  }, 120_000);
  afterAll(async () => {
    await host?.close();
    execFileSync("podman", ["rmi", "--force", IMAGE], { stdio: "ignore" });
    fs.rmSync(home, { recursive: true, force: true });
  }, 60_000);

  it("runs commands with the semantics of every sandbox, contained, and is gone afterwards", async () => {
    const box = await host.create({ ...spec, env: { OWN: "1" }, workdir: "/made/here" });
    expect(box.imageDigest).toMatch(/^[0-9a-f]{64}$/);
    expect((await box.exec("export A=2; cd /; echo $OWN; nosuch")).observation).toBe(
      "1\n\nbash: line 1: nosuch: command not found\n\n\n(exit_code=127)",
    );
    expect((await box.exec("pwd; echo $A; cd /made/here && echo there")).stdout).toBe("/\n2\nthere\n");
    expect(await box.exec("sleep 1000", { timeoutMs: 300 })).toMatchObject({ timedOut: true, exitCode: 124 });
    await box.writeFile("/tests/x", Buffer.from([0, 255, 10]), { mode: 0o700 });
    expect([...(await box.readFile("/tests/x"))]).toEqual([0, 255, 10]);
    expect((await box.exec("kill -9 1; kill -9 -1; echo on")).stdout).toBe("on\n");
    expect((await box.exec("while :; do x=$x$x.................................; done")).exitCode).not.toBe(0);
    const bomb = await box.exec("for i in {1..100}; do sleep 1000 & done; true", { timeoutMs: 20_000 });
    expect(bomb.stderr).toMatch(/Resource temporarily unavailable/);
    expect(containers()).toContain(box.id);
    await box.dispose();
    expect(containers()).not.toContain(box.id);
  }, 120_000);

  it("says what is missing", async () => {
    const none = { kind: "reference" as const, name: "localhost/misstep-none:1" };
    await expect(host.create({ ...spec, image: none })).rejects.toMatchObject({ kind: "cannot-start" });
    await expect(host.create({ ...spec, image: { kind: "layers", lower: ["/x"] } })).rejects.toMatchObject({
      kind: "unsupported",
    });
    const drivers = await host.drivers();
    expect(drivers.map((d) => d.driver)).toEqual(["bubblewrap", "podman", "docker", "apptainer"]);
    for (const driver of drivers) expect(driver.usable || (driver.reason && driver.install)).toBeTruthy();
  }, 60_000);
});
