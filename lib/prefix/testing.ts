import { type ExecResult, type Sandbox, SandboxFailure } from "@/lib/sandbox/types";
import { emptyTrajectory } from "@/lib/trajectory/build";
import type { FormatId, Step, Trajectory } from "@/lib/trajectory/types";

/** Help for tests: an agent step as the product records it. */
export function recordedStep(command: string | null, output = "", exitCode = 0, over: Partial<Step> = {}): Step {
  const content = `${output === "" ? "(no output)" : output}\n\n(exit_code=${exitCode})`;
  return {
    kind: "agent",
    turn: null,
    actor: null,
    thinking: null,
    message: null,
    call: command === null ? null : { id: null, name: "bash", arguments: { command }, command },
    observations:
      command === null
        ? []
        : [{ callId: null, content, output: null, full: null, exitCode, timedOut: false, error: null }],
    time: null,
    durationMs: null,
    usage: null,
    note: command === null ? "format-error" : null,
    copied: false,
    source: [],
    ...over,
  };
}

/** A trajectory of these steps. */
export function recordedTrajectory(steps: Step[], over: Partial<Trajectory> & { format?: FormatId } = {}): Trajectory {
  return { ...emptyTrajectory(over.format ?? "misstep"), name: "t", task: "task", model: "model", steps, ...over };
}

/** What a scripted sandbox answers to a command. */
export type Script = (command: string) => Partial<ExecResult> & { output?: string };

/** A sandbox that answers from a script, and tells what became of it. */
export function scriptedSandbox(script: Script, log: string[] = []): Sandbox & { disposed: number } {
  const unused = () => Promise.reject(new Error("not part of this test"));
  return {
    id: "scripted",
    driver: "bubblewrap",
    imageDigest: "sha256:scripted",
    disposed: 0,
    async exec(command) {
      if (this.disposed > 0) throw new SandboxFailure("died", "the sandbox is gone");
      log.push(command);
      const { output = "", exitCode = 0, ...rest } = script(command);
      await new Promise((resolve) => setImmediate(resolve));
      return {
        observation: `${output === "" ? "(no output)" : output}\n\n(exit_code=${exitCode})`,
        stdout: output,
        stderr: "",
        stdoutBytes: Buffer.byteLength(output),
        stderrBytes: 0,
        exitCode,
        timedOut: false,
        durationMs: 1,
        submitted: false,
        ...rest,
      };
    },
    readFile: unused,
    writeFile: unused,
    terminal: unused,
    async dispose() {
      this.disposed++;
    },
  };
}
