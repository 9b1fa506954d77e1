import "server-only";
import type { ExecResult, Sandbox } from "@/lib/sandbox/types";
import { emptyStep, emptyTrajectory, observation } from "@/lib/trajectory/build";
import { outcomeOf } from "@/lib/trajectory/outcome";
import { unwrapOutput } from "@/lib/trajectory/outputs";
import type { Instant, Observation, Step, Trajectory } from "@/lib/trajectory/types";
import type { RecordedCommand } from "./commands";
import { type OpenEnvironment, runTests } from "./run";
import type { TestRun } from "./types";

/** Agent of trajectories that were recorded from a list of commands. */
export const RECORDED_AGENT = "recorded";

export interface RecordOptions {
  /** Run the hidden tests after the last command. */
  test?: boolean;
  /** Milliseconds a command may run. */
  timeoutMs?: number;
  /** Called after each command: number from 1. */
  onStep?: (number: number, command: string, result: ExecResult) => void;
}

const instant = (ms: number): Instant => ({ raw: new Date(ms).toISOString(), ms, zoned: true });

/** The observation of a command as a trajectory holds it: `content` is exactly what a policy would have seen. */
export function observed(result: ExecResult): Observation {
  const item = observation(result.observation);
  item.exitCode = result.exitCode;
  unwrapOutput(item);
  item.timedOut = result.timedOut;
  const whole =
    result.stdoutBytes === Buffer.byteLength(result.stdout) && result.stderrBytes === Buffer.byteLength(result.stderr);
  const all = result.stderr === "" ? result.stdout : `${result.stdout}\n${result.stderr}`;
  if (whole && all.length > result.observation.length) item.full = all;
  return item;
}

/** One recorded step: thinking, a call of the one tool `bash`, its observation, when it began and how long it ran. */
export function recordedStep(turn: number, command: RecordedCommand, result: ExecResult, startedAt: number): Step {
  const step = emptyStep("agent", turn);
  step.thinking = command.thinking;
  step.call = { id: null, name: "bash", arguments: { command: command.command }, command: command.command };
  step.observations = [observed(result)];
  step.time = instant(startedAt);
  step.durationMs = result.durationMs;
  return step;
}

async function runAll(sandbox: Sandbox, commands: readonly RecordedCommand[], steps: Step[], options: RecordOptions) {
  for (const [turn, command] of commands.entries()) {
    const startedAt = Date.now();
    const result = await sandbox.exec(
      command.command,
      options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs },
    );
    steps.push(recordedStep(turn, command, result, startedAt));
    options.onStep?.(turn + 1, command.command, result);
    if (result.submitted) return { submitted: true, left: commands.length - turn - 1 };
  }
  return { submitted: false, left: 0 };
}

function setOutcome(trajectory: Trajectory, tests: TestRun): void {
  trajectory.reward = tests.reward;
  trajectory.rewards = tests.rewards;
  trajectory.outcome = outcomeOf(tests.reward);
  if (tests.log !== "") trajectory.artifacts.push({ name: "verifier/test-stdout.txt", text: tests.log });
  if (tests.status === "void")
    trajectory.warnings.push({ path: "verifier", message: `void: ${tests.voidReason}; there is no outcome` });
}

/**
 * Runs commands in order in an open environment and writes down what a policy would have seen. Ends at a submission.
 * Throws SandboxFailure when the sandbox fails: half a recording is none.
 */
export async function recordTrajectory(
  open: OpenEnvironment,
  commands: readonly RecordedCommand[],
  options: RecordOptions & { name?: string } = {},
): Promise<{ trajectory: Trajectory; tests: TestRun | null }> {
  const { sandbox, environment, spec, settings, notes } = open;
  const trajectory = emptyTrajectory("misstep");
  trajectory.name = options.name ?? null;
  trajectory.task = environment.name;
  trajectory.dataset = environment.dataset === "" ? null : environment.dataset;
  trajectory.agent = RECORDED_AGENT;
  const began = Date.now();
  trajectory.startedAt = instant(began);
  const task = emptyStep("user", null);
  task.message = spec.instruction;
  trajectory.steps.push(task);
  const { submitted, left } = await runAll(sandbox, commands, trajectory.steps, options);
  trajectory.exitStatus = submitted ? "Submitted" : "commands ended";
  if (left > 0)
    trajectory.warnings.push({
      path: "commands",
      message: `not run, as they come after the submission: ${left} of ${commands.length} commands`,
    });
  trajectory.finishedAt = instant(Date.now());
  trajectory.durationMs = Date.now() - began;
  const tests = options.test ? await runTests(sandbox, spec) : null;
  if (tests) setOutcome(trajectory, tests);
  trajectory.source = {
    environment: { id: environment.id, name: environment.name, digest: spec.digest, substitutions: spec.substitutions },
    sandbox: { driver: sandbox.driver, image: sandbox.imageDigest, workdir: settings.workdir },
    notes,
    tests: tests
      ? { status: tests.status, reward: tests.reward, voidReason: tests.voidReason, cases: tests.tests }
      : null,
  };
  return { trajectory, tests };
}
