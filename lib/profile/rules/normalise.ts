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
  // Quotes around an expansion change its meaning, so there the text counts.
  const kept = command.args
    .filter((a) => !(cosmetic && VERBOSITY.test(a.value) && !OWN_V.has(command.program)))
    .map((a) => (a.dynamic ? a.text : a.value));
  const redirects = command.redirects
    .filter((r) => !(r.operator === ">&" && r.target === "1") && r.fd !== 2 && !(cosmetic && r.target === "/dev/null"))
    .map((r) => `${r.fd ?? ""}${r.operator}${r.target}`);
  const assigns = command.assigns.map((a) => `${a.name}=${a.value}`);
  const limit = cosmetic || command.timeout === null ? [] : [`timeout ${command.timeout}`];
  return [...limit, ...assigns, command.program, ...kept, ...redirects, command.here?.text ?? ""].join(SEP);
}

/** A key is only made from words that are all known; anything with control flow keeps its own text. */
const isFlat = (commands: ShellCommand[]) =>
  commands.every((c) => !c.nested && (c.program !== "" || c.assigns.length > 0));

/** Same key: the same command, apart from white space, quoting and where its error output goes. */
export function sameKey(text: string, parsed: Parsed): string {
  if (parsed.kind !== "parsed" || !parsed.complete || !isFlat(parsed.commands)) return text.trim();
  return parsed.commands.map((c) => `${c.place > 0 ? "|" : c.after}${SEP}${words(c, false)}`).join("\n");
}

/**
 * Same key: the same attempt. Left out are redirections of errors, `| tail` and `| head`, time limits, verbosity,
 * `|| true`, and echo lines around it.
 */
export function attemptKey(text: string, parsed: Parsed): string {
  if (parsed.kind !== "parsed" || !parsed.complete || !isFlat(parsed.commands)) return text.trim();
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
    const isNoise =
      list.length === 1 && /^(echo|true|:|sleep|pwd|clear)$/.test(head.program) && words(head, true).indexOf(">") < 0;
    if (!isNoise)
      parts.push(
        list
          .slice(0, end)
          .map((c) => words(c, true))
          .join(`|${SEP}`),
      );
  }
  return parts.length > 0 ? parts.join("\n") : text.trim();
}
