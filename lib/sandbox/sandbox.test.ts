import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectSandboxHost } from "./client";
import { DEFAULT_LIMITS, type Sandbox, type SandboxHost, type SandboxSpec } from "./types";

const SPEC: SandboxSpec = {
  driver: "bubblewrap",
  image: { kind: "base" },
  workdir: "/app",
  env: {},
  hostname: "box",
  network: false,
  limits: DEFAULT_LIMITS,
};
let home: string;
let host: SandboxHost;
let box: Sandbox;

beforeAll(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-sandbox-"));
  process.env.MISSTEP_HOME = home;
  host = await connectSandboxHost();
  box = await host.create(SPEC);
});
afterAll(async () => {
  await host?.close();
  fs.rmSync(home, { recursive: true, force: true });
});

it("keeps directory and exported variables between commands, and nothing else", async () => {
  await box.exec("cd /tmp; export A='x y'; B=2; f() { :; }");
  expect((await box.exec('pwd; echo "$A|$B"; type f')).observation).toBe(
    "/tmp\nx y|\n\nbash: line 1: type: f: not found\n\n\n(exit_code=1)",
  );
});

it("starts every command as a fresh bash of the same first process", async () => {
  const fresh = await host.create(SPEC);
  const first = await fresh.exec("echo $- $$ $PPID; cat /proc/1/comm; ls /proc/self/fd | wc -l");
  await fresh.dispose();
  expect(first.stdout).toBe("hBc 3 1\nbash\n4\n");
});
