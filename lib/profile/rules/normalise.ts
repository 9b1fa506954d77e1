import type { Parsed, ShellCommand } from "./shell";

const SEP = "\u0001";
/** Programs whose only use at the end of a pipe is to show less of it. */
const TRIMMERS = new Set(["head", "tail", "cat", "less", "more"]);
const VERBOSITY = /^(-v+|-q+|--verbose|--quiet|--debug|--tb=\w+|-rA|--no-header|--color(=\w+)?|--no-color)$/;
/** Where these options mean something else. */
const OWN_V = new Set([
  "grep",
  "egrep",
  "fgrep",
  "rg",
  "zgrep",
  "sort",
  "cat",
  "head",
  "tail",
  "awk",
  "command",
  "docker",
  "diff",
  "nl",
  "pgrep",
  "test",
]);

function words(command: ShellCommand, cosmetic: boolean): string {
  let text = cosmetic || command.timeout === null ? "" : `timeout ${command.timeout}${SEP}`;
  for (const a of command.assigns) text += `${a.name}=${a.value}${SEP}`;
  text += command.program;
  const ownV = !cosmetic || OWN_V.has(command.program);
  for (const a of command.args) {
    if (!ownV && a.value.startsWith("-") && VERBOSITY.test(a.value)) continue;
    // Quotes around an expansion change its meaning, so there the text counts.
    text += SEP + (a.dynamic ? a.text : a.value);
  }
  for (const r of command.redirects) {
    if ((r.operator === ">&" && r.target === "1") || r.fd === 2 || (cosmetic && r.target === "/dev/null")) continue;
    text += `${SEP}${r.fd ?? ""}${r.operator}${r.target}`;
  }
  return `${text}${SEP}${command.here?.text ?? ""}`;
}

/** A key is only made from words that are all known; anything with control flow keeps its own text. */
const isFlat = (commands: ShellCommand[]) =>
  commands.every((c) => !c.nested && (c.program !== "" || c.assigns.length > 0));

/** Same key: the same command, apart from white space, quoting and where its error output goes. */
export function sameKey(text: string, parsed: Parsed): string {
  if (parsed.kind !== "parsed" || !parsed.complete || !isFlat(parsed.commands)) return text.trim();
  return parsed.commands.map((c) => `${c.place > 0 ? "|" : c.after}${SEP}${words(c, false)}`).join("\n");
}

/** Lines around an attempt that change nothing about it. */
const isNoise = (command: ShellCommand): boolean => NOISE.has(command.program) && !words(command, true).includes(">");
const NOISE = new Set(["echo", "true", ":", "sleep", "pwd", "clear"]);

/**
 * Same key: the same attempt. Left out are redirections of errors, `| tail` and `| head`, time limits, verbosity,
 * `|| true`, and echo lines around it.
 */
export function attemptKey(text: string, parsed: Parsed): string {
  if (parsed.kind !== "parsed" || !parsed.complete || !isFlat(parsed.commands)) return text.trim();
  const only = parsed.commands.length === 1 ? parsed.commands[0] : undefined;
  if (only) return isNoise(only) ? text.trim() : words(only, true);
  const pipes = new Map<number, ShellCommand[]>();
  for (const c of parsed.commands) {
    const list = pipes.get(c.pipeline);
    if (list) list.push(c);
    else pipes.set(c.pipeline, [c]);
  }
  const parts: string[] = [];
  for (const list of pipes.values()) {
    let end = list.length;
    while (
      end > 1 &&
      TRIMMERS.has(list[end - 1]?.program ?? "") &&
      !list[end - 1]?.args.some((a) => a.value.includes("/"))
    )
      end--;
    const [head] = list;
    if (!head) continue;
    if (list.length > 1 || !isNoise(head))
      parts.push(
        list
          .slice(0, end)
          .map((c) => words(c, true))
          .join(`|${SEP}`),
      );
  }
  return parts.length > 0 ? parts.join("\n") : text.trim();
}
