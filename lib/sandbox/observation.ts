/**
 * What the policy sees of a command: the harness semantics of recipe 2. Pure.
 * Characters are code points, as in the harness (Python), so no surrogate pair is ever cut.
 */

/** A stream as far as it was kept: all of it in `head`, or first and last part around `lostChars` characters. */
export interface StreamText {
  head: string;
  lostChars: number;
  tail: string;
}

/** The command that ends a rollout prints this alone on the first line of its output. */
export const SUBMIT_MARKER = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

export const MAX_CHARACTERS = 10_000;
export const EDGE_CHARACTERS = 5_000;
/** Our own line above a shortened output. */
export const TOO_LONG_HINT =
  "The output is too long to show whole. Use a narrower command, or write the output to a file and look at parts of it.";

const SURROGATE = /[\ud800-\udfff]/;

function length(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let n = 0;
  for (const _ of text) n++;
  return n;
}

function first(text: string, n: number): string {
  const part = text.slice(0, 2 * n);
  return SURROGATE.test(part) ? [...part].slice(0, n).join("") : part.slice(0, n);
}

function last(text: string, n: number): string {
  const part = text.slice(-2 * n);
  // A pair cut at the front of this part is one broken unit more than the n that are taken, unless the text is shorter.
  return SURROGATE.test(part) ? [...part].slice(-n).join("") : part.slice(-n);
}

/** stdout, then a newline and stderr when there is any (no newline before stderr when stdout is empty). */
function joined(stdout: StreamText, stderr: StreamText): StreamText {
  if (stderr.head === "") return stdout;
  if (stdout.head === "") return stderr;
  if (stdout.lostChars === 0) return { ...stderr, head: `${stdout.head}\n${stderr.head}` };
  if (stderr.lostChars === 0) return { ...stdout, tail: `${stdout.tail}\n${stderr.head}` };
  const between = length(stdout.tail) + 1 + length(stderr.head);
  return { head: stdout.head, lostChars: stdout.lostChars + between + stderr.lostChars, tail: stderr.tail };
}

/** Observation of a command that ended: output or "(no output)", shortened over 10,000 characters, a blank line, the exit code. */
export function observation(stdout: StreamText, stderr: StreamText, exitCode: number): string {
  const output = joined(stdout, stderr);
  const total = length(output.head) + output.lostChars + length(output.tail);
  let shown: string;
  if (total === 0) shown = "(no output)";
  else if (total <= MAX_CHARACTERS) shown = output.head + output.tail;
  else {
    // Kept parts are far longer than an edge (capture.ts), so both edges are there whatever was lost between.
    const head = first(output.head, EDGE_CHARACTERS);
    const tail = last(output.lostChars === 0 ? output.head + output.tail : output.tail, EDGE_CHARACTERS);
    shown = `${TOO_LONG_HINT}\n\n${head}\n[${total - 2 * EDGE_CHARACTERS} characters left out]\n${tail}`;
  }
  return `${shown}\n\n(exit_code=${exitCode})`;
}

/** The marker alone on the first line of what the command printed. */
export function isSubmission(stdout: StreamText, stderr: StreamText): boolean {
  const output = (stdout.head || stderr.head).slice(0, SUBMIT_MARKER.length + 200);
  return (output.split("\n", 1)[0] ?? "").trim() === SUBMIT_MARKER;
}
