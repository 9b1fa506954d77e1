import type { Step } from "@/lib/trajectory/types";
import { attemptKey, sameKey } from "./normalise";
import { errorMark, type Hit, outputText } from "./output";
import { type Effect, effectOf, effectOfAll, isAnywhere, isLive, startsBackground } from "./programs";
import { type Parsed, parseCommand, type ShellCommand } from "./shell";

/** `unclear`: nothing came back, or the exit status is an answer (grep found nothing) and no failure. */
export type Result = "ok" | "failed" | "unclear";

/** What the detectors see of one agent step: everything derived from the step itself, once. */
export interface StepView {
  index: number;
  step: Step;
  /** null when the step ran no terminal command. */
  command: string | null;
  parsed: Parsed;
  /** Simple commands, [] when there are none or they could not be parsed. */
  commands: ShellCommand[];
  effect: Effect;
  live: boolean;
  background: boolean;
  /** Means the same in every working directory. */
  anywhere: boolean;
  sameKey: string;
  attemptKey: string;
  output: string | null;
  exitCode: number | null;
  timedOut: boolean;
  result: Result;
  /** The line that shows the failure, when there is one. */
  mark: Hit | null;
}

/** Exit status 1 of these is an answer. */
const ANSWERS = new Set([
  "grep",
  "egrep",
  "fgrep",
  "rg",
  "diff",
  "cmp",
  "test",
  "[",
  "[[",
  "which",
  "pgrep",
  "pidof",
  "command",
  "type",
  "zgrep",
  "expr",
  "kill",
  "lsof",
  "fuser",
]);
/** The status of what stood before these is lost. */
const MASKS = new Set(["tail", "head", "cat", "tee", "grep", "true", "echo", "sed", "less", ":"]);

/** Harnesses that answer a malformed reply in place of an output: the command was never run. */
const NOT_RUN = /^\s*Previous response had parsing errors/;

function judge(view: Omit<StepView, "result" | "mark">): { result: Result; mark: Hit | null } {
  const { output, exitCode, commands } = view;
  if (view.timedOut || view.step.observations.some((o) => o.error !== null)) return { result: "failed", mark: null };
  if (output === null || NOT_RUN.test(output)) return { result: "unclear", mark: null };
  const last = commands.at(-1);
  if (exitCode !== null && exitCode !== 0) {
    const answered = exitCode === 1 && commands.some((c) => ANSWERS.has(c.program) && (c.last || c.after === "&&"));
    return answered ? { result: "unclear", mark: null } : { result: "failed", mark: errorMark(output) };
  }
  // A reader's output may quote errors, so only commands that do something are judged by what they print.
  const masked = exitCode === null || (last !== undefined && (MASKS.has(last.program) || last.nested));
  const mark = masked && (view.effect === "run" || view.effect === "write") ? errorMark(output) : null;
  return { result: mark ? "failed" : "ok", mark };
}

const NOTHING: Parsed = { kind: "not-parsed", reason: "no command" };

/** Tools other than a terminal that only look. */
const LOOKING =
  /^(view|open|read|list|search|find|grep|glob|think|goto|scroll|browse|get)|(view|read|search|list|think)(_file|_files|_dir)?$/i;

function effectOfTool(step: Step): Effect {
  const call = step.call;
  if (call === null) return "none";
  const verb =
    typeof call.arguments === "object" && call.arguments !== null && !Array.isArray(call.arguments)
      ? call.arguments.command
      : undefined;
  if (verb === "view") return "read";
  return LOOKING.test(call.name) ? "read" : "run";
}

/** Derives a step's view. Linear in the step's text up to the bounds of shell.ts and output.ts. */
export function viewOf(step: Step, index: number): StepView {
  const command = step.call?.command ?? null;
  const parsed = command === null ? NOTHING : parseCommand(command);
  const commands = parsed.kind === "parsed" ? parsed.commands : [];
  const effect = command === null ? effectOfTool(step) : effectOfAll(parsed);
  const exits = step.observations.filter((o) => o.exitCode !== null);
  const exitCode = exits.at(-1)?.exitCode ?? null;
  const view = {
    index,
    step,
    command,
    parsed,
    commands,
    effect,
    live: commands.some(isLive),
    background: commands.some(startsBackground),
    anywhere: commands.length > 0 && commands.every(isAnywhere),
    sameKey: command === null ? "" : sameKey(command, parsed),
    attemptKey: command === null ? "" : attemptKey(command, parsed),
    output: outputText(step),
    exitCode,
    timedOut: step.observations.some((o) => o.timedOut) || exitCode === 124,
  };
  return { ...view, ...judge(view) };
}

/** The parts of a command line that surely write something. */
export function writingCommands(view: StepView): ShellCommand[] {
  return view.commands.filter((c) => effectOf(c) === "write");
}
