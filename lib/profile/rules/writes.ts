import { type Effect, effectOf, writtenFiles } from "./programs";
import type { ShellCommand } from "./shell";
import type { StepView } from "./view";

const WRITES_CONTENT = new Set(["cat", "echo", "printf", "tee", "sed", "perl", "patch", "git"]);
const TEMPORARY = /^(\/tmp\/|\/var\/tmp\/|\/dev\/|\$)/;

/** The files into which a command writes content of its own: redirected text, in-place edits, applied patches. */
export function contentTargets(command: ShellCommand): string[] {
  const { program } = command;
  if (!WRITES_CONTENT.has(program)) return [];
  const args = command.args.map((a) => a.value);
  const files = writtenFiles(command);
  if (/^(cat|echo|printf)$/.test(program) && (command.here !== null || program !== "cat"))
    return files.filter((f) => !TEMPORARY.test(f));
  if (program === "tee" && command.here !== null) return args.filter((a) => !a.startsWith("-") && !TEMPORARY.test(a));
  if ((program === "sed" || program === "perl") && effectOf(command) === "write" && files.length === 0)
    return args
      .slice(1)
      .filter((a) => !a.startsWith("-") && !TEMPORARY.test(a))
      .slice(-1);
  if (program === "patch" || (program === "git" && args[0] === "apply")) return ["the patched files"];
  return [];
}

const MOVES = new Set(["mv", "cp", "ln", "install", "rsync"]);
const MODES = new Set(["chmod", "chown", "chgrp"]);

/** Files that a command left in another state than they were, whatever made their content. Removing is no result to test. */
export function changedFiles(command: ShellCommand): string[] {
  const own = contentTargets(command);
  if (own.length > 0) return own;
  const args = command.args.map((a) => a.value);
  const names = args.filter((a) => !a.startsWith("-"));
  const found = (files: string[]) => files.filter((f) => !TEMPORARY.test(f));
  if (command.redirects.length > 0) {
    const files = found(writtenFiles(command));
    if (files.length > 0) return files;
  }
  if (MOVES.has(command.program)) return found(names.slice(-1));
  if (MODES.has(command.program)) return found(names.slice(1).slice(-1));
  if (command.program === "tar" && /^-?-?[a-z]*[cx]/.test(args[0] ?? ""))
    return found(args.filter((a) => /\.(?:tar|tgz|t[bx]z)(?:\.\w+)?$/.test(a)).slice(0, 1));
  const inner = args[args.findIndex((a) => a === "-exec" || a === "-execdir") + 1] ?? "";
  if (command.program === "find" && (MOVES.has(inner) || MODES.has(inner))) return found(names.slice(0, 1));
  return [];
}

/** Shows a file's text or presence again: for text that was just typed in, that tells nothing new. */
const ECHOES = new Set(["cat", "head", "tail", "ls", "wc", "stat", "less", "nl"]);

function onlyShowsAgain(command: ShellCommand, state: Unchecked): boolean {
  if (state === null || !ECHOES.has(command.program) || !state.command.here) return false;
  const name = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  const targets = new Set(contentTargets(state.command).map(name));
  const files = command.args.map((a) => a.value).filter((a) => !/^[-+]/.test(a) && !/^\d+$/.test(a));
  return files.length > 0 && files.every((f) => targets.has(name(f)));
}

const LOOKS: ReadonlySet<Effect> = new Set(["read", "run"]);

type Unchecked = { view: StepView; command: ShellCommand } | null;

/**
 * Follows whether the latest change was looked at or used since: anything that reads or runs something
 * counts, however little it shows, except printing back what was typed in.
 */
export function uncheckedAfter(view: StepView, before: Unchecked): Unchecked {
  if (view.command === null) return view.effect === "none" ? before : null;
  // Whatever writes content is a write as a whole.
  if (before === null && view.effect !== "write") return null;
  if (view.parsed.kind !== "parsed" || !view.parsed.complete) return null;
  let state = before;
  for (const command of view.commands) {
    if (changedFiles(command).length > 0 && !command.nested) state = { view, command };
    else if (onlyShowsAgain(command, state)) continue;
    else if (state !== null && LOOKS.has(effectOf(command))) state = null;
  }
  return state;
}
