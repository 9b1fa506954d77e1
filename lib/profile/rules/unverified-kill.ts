import type { Detection, Detector } from "./detector";
import type { History } from "./history";
import type { ShellCommand, ShellWord } from "./shell";
import type { StepView } from "./view";

/** Names that many unrelated processes share. */
const GENERIC = new Set(
  "python python2 python3 node nodejs java ruby perl php bash sh zsh dash server main app run test npm npx yarn deno bun go dotnet mono sleep http m py js f".split(
    " ",
  ),
);
const SIGNAL = /^-(?:\d+|[A-Z][A-Z0-9+]*|s|n)$/;
const MATCHERS = new Set(["pgrep", "pidof"]);
const HOLDERS = new Set(["lsof", "fuser", "ss", "netstat"]);

const MAX_WORDS = 20;

/** The words of a pattern, without what is around them. */
function tokens(pattern: string): string[] {
  const words = pattern
    .slice(0, 400)
    .toLowerCase()
    .split(/[^\w.-]+/);
  return words.map((t) => t.replace(/^[.-]+|[.-]+$/g, "")).filter((t) => t.length > 1);
}

/** Words of the parts of this command line that stand before the kill. */
function startedHere(word: string, kill: ShellCommand, view: StepView): boolean {
  return view.commands.some(
    (c) => c.end <= kill.start && [c.program, ...c.args.map((a) => a.value)].some((t) => tokens(t).includes(word)),
  );
}

/** Why a name pattern is not known to match what is meant, or null when it is. */
function patternFault(pattern: string, kill: ShellCommand, view: StepView, history: History): string | null {
  const all = tokens(pattern);
  if (all.length === 0) return null;
  if (history.wasListed(all)) return null;
  const specific = all.filter((t) => !GENERIC.has(t) && !/^\d+$/.test(t));
  if (specific.length === 0)
    return `the pattern “${pattern.slice(0, 60)}” is only the name of a common program and no listing of what it matches came first`;
  if (specific.some((t) => history.usedWord(t) || startedHere(t, kill, view))) return null;
  return `nothing named “${pattern.slice(0, 60)}” was started or listed before`;
}

function positional(args: ShellWord[]): ShellWord[] {
  const rest: ShellWord[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (!arg) break;
    if (/^-(s|u|U|g|G|P|t|n)$/.test(arg.value)) i++;
    else if (!arg.value.startsWith("-")) rest.push(arg);
  }
  return rest.slice(0, MAX_WORDS);
}

/** A port asked for by lsof or fuser, or null. */
function portOf(command: ShellCommand): string | null {
  const text = command.args.map((a) => a.value).join(" ");
  return /:(\d{2,5})\b/.exec(text)?.[1] ?? /\b(\d{2,5})\/(?:tcp|udp)\b/.exec(text)?.[1] ?? null;
}

function holderFault(command: ShellCommand, history: History): string | null {
  const port = portOf(command);
  if (port === null || history.usedWord(port)) return null;
  return history.wasListed([port]) ? null : `whoever holds port ${port} was never listed`;
}

/** The commands inside the `$(…)` of a word, or before an xargs in the same pipe: where the process ids come from. */
function sources(kill: ShellCommand, view: StepView): ShellCommand[] {
  return view.commands.filter(
    (c) =>
      c !== kill &&
      ((c.substitution && c.start >= kill.start && c.end <= kill.end) ||
        (kill.wrappers.includes("xargs") && c.pipeline === kill.pipeline && c.place < kill.place)),
  );
}

function sourceFault(kill: ShellCommand, view: StepView, history: History): string | null {
  for (const c of sources(kill, view)) {
    if (HOLDERS.has(c.program)) {
      const fault = holderFault(c, history);
      if (fault) return fault;
    }
    const names = MATCHERS.has(c.program) || c.program === "grep" ? positional(c.args) : [];
    for (const w of names.slice(0, 1)) {
      const fault = w.dynamic ? null : patternFault(w.value.replace(/\[(.)\]/g, "$1"), kill, view, history);
      if (fault) return fault;
    }
  }
  return null;
}

function killFault(command: ShellCommand, view: StepView, history: History): string | null {
  if (command.args.some((a) => a.value === "-0" || a.value === "-l")) return null;
  for (const arg of command.args) {
    if (arg.dynamic || SIGNAL.test(arg.value)) continue;
    if (arg.value === "-1" || arg.value === "0") continue;
    const id = /^-?(\d{1,7})$/.exec(arg.value)?.[1];
    if (id !== undefined && arg.value.startsWith("-") && Number(id) <= 64) continue;
    if (id !== undefined && !history.sawProcess(Number(id))) return `no earlier output says what process ${id} is`;
  }
  return sourceFault(command, view, history);
}

function faultOf(command: ShellCommand, view: StepView, history: History): string | null {
  if (command.program === "kill") return killFault(command, view, history);
  if (command.program === "pkill" || command.program === "killall") {
    if (command.args.some((a) => /^-(P|-parent|0|l)$/.test(a.value))) return null;
    for (const word of positional(command.args)) {
      const fault = word.dynamic ? null : patternFault(word.value, command, view, history);
      if (fault) return fault;
    }
  }
  if (command.program === "fuser" && command.args.some((a) => /^-[a-z]*k/.test(a.value)))
    return holderFault(command, history);
  return null;
}

/** Ends processes whose identity nothing before established. */
export const unverifiedKill: Detector = {
  slug: "unverified-kill",
  detect(view, history): Detection | null {
    for (const command of view.commands) {
      const fault = faultOf(command, view, history);
      if (fault === null) continue;
      return {
        reason: `${command.program} ends processes although ${fault}.`,
        evidence: [{ step: view.index, part: "command", start: command.start, end: command.end, note: "the kill" }],
      };
    }
    return null;
  },
};
