import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectSandboxHost } from "./client";
import { MarkReader, type TerminalEvent } from "./marks";
import { aboutBubblewrap, SPEC } from "./testing";
import type { Sandbox, SandboxHost, Terminal } from "./types";

let home: string;
let host: SandboxHost;

beforeAll(async () => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "misstep-terminal-"));
  process.env.MISSTEP_HOME = home;
  host = await connectSandboxHost();
});
afterAll(async () => {
  await host?.close();
  fs.rmSync(home, { recursive: true, force: true });
});

/** A terminal with everything it says, and a way to wait for something. */
class Reader {
  text = "";
  events: TerminalEvent[] = [];
  private wake: () => void = () => undefined;

  constructor(terminal: Terminal) {
    const marks = new MarkReader();
    terminal.onData((data) => {
      this.text += data.toString("utf8");
      this.events.push(...marks.push(data));
      this.wake();
    });
  }

  async until(there: (r: Reader) => boolean): Promise<void> {
    while (!there(this))
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
  }
}

async function open(box: Sandbox): Promise<[Terminal, Reader]> {
  const terminal = await box.terminal({ cols: 91, rows: 27 });
  const reader = new Reader(terminal);
  await reader.until((r) => r.events.some((e) => e.kind === "prompt"));
  return [terminal, reader];
}

const exits = (r: Reader) => r.events.filter((e) => e.kind === "exit").length;

it.skipIf(aboutBubblewrap)(
  "a terminal goes on where the last command stopped, and the next command where it stopped",
  async () => {
    const box = await host.create(SPEC);
    await box.exec("mkdir -p /app/deep && cd /app/deep && export FROM='exec é'");
    const [terminal, reader] = await open(box);
    terminal.write('stty size; pwd; echo "<$FROM>"\r');
    await reader.until((r) => exits(r) === 1);
    terminal.write("cd /tmp; export BACK='ä b'; false\r");
    await reader.until((r) => exits(r) === 2);
    terminal.resize({ cols: 120, rows: 40 });
    await box.exec("true");
    terminal.write("stty size\r");
    await reader.until((r) => exits(r) === 3);

    const commands = reader.events.flatMap((e) => (e.kind === "command" ? [e.command] : []));
    expect(commands).toEqual(['stty size; pwd; echo "<$FROM>"', "cd /tmp; export BACK='ä b'; false", "stty size"]);
    expect(reader.events.flatMap((e) => (e.kind === "exit" ? [e.exitCode] : []))).toEqual([0, 1, 0]);
    const output = reader.events.flatMap((e) => (e.kind === "output" ? [e.text] : [])).join("");
    expect(output).toContain("27 91\r\n/app/deep\r\n<exec é>\r\n");
    expect(output).toContain("40 120\r\n");

    const after = await box.exec('pwd; echo "$BACK $TERM"; tty; ls /proc/self/fd | wc -l');
    expect(after.stdout).toBe("/tmp\nä b dumb\nnot a tty\n4\n");
    const exited = new Promise((resolve) => terminal.onExit(resolve));
    terminal.write("exit\r");
    expect(await exited).toBeNull();
    expect((await box.exec("pwd")).stdout).toBe("/tmp\n");
    await box.dispose();
  },
);

it.skipIf(aboutBubblewrap)("closing a terminal ends what runs in it, and another can be opened", async () => {
  const box = await host.create(SPEC);
  const [terminal] = await open(box);
  terminal.write("sleep 1000\r");
  await box.exec("until pgrep -x sleep; do :; done");
  await terminal.close();
  await box.exec("while pgrep -x sleep; do :; done");
  const [again, reader] = await open(box);
  again.write("echo a\\\n b\r");
  await reader.until((r) => exits(r) === 1);
  const gone = new Promise((resolve) => again.onExit(resolve));
  await box.dispose();
  expect(await gone).toMatch(/disposed/);
});
