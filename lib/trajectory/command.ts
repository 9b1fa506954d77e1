import type { Json } from "./types";
import { isArray, isObject } from "./value";

/** Tools that are a terminal under the names real agents give them; for these, generic argument names count too. */
const TERMINAL = /bash|shell|terminal|exec|command|^run$|cmd|console|tmux|keystrokes|^sh$|^zsh$|process/i;
/** Argument names that hold a command whatever the tool is called. */
const CERTAIN = ["command", "cmd", "keystrokes"];
/** Argument names that hold a command only for a terminal. */
const LIKELY = ["script", "input", "code", "keys", "commands"];
/** Editors take a `command` argument too, which names an operation ("view", "create"). */
const EDITOR = /edit|file|memory|planning|task_tracker|browser|think/i;

/** The command a tool call runs or the keys it types, from its arguments; null when the tool is no terminal. */
export function commandOf(name: string, args: Json): string | null {
  let value = args;
  if (typeof value === "string") {
    const start = value.trimStart();
    if (!start.startsWith("{")) return TERMINAL.test(name) && start !== "" && !start.startsWith("[") ? value : null;
    try {
      value = JSON.parse(value) as Json;
    } catch {
      return null;
    }
  }
  if (!isObject(value)) return null;
  const terminal = TERMINAL.test(name);
  if (!terminal && EDITOR.test(name)) return null;
  for (const key of terminal ? [...CERTAIN, ...LIKELY] : CERTAIN) {
    const given = value[key];
    if (typeof given === "string") return given;
    if (isArray(given) && given.length > 0 && given.every((part) => typeof part === "string")) {
      const script =
        given.length === 3 &&
        /^(ba|z|da)?sh$/.test(String(given[0]).replace(/.*\//, "")) &&
        /^-l?c$/.test(String(given[1]));
      return script ? String(given[2]) : given.join(" ");
    }
  }
  return null;
}
