import { expect, test } from "vitest";
import { SandboxFailure } from "@/lib/sandbox/types";
import type { Step } from "@/lib/trajectory/types";
import { replayOf } from "./replay";
import { RerunCancelled, type RerunMode, rerunPrefix } from "./rerun";
import { recordedStep, type Script, scriptedSandbox } from "./testing";

const never = new AbortController().signal;
const echo: Script = (command) => ({ output: command.replace("echo ", "") });

async function run(
  steps: Step[],
  script: Script,
  mode: RerunMode = "stop",
  format: "misstep" | "mini-swe-agent-2" = "misstep",
) {
  const log: string[] = [];
  const sandbox = scriptedSandbox(script, log);
  const result = await rerunPrefix(replayOf(format, steps, steps.length), async () => sandbox, { mode, signal: never });
  expect(sandbox.disposed).toBe(1);
  return { result, log };
}

test("every command in order, all equal: exact, and kept under every rule", async () => {
  const { result, log } = await run([recordedStep("echo a", "a"), recordedStep("echo b", "b")], echo);
  expect(result).toMatchObject({
    verdict: "exact",
    voidReason: null,
    kept: { exact: true, normalised: true, exitCode: true },
  });
  expect(log).toEqual(["echo a", "echo b"]);
});

test("stops at the first difference; what the rest would have come to is not known", async () => {
  const steps = [recordedStep("date", "18:30:08"), recordedStep("echo b", "b")];
  const { result, log } = await run(steps, (c) => (c === "date" ? { output: "18:31:00" } : echo(c)));
  expect(result).toMatchObject({ verdict: "different", kept: { exact: false, normalised: null, exitCode: null } });
  expect(result.commands.at(-1)?.diagnosis?.cause).toBe("time");
  expect(log).toEqual(["date"]);
});

test("through: runs to the end, and the other rules are known", async () => {
  const steps = [recordedStep("date", "18:30:08"), recordedStep("echo b", "b"), recordedStep("wc x", "3", 0)];
  const script: Script = (c) => (c === "date" ? { output: "18:31:00" } : c === "wc x" ? { output: "4" } : echo(c));
  const { result, log } = await run(steps, script, "through");
  expect(result.kept).toEqual({ exact: false, normalised: false, exitCode: true });
  expect(log).toHaveLength(3);
});

test("a step without a command replays as its fixed message: nothing runs for it", async () => {
  const { result, log } = await run([recordedStep(null), recordedStep("echo a", "a")], echo);
  expect(result.verdict).toBe("exact");
  expect(log).toEqual(["echo a"]);
});

test.each<[string, Step, RegExp]>([
  [
    "recorded time-out",
    { ...recordedStep("sleep 500"), observations: [{ ...recordedStep("x").observations[0]!, timedOut: true }] },
    /entry 0 .*time limit/,
  ],
  [
    "a tool that is no shell",
    recordedStep("x", "", 0, { call: { id: null, name: "edit", arguments: {}, command: null } }),
    /the tool "edit"/,
  ],
  [
    "typed keys",
    recordedStep("x", "", 0, { call: { id: null, name: "keystrokes", arguments: {}, command: "ls\n" } }),
    /keys/,
  ],
  ["nothing recorded", recordedStep("x", "", 0, { observations: [] }), /no recorded output/],
])("%s: void before anything starts", async (_, step, reason) => {
  const result = await rerunPrefix(replayOf("misstep", [step], 1), () => Promise.reject(new Error("must not start")), {
    mode: "stop",
    signal: never,
  });
  expect(result).toMatchObject({ verdict: "void", commands: [], driver: null });
  expect(result.voidReason).toMatch(reason);
});

test("an environment that cannot be opened, a sandbox that dies, a command over its limit: void, never different", async () => {
  const steps = [recordedStep("echo a", "a"), recordedStep("echo b", "b")];
  const noFiles = await rerunPrefix(
    replayOf("misstep", steps, 2),
    () => Promise.reject(new Error("its files are not on this machine")),
    { mode: "stop", signal: never },
  );
  expect(noFiles).toMatchObject({
    verdict: "void",
    voidReason: "environment not available: its files are not on this machine",
  });
  const dies = await run(steps, (c) => {
    if (c === "echo b") throw new SandboxFailure("died", "killed as a whole");
    return echo(c);
  });
  expect(dies.result).toMatchObject({ verdict: "void", kept: { exact: null } });
  expect(dies.result.voidReason).toMatch(/command 2 of 2: killed as a whole/);
  const slow = await run(steps, (c) => ({ ...echo(c), timedOut: true, exitCode: 124 }));
  expect(slow.result).toMatchObject({ verdict: "void" });
});

