import { execFileSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectSandboxHost } from "./client";
import { ownCgroups } from "./drivers/cgroup";
import { aboutBubblewrap, processesWith, SPEC } from "./testing";
import type { ExecResult, Sandbox, SandboxHost, SandboxSpec } from "./types";

/** As whom the sandbox host runs. Root's sandboxes get control groups and an id of their own, other people's do not. */
const people = process.getuid?.() === 0 ? (["root", "a plain user"] as const) : (["a plain user"] as const);
const PLAIN = 23_456;

/** What a sandbox must never do, tried for real. After each attempt the next sandbox works and the machine is as before. */
describe.skipIf(aboutBubblewrap).each(people)("containment, started by %s", (who) => {
  const hostScript = process.env.MISSTEP_SANDBOX_HOST ?? "";
  let home: string;
  let host: SandboxHost;
  const small: SandboxSpec = {
    ...SPEC,
    limits: {
      ...SPEC.limits,
      memoryBytes: 128 * 1024 ** 2,
      processes: 40,
      fileBytes: 8 * 1024 ** 2,
      rootBytes: 32 * 1024 ** 2,
    },
  };

  beforeAll(async () => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-containment-"));
    process.env.MISSTEP_HOME = home;
    fs.writeFileSync(path.join(home, "secret-of-the-home"), "s3cret");
    if (who === "a plain user" && process.getuid?.() === 0) asPlainUser();
    host = await connectSandboxHost();
  });
  afterAll(async () => {
    process.env.MISSTEP_SANDBOX_HOST = hostScript;
    await host?.close();
    expect(ownCgroups()).toEqual([]);
    expect(processesWith(home)).toEqual([]);
    expect(fs.readdirSync(path.join(home, "sandbox")).filter((name) => /^h\d/.test(name))).toEqual([]);
    expect(fs.readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(home);
    fs.rmSync(home, { recursive: true, force: true });
  });

  /** The next private host gives up being root, for good, before it does anything. */
  function asPlainUser(): void {
    const script = path.join(home, "plain-host.mjs");
    const copy = path.join(home, "host.mjs");
    fs.copyFileSync(hostScript, copy);
    fs.writeFileSync(
      script,
      `process.setgroups([]); process.setgid(${PLAIN}); process.setuid(${PLAIN}); await import(${JSON.stringify(copy)});`,
    );
    fs.mkdirSync(path.join(home, "sandbox"));
    execFileSync("chown", ["-R", `${PLAIN}:${PLAIN}`, home]);
    process.env.MISSTEP_SANDBOX_HOST = script;
  }

  async function inside<T>(spec: SandboxSpec, work: (box: Sandbox) => Promise<T>): Promise<T> {
    const box = await host.create(spec);
    try {
      return await work(box);
    } finally {
      await box.dispose();
    }
  }

  async function nextWorks(): Promise<void> {
    const result = await inside(SPEC, (box) => box.exec("echo fine; ls -A /app; ls -A /tmp"));
    expect(result.observation).toBe("fine\n\n\n(exit_code=0)");
  }

  it("a fork bomb ends with its sandbox", async () => {
    const mark = `bomb${process.pid}${who.length}`;
    await inside(small, async (box) => {
      const other = await host.create(SPEC);
      await box.exec(`b() { bash -c ': ${mark}; sleep 100' & b & b; }; b`, { timeoutMs: 1500 }).catch(() => undefined);
      expect(processesWith(mark).length).toBeLessThanOrEqual(40);
      expect((await other.exec("echo alive")).stdout).toBe("alive\n");
      await other.dispose();
    });
    expect(processesWith(mark)).toEqual([]);
    await nextWorks();
  });

  it("a file cannot grow over its limit, nor all files over that of the root", async () => {
    await inside(small, async (box) => {
      const one = await box.exec("cat /dev/zero > big; stat -c %s big");
      expect(one.stdout).toBe(`${8 * 1024 ** 2}\n`);
      const all = await box.exec("for i in 1 2 3 4 5 6; do cat /dev/zero > big$i; done; du -sm /app | cut -f1");
      expect(all.stderr).toMatch(/No space left on device/);
      expect(Number(all.stdout)).toBeLessThanOrEqual(33);
      expect((await box.exec("rm big*; echo still > here; cat here")).stdout).toBe("still\n");
    });
    await nextWorks();
  });

  it("output without end is shortened and does not fill anything", async () => {
    const result = await inside(small, (box) => box.exec("yes", { timeoutMs: 500 }));
    expect(result).toMatchObject({ timedOut: true, exitCode: 124 });
    expect(result.stdoutBytes).toBeGreaterThan(1_000_000);
    expect(result.observation.length).toBeLessThan(10_500);
    await nextWorks();
  });

  it("a process that takes too much memory is ended, the sandbox stays", async () => {
    await inside(small, async (box) => {
      const hog = await box.exec("head -c 1500M /dev/zero | tail; echo ${PIPESTATUS[1]}");
      expect(hog.stdout.trim()).toMatch(/^(137|1)$/);
      expect((await box.exec("echo still")).stdout).toBe("still\n");
    });
    await nextWorks();
  });

  it("kill -9 -1 ends the command and what it left, not the sandbox", async () => {
    await inside(SPEC, async (box) => {
      await box.exec("cd /tmp; export KEPT=1; nohup sleep 1000 >/dev/null 2>&1 &");
      expect((await box.exec("/bin/kill -9 -1")).exitCode).toBe(137);
      expect((await box.exec("kill -9 1; kill -STOP 1; pwd; echo $KEPT; pgrep -c sleep")).stdout).toBe("/tmp\n1\n0\n");
    });
    await nextWorks();
  });

  it("writing to /etc and /usr changes the throw-away root only", async () => {
    const before = fs.readFileSync("/etc/passwd", "utf8");
    await inside(SPEC, async (box) => {
      const wrote = await box.exec(
        "echo evil::0:0::/:/bin/sh >> /etc/passwd; echo x > /usr/bin/misstep-evil; rm -f /usr/bin/env; grep -c evil /etc/passwd",
      );
      expect(wrote.stdout).toBe("1\n");
    });
    expect(fs.readFileSync("/etc/passwd", "utf8")).toBe(before);
    expect(fs.existsSync("/usr/bin/misstep-evil")).toBe(false);
    expect(fs.existsSync("/usr/bin/env")).toBe(true);
    expect(
      (await inside(SPEC, (box) => box.exec("grep -c evil /etc/passwd; ls /usr/bin/env /usr/bin/misstep-evil"))).stdout,
    ).toBe("0\n/usr/bin/env\n");
    await nextWorks();
  });

  it("nothing of the machine's home folders, secrets or MISSTEP_HOME is visible", async () => {
    await inside(SPEC, async (box) => {
      const places = [home, os.homedir(), process.cwd(), "/etc/shadow", "/etc/ssh", "/var/lib/dpkg", "/sys/kernel"];
      const seen = await box.exec(
        `ls -d ${places.filter((p) => p !== "/root").join(" ")}; ls -A /root /home; cat /run/misstep/io/*secret* `,
      );
      expect(seen.stdout).toBe("/home:\nuser\n\n/root:\n");
      const found = await box.exec(
        "find / -name 'secret-of-the-home' 2>/dev/null; grep -rsl s3cret /proc/self/environ /run /etc",
      );
      expect(found.stdout).toBe("");
      expect((await box.exec("mount; env; cat /proc/*/cmdline")).stdout).not.toContain(home);
    });
  });

  it("links and /proc lead to the sandbox's own files, whoever follows them", async () => {
    const outside = path.join(home, "secret-of-the-home");
    await inside(SPEC, async (box) => {
      await box.exec(
        `p=/proc r=root; ln -s ${outside} a; ln -s $p/1/$r${outside} b; ln -s $p/self/$r/etc/shadow c; ln -s ${home} d`,
      );
      for (const file of ["a", "b", "c", "d/secret-of-the-home"])
        await expect(box.readFile(`/app/${file}`)).rejects.toThrow(/No such file|Permission denied/);
      await expect(box.readFile(`/proc/self/root${outside}`)).rejects.toThrow(/No such file/);
      await box.writeFile("/app/a", "mine");
      await expect(box.writeFile("/app/d/e", "mine")).rejects.toThrow(/cannot create/);
      expect(fs.readFileSync(outside, "utf8")).toBe("s3cret");
      expect(fs.existsSync(path.join(home, "e"))).toBe(false);

      const tricks = await box.exec(
        [
          "cat /proc/1/environ",
          "ls /proc/1/fd/",
          "cat /proc/1/mem",
          "echo 1 > /proc/1/oom_score_adj",
          "echo h > /proc/sysrq-trigger",
          "echo '|/tmp/x' > /proc/sys/kernel/core_pattern",
          "head -c1 /proc/kcore",
          "mount -t tmpfs x /mnt",
          "unshare -U true",
          "unshare -m true",
          "chroot / true",
          "mknod z b 8 0",
          "dmesg",
          "echo > /run/misstep/io/new",
          "rm -f /run/misstep/io/0.o",
          "chmod 700 /run/misstep/io",
          "cat /run/misstep/bash",
        ]
          .map((trick) => `(${trick}) >/dev/null 2>&1 && echo ${JSON.stringify(trick)}`)
          .join("; "),
      );
      expect(tricks.stdout).toBe("");
      const status = await box.exec(
        "grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs):' /proc/self/status | sort -u -k2",
      );
      expect(status.stdout.replaceAll(/\s+/g, " ")).toMatch(/^Cap\w+: 0000000000000000 NoNewPrivs: 1 $/);
    });
    await nextWorks();
  });

  it("a forged answer is not taken for one", async () => {
    await inside(SPEC, async (box) => {
      await box.exec(
        "for f in /run/misstep/io/*; do [ -p $f ] && (timeout 1 bash -c \"echo 'x 0 0 0' > $f\" & ); done; true",
      );
      expect((await box.exec("exit 7")).exitCode).toBe(7);
    });
  });

  it("what left its session and process group ends with the sandbox", async () => {
    const mark = `survivor${process.pid}${who.length}`;
    const result: ExecResult = await inside(SPEC, async (box) => {
      const one = await box.exec(
        `setsid -f bash -c ': ${mark}; trap "" HUP TERM; sleep 1000; :'; nohup bash -c ': ${mark}; sleep 1000; :' & (bash -c ': ${mark}; sleep 1000; :' &)`,
      );
      await box.exec(`until [ $(pgrep -fc ${mark}) -ge 3 ]; do sleep 0.01; done`);
      expect(processesWith(mark).length).toBeGreaterThanOrEqual(3);
      return one;
    });
    expect(result.exitCode).toBe(0);
    expect(processesWith(mark)).toEqual([]);
  });

  it("there is no network, not even the machine's own", async () => {
    const server = net.createServer((socket) => socket.end("hello"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as net.AddressInfo;
    const result = await inside(SPEC, (box) =>
      box.exec(`sed 1,2d /proc/net/dev | cut -d: -f1; cat < /dev/tcp/127.0.0.1/${port}; cat < /dev/tcp/1.1.1.1/80`),
    );
    server.close();
    expect(result.stdout.trim()).toBe("lo");
    expect(result.stderr).toMatch(/Connection refused[\s\S]*(Network is unreachable|No route)/);
  });

  it("processes of two sandboxes neither see nor reach each other", async () => {
    await inside(SPEC, async (one) =>
      inside(SPEC, async (two) => {
        await one.exec("sleep 1000 & echo here > /tmp/shared");
        expect((await two.exec("pgrep -c sleep; ls /tmp; ls /dev/shm")).stdout).toBe("0\n");
      }),
    );
  });
});
