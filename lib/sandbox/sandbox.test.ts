import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectSandboxHost } from "./client";
import { aboutBubblewrap, SPEC } from "./testing";
import type { Sandbox, SandboxHost } from "./types";

describe.skipIf(aboutBubblewrap)("a sandbox", () => {
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
  const sees = async (command: string) => (await box.exec(command)).observation;

  it("keeps directory and exported variables between commands, and nothing else", async () => {
    await box.exec("mkdir -p '/tmp/a b\n'; cd '/tmp/a b\n'; export A=$'x \\ny\\e'; B=2; f() { :; }; set -u; umask 077");
    expect(await sees('pwd; echo "$A|$B"; umask; type f')).toBe(
      "/tmp/a b\n\nx \ny\u001b|\n0022\n\nbash: line 1: type: f: not found\n\n\n(exit_code=1)",
    );
    await box.exec("cd /; unset A; export -n PAGER");
    expect(await sees('echo "${A-unset} ${PAGER-unset}"; cd - >/dev/null; pwd')).toContain("unset unset\n/tmp/a b");
    await box.exec("cd /app");
  });

  it("the way a command ends is told; leaving the shell early leaves the state as it was", async () => {
    await box.exec("export KEEP=1; cd /app");
    expect(await sees("cd /tmp; export KEEP=2; exit 42")).toBe("(no output)\n\n(exit_code=42)");
    expect(await sees("cd /tmp; kill -9 $$")).toBe("(no output)\n\n(exit_code=137)");
    expect(await sees("set -e; cd /tmp; false; echo never")).toBe("(no output)\n\n(exit_code=1)");
    expect(await sees("exec false")).toBe("(no output)\n\n(exit_code=1)");
    expect(await sees("echo $KEEP; pwd")).toBe("1\n/app\n\n\n(exit_code=0)");
    expect(await sees("if then")).toContain("syntax error near unexpected token `then'");
    expect(await sees("trap 'echo bye' EXIT; export T=1")).toBe("bye\n\n\n(exit_code=0)");
    expect(await sees("echo $T")).toBe("1\n\n\n(exit_code=0)");
  });

  it("tracing shows the command's own lines only, and state that a command spoilt stops no later one", async () => {
    expect(await sees("set -x; cd /app")).toBe("++ cd /app\n\n\n(exit_code=0)");
    await box.exec("cd /run/misstep && rm -f env cwd && mkfifo env cwd");
    const next = await box.exec("echo goes on", { timeoutMs: 5000 });
    expect(next).toMatchObject({ timedOut: false, observation: "goes on\n\n\n(exit_code=0)" });
    await box.exec("rm -f /run/misstep/env /run/misstep/cwd; cd /app; export AGAIN=1");
    expect(await sees("echo $AGAIN; pwd")).toBe("1\n/app\n\n\n(exit_code=0)");
  });

  it("errors name the line of the command as bash -c does", async () => {
    expect(await sees("true\nnonsense")).toBe("bash: line 2: nonsense: command not found\n\n\n(exit_code=127)");
  });

  it("there is nothing to read on standard input", async () => {
    expect(await sees("cat; read x; echo $?")).toBe("1\n\n\n(exit_code=0)");
  });

  it("a command that runs too long is ended with its process group; the sandbox and its state stay", async () => {
    await box.exec("export LIVES=yes");
    const slow = await box.exec("echo before; export LIVES=no; sleep 1000 | cat", { timeoutMs: 300 });
    expect(slow).toMatchObject({ timedOut: true, exitCode: 124, observation: "before\n\n\n(exit_code=124)" });
    expect(await sees("echo $LIVES; pgrep -c sleep")).toBe("yes\n0\n\n\n(exit_code=1)");
  });

  it("what catches TERM is killed after ten seconds, and time counts from the start of the command", async () => {
    const first = box.exec("sleep 0.3");
    const stubborn = box.exec("trap 'echo caught' TERM; while :; do sleep 0.1; done", { timeoutMs: 200 });
    const last = await box.exec("echo quick");
    await first;
    expect(await stubborn).toMatchObject({ timedOut: true, exitCode: 137, stdout: expect.stringContaining("caught") });
    expect(last.stdout).toBe("quick\n");
    expect(last.durationMs).toBeLessThan((await stubborn).durationMs);
  });

  it("a background process that holds the output keeps no command waiting, and never speaks in a later one", async () => {
    const start = await box.exec("(while :; do echo noise; sleep 0.02; done) & echo started");
    expect(start.stdout).toMatch(/^(noise\n)*started\n/);
    for (let i = 0; i < 6; i++) expect((await box.exec("sleep 0.05; echo mine")).stdout).toBe("mine\n");
    await box.exec("(sleep 1000 &) ; (sleep 1000 &); for i in 1 2 3 4 5; do sleep 1000 & done");
    expect((await box.exec("kill %1; pkill sleep; pkill -f noise; echo done")).stdout).toBe("done\n");
  });

  it("/dev/stdout and /dev/stderr can be opened again without losing what was there", async () => {
    expect(await sees("echo a; echo b > /dev/stdout; echo c | tee /dev/stderr; echo d >> /dev/stderr")).toBe(
      "a\nb\nc\n\nc\nd\n\n\n(exit_code=0)",
    );
  });

  it("text comes through unit for unit; broken bytes and NUL stay visible", async () => {
    const result = await box.exec("printf 'ä😀\\0\\377\\r\\n\\e[1mx'; printf 'é' >&2");
    expect(result.stdout).toBe("ä😀\0\ufffd\r\n\u001b[1mx");
    expect(result).toMatchObject({ stderr: "é", stdoutBytes: 15, stderrBytes: 2 });
    const long = "y".repeat(300_000);
    expect((await box.exec(`cat <<'X' | wc -c\n${long}\nX`)).stdout).toBe("300001\n");
    await expect(box.exec("echo \0")).rejects.toMatchObject({ kind: "unsupported" });
  });

  it("the submit marker is noticed", async () => {
    expect((await box.exec("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")).submitted).toBe(true);
    expect((await box.exec("echo done: COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")).submitted).toBe(false);
  });

  it("files go in and come out byte for byte, with their mode and owner", async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 256));
    await box.writeFile("/tests/deep er/it's.bin", bytes, { mode: 0o750 });
    expect((await box.readFile("/tests/deep er/it's.bin")).equals(bytes)).toBe(true);
    expect((await box.exec("stat -c '%a %U %s' \"/tests/deep er/it's.bin\"; pwd")).stdout).toBe(
      "750 user 300000\n/app\n",
    );
    await box.writeFile("/logs/verifier/reward.txt", "");
    expect((await box.readFile("/logs/verifier/reward.txt")).length).toBe(0);
    await expect(box.readFile("/nowhere")).rejects.toThrow(/No such file/);
    await expect(box.readFile("/app")).rejects.toThrow(/Is a directory/);
    await box.exec("export PATH=/nowhere; cd /tmp");
    await box.writeFile("/app/x", "1");
    expect((await box.readFile("/app/x")).toString()).toBe("1");
  });

  it("is the same in every sandbox: process ids, names, environment, digest", async () => {
    const once = async () => {
      const fresh = await host.create({ ...SPEC, env: { OWN: "it's", PAGER: "less" } });
      const first = await fresh.exec(
        "echo $- $$ $PPID; cat /proc/1/comm; ls /proc/self/fd | wc -l; env | sort; id; hostname",
      );
      const second = await fresh.exec("sleep 1000 & echo $! $$; ps -e -o pid,ppid");
      await fresh.dispose();
      return [fresh.imageDigest, first.stdout, second.stdout];
    };
    const one = await once();
    expect(await once()).toEqual(one);
    expect(one[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(one[1]).toMatch(/^hBc 2 1\nbash\n4\n/);
    for (const line of [
      "OWN=it's",
      "PAGER=less",
      "TZ=UTC",
      "TERM=dumb",
      "HOME=/home/user",
      "uid=1000(user) gid=1000(user) groups=1000(user)",
      "box",
    ])
      expect(one[1]?.split("\n")).toContain(line);
  });

  it("layers lie over the base, the first on top, and belong to the user; they are only read", async () => {
    const [top, below] = ["top", "below"].map((name) => path.join(home, name));
    for (const [dir, name, text] of [
      [top, "app/both", "top"],
      [below, "app/both", "below"],
      [below, "app/data/one", "1"],
      [below, "usr/local/bin/hello", "#!/bin/sh\necho hello"],
    ] as const) {
      fs.mkdirSync(path.dirname(path.join(dir as string, name)), { recursive: true });
      fs.writeFileSync(path.join(dir as string, name), text, { mode: 0o755 });
    }
    const spec = {
      ...SPEC,
      image: { kind: "layers" as const, lower: [top as string, below as string] },
      workdir: "/app/data",
    };
    const layered = await host.create(spec);
    const seen = await layered.exec(
      "pwd; cat ../both one; hello; stat -c %U . one ../both; echo more >> one; rm ../both; ls ..; echo new > /usr/local/bin/new",
    );
    await layered.dispose();
    expect(seen.observation).toBe("/app/data\ntop1hello\nuser\nuser\nuser\ndata\n\n\n(exit_code=0)");
    expect(fs.readFileSync(path.join(below as string, "app/data/one"), "utf8")).toBe("1");
    expect(layered.imageDigest).not.toBe(box.imageDigest);
    fs.writeFileSync(path.join(below as string, "app/data/two"), "2");
    const changed = await host.create(spec);
    expect((await changed.exec("cat two")).stdout).toBe("2");
    expect(changed.imageDigest).not.toBe(layered.imageDigest);
    await changed.dispose();
    await expect(
      host.create({ ...spec, image: { kind: "layers", lower: [path.join(home, "none")] } }),
    ).rejects.toMatchObject({ kind: "cannot-start" });
  });

  it("a disposed sandbox answers with a failure, never with a result", async () => {
    const gone = await host.create(SPEC);
    const running = expect(gone.exec("sleep 1000")).rejects.toMatchObject({ name: "SandboxFailure", kind: "died" });
    await gone.dispose();
    await gone.dispose();
    await running;
    await expect(gone.exec("true")).rejects.toMatchObject({ kind: "died" });
  });
});
