import type { Observation } from "./types";

const RETURN_CODE = /<returncode>\s*(-?\d+)\s*<\/returncode>/;
const EXIT_TRAILER = /\s*\(exit_code=(-?\d+)\)\s*$/;
const OPENHANDS_EXIT = /\[(?:The command completed|Command finished) with exit code (-?\d+)\.?[^\]]*\]/;
const OPENHANDS_TRAILER =
  /\n\[(?:The command |Command finished|Current working directory:|Python interpreter:|Jupyter current)/;

/**
 * Finds terminal output and exit code in what a harness wrapped around them. Three conventions are known:
 * `<returncode>` with `<output>` tags (mini-SWE-agent), a last line `(exit_code=N)` (Vanillux2), and bracketed last
 * lines (OpenHands). Looks at head and tail only, never through the whole text. Changes the observation.
 */
export function unwrapOutput(item: Observation): void {
  const text = item.content;
  if (text === null) return;
  if (text.startsWith("<returncode>") || text.startsWith("<exception>")) {
    unwrapTags(item);
    return;
  }
  const tail = text.slice(-80);
  if (tail.includes("(exit_code=")) {
    const found = EXIT_TRAILER.exec(tail);
    if (found) {
      item.exitCode ??= Number(found[1]);
      if (item.exitCode === 124) item.timedOut = true;
      const end = text.length - tail.length + found.index;
      item.output ??= [0, text.slice(0, 11) === "(no output)" && end === 11 ? 0 : end];
      return;
    }
  }
  if (text.endsWith("]") || text.endsWith("$")) {
    const from = Math.max(0, text.length - 600);
    const end = text.slice(from);
    const exit = OPENHANDS_EXIT.exec(end);
    if (!exit) return;
    item.exitCode ??= Number(exit[1]);
    const trailer = OPENHANDS_TRAILER.exec(end);
    item.output ??= [0, from + Math.min(trailer?.index ?? exit.index, exit.index)];
  }
}

/** mini-SWE-agent's template: return code, then the output whole in `<output>` or cut in `<output_head>` and `<output_tail>`. */
export function unwrapTags(item: Observation): void {
  const text = item.content;
  if (text === null) return;
  const code = RETURN_CODE.exec(text.slice(0, 4000));
  if (code) item.exitCode ??= Number(code[1]);
  if (code && Number(code[1]) === 124) item.timedOut = true;
  const from = code ? code.index + code[0].length : 0;
  const whole = text.indexOf("<output>", from);
  const head = text.indexOf("<output_head>", from);
  if (whole !== -1 && (head === -1 || whole < head)) {
    const end = text.lastIndexOf("</output>");
    if (end >= whole) item.output ??= inner(text, whole + 8, end);
  } else if (head !== -1) {
    const end = text.lastIndexOf("</output_tail>");
    if (end >= head) item.output ??= inner(text, head + 13, end);
  }
}

function inner(text: string, start: number, end: number): [number, number] {
  const first = text[start] === "\n" ? start + 1 : start;
  return [Math.min(first, end), end];
}
