import type { Step } from "@/lib/trajectory/types";
import { type CommandFacts, factsOf, noCommand } from "./facts";
import { errorMark, type Hit, outputText } from "./output";
import { type Effect, effectOf } from "./programs";
import type { ShellCommand } from "./shell";

/** `unclear`: nothing came back, or the exit status is an answer (grep found nothing) and no failure. */
export type Result = "ok" | "failed" | "unclear";

/** What the detectors see of one agent step: everything derived from the step itself, once. */
export interface StepView extends CommandFacts {
  index: number;
  step: Step;
  /** null when the step ran no terminal command; `commands` is then empty. */
  command: string | null;
  output: string | null;
  exitCode: number | null;
  timedOut: boolean;
  readonly result: Result;
  /** The line that shows the failure, when there is one. */
  readonly mark: Hit | null;
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

interface Judgement {
  result: Result;
  mark: Hit | null;
}

function judge(view: StepView): Judgement {
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

class View implements StepView {
  readonly command: string | null;
  readonly parsed: CommandFacts["parsed"];
  readonly commands: ShellCommand[];
  readonly effect: Effect;
  readonly live: boolean;
  readonly background: boolean;
  readonly anywhere: boolean;
  readonly sameKey: string;
  readonly attemptKey: string;
  readonly output: string | null;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  private judgement: Judgement | null = null;

  constructor(
    readonly step: Step,
    readonly index: number,
  ) {
    this.command = step.call?.command ?? null;
    const facts = this.command === null ? noCommand(effectOfTool(step)) : factsOf(this.command);
    this.parsed = facts.parsed;
    this.commands = facts.commands;
    this.effect = facts.effect;
    this.live = facts.live;
    this.background = facts.background;
    this.anywhere = facts.anywhere;
    this.sameKey = facts.sameKey;
    this.attemptKey = facts.attemptKey;
    this.output = outputText(step);
    this.exitCode = step.observations.findLast((o) => o.exitCode !== null)?.exitCode ?? null;
    this.timedOut = this.exitCode === 124 || step.observations.some((o) => o.timedOut);
  }

  // Only asked of steps that something later refers to: most outputs are never searched.
  get result(): Result {
    this.judgement ??= judge(this);
    return this.judgement.result;
  }

  get mark(): Hit | null {
    this.judgement ??= judge(this);
    return this.judgement.mark;
  }
}

/** Derives a step's view. Linear in the step's text up to the bounds of shell.ts and output.ts. */
export const viewOf = (step: Step, index: number): StepView => new View(step, index);

/** The parts of a command line that surely write something. */
export function writingCommands(view: StepView): ShellCommand[] {
  return view.commands.filter((c) => effectOf(c) === "write");
}
