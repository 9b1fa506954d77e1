import type { ShellWord } from "./shell";

/** Options of each wrapper that take their value as the next word. */
const VALUED = new Map<string, ReadonlySet<string>>(
  Object.entries({
    sudo: new Set(["-u", "-g", "-h", "-p", "-C", "-r", "-t", "-D"]),
    doas: new Set(["-u", "-C"]),
    env: new Set(["-u", "--unset", "-C", "--chdir", "-S"]),
    timeout: new Set(["-s", "--signal", "-k", "--kill-after"]),
    nice: new Set(["-n", "--adjustment"]),
    ionice: new Set(["-c", "-n"]),
    stdbuf: new Set(["-i", "-o", "-e"]),
    time: new Set(["-f", "-o"]),
    xargs: new Set(["-I", "-n", "-P", "-d", "-L", "-a", "-s", "-E"]),
    setsid: new Set(),
    nohup: new Set(),
    unbuffer: new Set(),
    exec: new Set(["-a"]),
    command: new Set(),
    builtin: new Set(),
  }),
);
const SHELLS = new Set(["bash", "sh", "dash", "zsh"]);
const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

export interface Unwrapped {
  words: ShellWord[];
  wrappers: string[];
  /** Seconds of the outermost `timeout`. */
  timeout: number | null;
  /** Text of `bash -c`, when it is a fixed text. */
  script: ShellWord | null;
}

const base = (word: ShellWord) => word.value.slice(word.value.lastIndexOf("/") + 1);

function seconds(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text);
  return match ? Number(match[1]) * (UNITS[match[2] || "s"] ?? 1) : null;
}

/** Takes sudo, env, timeout, nohup, xargs and the like off the front of a command. */
export function unwrap(words: ShellWord[]): Unwrapped {
  const wrappers: string[] = [];
  let timeout: number | null = null;
  let at = 0;
  while (at < words.length && wrappers.length < 8) {
    const word = words[at];
    if (!word || word.dynamic) break;
    const name = base(word);
    const valued = VALUED.get(name);
    if (!valued) break;
    let next = at + 1;
    while (next < words.length) {
      const value = words[next]?.value ?? "";
      if (value === "--") {
        next++;
        break;
      }
      if (value.startsWith("-") && value.length > 1) next += valued.has(value) ? 2 : 1;
      else if (name === "env" && /^[A-Za-z_]\w*=/.test(value)) next++;
      else break;
    }
    if (name === "timeout") {
      timeout ??= seconds(words[next]?.value ?? "");
      next++;
    }
    // `command -v x`, `env` alone and the like ask something; they wrap nothing.
    if (next >= words.length || ((name === "command" || name === "exec") && next !== at + 1)) break;
    wrappers.push(name);
    at = next;
  }
  const rest = at > 0 ? words.slice(at) : words;
  return { words: rest, wrappers, timeout, script: shellScript(rest) };
}

function shellScript(words: ShellWord[]): ShellWord | null {
  const first = words[0];
  if (!first || first.dynamic || !SHELLS.has(base(first))) return null;
  const rest = words.slice(1);
  const flag = rest.findIndex((w) => /^-[a-z]*c$/.test(w.value));
  if (flag < 0 || rest.slice(0, flag).some((w) => !w.value.startsWith("-"))) return null;
  const script = rest[flag + 1];
  return script && !script.dynamic ? script : null;
}
