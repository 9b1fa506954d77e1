/**
 * Reads the shell integration marks (OSC 133, as terminals know them) in the output of an interactive bash:
 * A a prompt begins, C;BASE64 a command begins to run, D;CODE it ended. What lies between C and D is its output.
 */
export type MarkEvent =
  | { kind: "prompt" }
  | { kind: "command"; command: string }
  | { kind: "output"; text: string }
  | { kind: "done"; exitCode: number | null };

const START = "\u001b]133;";
/** Bytes of a mark that is still open; a longer one is no mark. */
const LONGEST = 200_000;

/** The command a C mark carries. Not base64 means that a program printed the mark: then it is none. */
function commandOf(body: string): string | null {
  const packed = body.slice(2);
  return /^[A-Za-z0-9+/]*={0,2}$/.test(packed)
    ? Buffer.from(packed, "base64").toString("utf8").replace(/\n$/, "")
    : null;
}

function eventOf(body: string): MarkEvent | null {
  if (body === "A") return { kind: "prompt" };
  const done = /^D(?:;(\d{1,3}))?$/.exec(body);
  if (done) return { kind: "done", exitCode: done[1] === undefined ? null : Number(done[1]) };
  if (!body.startsWith("C;")) return null;
  const command = commandOf(body);
  return command === null ? null : { kind: "command", command };
}

/** How many characters at the end of `text` may be the beginning of a mark. */
function openEnd(text: string): number {
  for (let n = Math.min(START.length - 1, text.length); n > 0; n--) if (text.endsWith(START.slice(0, n))) return n;
  return 0;
}

/** Splits a stream of text, in pieces cut anywhere, into marks and the outputs between them. */
export class MarkReader {
  private rest = "";
  private running = false;

  feed(piece: string): MarkEvent[] {
    const events: MarkEvent[] = [];
    let text = this.rest + piece;
    this.rest = "";
    const output = (part: string) => {
      if (this.running && part !== "") events.push({ kind: "output", text: part });
    };
    for (;;) {
      const at = text.indexOf(START);
      if (at < 0) break;
      output(text.slice(0, at));
      text = text.slice(at);
      const end = /\u0007|\u001b\\/.exec(text);
      if (!end) {
        if (text.length <= LONGEST) {
          this.rest = text;
          return events;
        }
        output(text);
        return events;
      }
      const event = eventOf(text.slice(START.length, end.index));
      const whole = text.slice(0, end.index + end[0].length);
      text = text.slice(whole.length);
      if (event === null) output(whole);
      else {
        if (event.kind === "command") this.running = true;
        if (event.kind === "done" || event.kind === "prompt") this.running = false;
        events.push(event);
      }
    }
    const keep = openEnd(text);
    output(text.slice(0, text.length - keep));
    this.rest = text.slice(text.length - keep);
    return events;
  }
}