test("a difference found before the sandbox died stays a difference, and says why it went no further", async () => {
  const steps = [recordedStep("echo a", "x"), recordedStep("echo b", "b")];
  const { result } = await run(
    steps,
    (c) => {
      if (c === "echo b") throw new SandboxFailure("died", "gone");
      return echo(c);
    },
    "through",
  );
  expect(result).toMatchObject({ verdict: "different", kept: { exact: false, normalised: false, exitCode: null } });
  expect(result.voidReason).toMatch(/gone/);
});

test("without a sandbox host nothing is said", async () => {
  const replay = replayOf("misstep", [recordedStep("echo a", "a")], 1);
  const gone = () => Promise.reject(new SandboxFailure("host-gone", "the host ended"));
  await expect(rerunPrefix(replay, gone, { mode: "stop", signal: never })).rejects.toThrow("the host ended");
});

test("cancelled in flight: the sandbox is disposed and there is no result", async () => {
  const stop = new AbortController();
  const sandbox = scriptedSandbox((c) => {
    stop.abort();
    return echo(c);
  });
  const replay = replayOf("misstep", [recordedStep("echo a", "a"), recordedStep("echo b", "b")], 2);
  await expect(rerunPrefix(replay, async () => sandbox, { mode: "stop", signal: stop.signal })).rejects.toThrow(
    RerunCancelled,
  );
  expect(sandbox.disposed).toBeGreaterThan(0);
});

/** A step as mini-SWE-agent wrote it. */
function miniStep(command: string, content: string, exitCode = 0): Step {
  const start = content.indexOf("<output>\n") + 9;
  const range: [number, number] | null = start > 8 ? [start, content.lastIndexOf("</output>")] : null;
  return recordedStep(command, "", 0, {
    observations: [{ callId: null, content, output: range, full: null, exitCode, timedOut: false, error: null }],
  });
}

test("another harness: its terminal output and exit code are compared, each command in a shell of its own", async () => {
  const step = miniStep("cd /tmp && pwd", "<returncode>0</returncode>\n<output>\n/tmp\n</output>");
  const { result, log } = await run([step], () => ({ output: "/tmp\n" }), "stop", "mini-swe-agent-2");
  expect(result.verdict).toBe("exact");
  expect(log).toEqual(["(\ncd /tmp && pwd\n)"]);
  expect(replayOf("mini-swe-agent-2", [step], 1)).toMatchObject({ basis: "output" });
  const other = await run([step], () => ({ output: "/tmp\n", exitCode: 1 }), "stop", "mini-swe-agent-2");
  expect(other.result).toMatchObject({ verdict: "different", kept: { exitCode: false } });
});

test("another harness: what it shortened, or does not set apart, cannot be compared", () => {
  const cut = miniStep(
    "seq 9999",
    "<returncode>0</returncode>\n<output_head>\n1\n</output_head>\n<elided_chars>9 elided</elided_chars>",
  );
  expect(replayOf("mini-swe-agent-2", [cut], 1)).toMatchObject({
    kind: "void",
    reason: expect.stringMatching(/shortened/),
  });
  expect(replayOf("chat", [miniStep("ls", "a b c")], 1)).toMatchObject({
    kind: "void",
    reason: expect.stringMatching(/does not say/),
  });
});

test("the wrapper of our own kind is compared as a whole, whoever recorded it", async () => {
  const step = recordedStep("echo a", "a");
  expect(replayOf("atif", [step], 1)).toMatchObject({ kind: "commands", basis: "observation" });
});

test("copied context and demonstrations are no part of what is run", () => {
  const steps = [
    recordedStep("echo a", "a", 0, { copied: true }),
    recordedStep("echo b", "b", 0, { note: "demonstration" }),
    recordedStep("echo c", "c"),
  ];
  expect(replayOf("misstep", steps, 3)).toMatchObject({ steps: [{ index: 2, command: "echo c" }] });
});

test("a rejected step is no part of what is run, the correction in its place is", () => {
  const steps = [
    recordedStep("echo a", "a"),
    { ...recordedStep("echo wrong"), observations: [], note: "rejected" as const },
    recordedStep("echo right", "right", 0, { note: "correction" }),
    recordedStep("echo b", "b"),
  ];
  const commands = (upTo: number) => {
    const replay = replayOf("misstep", steps, upTo);
    return replay.kind === "commands" ? replay.steps.map((s) => s.command) : replay.reason;
  };
  expect(commands(1)).toEqual(["echo a"]);
  expect(commands(4)).toEqual(["echo a", "echo right", "echo b"]);
});
