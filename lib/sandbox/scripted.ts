import { type ExecResult, type Sandbox, SandboxFailure } from "./types";

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
