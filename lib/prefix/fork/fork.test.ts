import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Sandbox, Terminal } from "@/lib/sandbox/types";
import { Fork, type ForkPlan, IDLE_MS, LONELY_MS } from "./fork";
import type { ForkCommand } from "./types";

const mark = (body: string) => `\u001b]133;${body}\u0007`;
const began = (command: string) => mark(`C;cmdline_url=${encodeURIComponent(command)}`);

/** A sandbox that only has a terminal, whose output the test makes. */
function scripted() {
  const calls: string[] = [];
  let data: (d: Buffer) => void = () => undefined;
  let exit: (reason: string | null) => void = () => undefined;
  const terminal: Terminal = {
    write: (text) => void calls.push(`write ${text}`),
    resize: ({ cols, rows }) => void calls.push(`resize ${cols}x${rows}`),
    onData: (listener) => {
      data = listener;
    },
    onExit: (listener) => {
      exit = listener;
    },
    close: async () => void calls.push("close"),
  };
  const sandbox = {
    terminal: async () => terminal,
    dispose: async () => void calls.push("dispose"),
  } as unknown as Sandbox;
  return { calls, sandbox, print: (text: string) => data(Buffer.from(text)), exit: (r: string | null) => exit(r) };
}

function plan(restore: ForkPlan["restore"], stored: ForkCommand[][] = []): ForkPlan {
  return {
    prefixId: 3,
    commands: 2,
    restore,
    store: (commands) => {
      stored.push([...commands]);
      return 77;
    },
    size: { cols: 100, rows: 30 },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const settle = () => vi.advanceTimersByTimeAsync(1);

test("restores, opens, stores each command as it ends, and leaves nothing when closed", async () => {
  const { calls, sandbox, print } = scripted();
  const stored: ForkCommand[][] = [];
  const fork = new Fork(
    plan(async (onCommand) => {
      onCommand(2);
      return { sandbox };
    }, stored),
  );
  const states: string[] = [];
  const off = fork.listen(() => states.push(fork.view().state));
  await settle();
  expect(fork.view()).toMatchObject({ state: "open", restored: 2, trajectoryId: null });
  fork.type("l");
  fork.type("s\r");
  expect(calls).toEqual([]);
  print(`${mark("D;0")}${mark("A")}$ `);
  fork.resize({ cols: 80, rows: 24 });
  print(`ls\r\n${began("ls")}a\r\nb\r\n${mark("D;0")}${mark("A")}$ `);
  print(`sleep 9${began("sleep 9")}zz`);
  expect(stored).toHaveLength(1);
  expect(fork.view()).toMatchObject({ ran: 1, trajectoryId: 77 });
  await fork.close();
  expect(stored.at(-1)?.map((c) => [c.command, c.output, c.exitCode])).toEqual([
    ["ls", "a\r\nb\r\n", 0],
    ["sleep 9", "zz", null],
  ]);
  expect(fork.view()).toMatchObject({ state: "ended", reason: null, ran: 2 });
  expect(calls).toEqual(["write ls\r", "resize 80x24", "close", "dispose"]);
  expect(states.at(-1)).toBe("ended");
  off();
});

test("a command that cannot be stored is told, the terminal goes on, and the next one stores both", async () => {
  const { sandbox, print } = scripted();
  const stored: ForkCommand[][] = [];
  const works = plan(async () => ({ sandbox }), stored);
  let broken = true;
  const store: ForkPlan["store"] = (commands) => {
    if (broken) throw new Error("disk full");
    return works.store(commands);
  };
  const fork = new Fork({ ...works, store });
  await settle();
  print(`${mark("A")}$ ${began("ls")}a${mark("D;0")}`);
  expect(fork.view()).toMatchObject({ state: "open", reason: "its last command could not be stored: disk full" });
  broken = false;
  print(`${mark("A")}$ ${began("pwd")}b${mark("D;0")}`);
  expect(fork.view()).toMatchObject({ state: "open", reason: null, trajectoryId: 77 });
  expect(stored.at(-1)?.map((c) => c.command)).toEqual(["ls", "pwd"]);
  await fork.close();
});

test("a state that is not reached is failed with its reason; nothing is stored", async () => {
  const stored: ForkCommand[][] = [];
  const fork = new Fork(plan(async () => ({ reason: "command 2 printed something else" }), stored));
  await settle();
  expect(fork.view()).toMatchObject({ state: "failed", reason: "command 2 printed something else" });
  await fork.over;
  expect(stored).toEqual([]);
});

test("a shell that is left ends it; a sandbox that comes after the close is disposed", async () => {
  const one = scripted();
  const left = new Fork(plan(async () => ({ sandbox: one.sandbox })));
  left.listen(() => undefined);
  await settle();
  one.exit(null);
  await left.over;
  expect(left.view()).toMatchObject({ state: "ended", reason: "the shell was left" });

  const two = scripted();
  let reached: (r: { sandbox: Sandbox }) => void = () => undefined;
  const early = new Fork(plan(() => new Promise((resolve) => (reached = resolve))));
  await early.close();
  reached({ sandbox: two.sandbox });
  await settle();
  expect(two.calls).toEqual(["dispose"]);
});

test("it closes by itself when nobody looks or nobody types", async () => {
  const lonely = new Fork(plan(async () => ({ sandbox: scripted().sandbox })));
  await settle();
  await vi.advanceTimersByTimeAsync(LONELY_MS + 10);
  expect(lonely.view()).toMatchObject({ state: "ended", reason: "no page had it open for 2 minutes" });

  const idle = new Fork(plan(async () => ({ sandbox: scripted().sandbox })));
  idle.listen(() => undefined);
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1000);
  idle.type("x");
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1000);
  expect(idle.view().state).toBe("open");
  await vi.advanceTimersByTimeAsync(2000);
  expect(idle.view()).toMatchObject({ state: "ended", reason: "nothing was typed for 30 minutes" });
});
