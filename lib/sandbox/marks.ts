/**
 * Splits what a sandbox's terminal prints into commands, their output and exit codes, by the marks its bash prints
 * (host/loop.ts): OSC 133 A (prompt), C;cmdline_url=… (a command starts), D;code (it ended).
 */
export type TerminalEvent =
  | { kind: "prompt" }
  | { kind: "command"; command: string }
  /** Raw output of the running command, in pieces. */
  | { kind: "output"; text: string }
  /** null: a program printed a mark of its own that states no exit code. */
  | { kind: "exit"; exitCode: number | null };

const START = "\u001b]133;";
const END = "\u0007";
/** A mark that does not end within this many characters is none. */
const MAX_MARK = 100_000;

/** What a shell can mean; programs can print marks too. */
const exitCodeOf = (text: string) => (/^\d{1,3}$/.test(text) && Number(text) <= 255 ? Number(text) : null);

/** Percent-decoding of bytes; what is no UTF-8 becomes U+FFFD. */
function decodeUrl(text: string): string {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const hex = text[at] === "%" ? /^[0-9A-F]{2}/.exec(text.slice(at + 1, at + 3))?.[0] : undefined;
    if (hex === undefined) bytes.push(text.charCodeAt(at) & 0xff);
    else {
      bytes.push(Number.parseInt(hex, 16));
      at += 2;
    }
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

export class MarkReader {
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  private rest = "";
  private running = false;

  /** Events of the next piece of output. Text outside of commands (prompt, echo of typing) makes none. */
  push(data: Uint8Array): TerminalEvent[] {
    this.rest += this.decoder.decode(data, { stream: true });
    const events: TerminalEvent[] = [];
    for (;;) {
      const start = this.rest.indexOf(START);
      const end = start < 0 ? -1 : this.rest.indexOf(END, start);
      if (start >= 0 && end < 0 && this.rest.length - start < MAX_MARK) {
        this.output(events, this.rest.slice(0, start));
        this.rest = this.rest.slice(start);
        return events;
      }
      if (start < 0 || end < 0) {
        // The beginning of a mark may be at the end of this piece.
        const keep = START.length - 1;
        const cut = start < 0 ? this.partial(keep) : this.rest.length;
        this.output(events, this.rest.slice(0, cut));
        this.rest = this.rest.slice(cut);
        return events;
      }
      this.output(events, this.rest.slice(0, start));
      this.mark(events, this.rest.slice(start + START.length, end));
      this.rest = this.rest.slice(end + END.length);
    }
  }

  /** Where a mark that is not whole yet may begin. */
  private partial(longest: number): number {
    for (let n = Math.min(longest, this.rest.length); n > 0; n--) {
      if (START.startsWith(this.rest.slice(-n))) return this.rest.length - n;
    }
    return this.rest.length;
  }

  private output(events: TerminalEvent[], text: string): void {
    if (this.running && text !== "") events.push({ kind: "output", text });
  }

  private mark(events: TerminalEvent[], text: string): void {
    const [kind, value = ""] = text.split(";", 2);
    if (kind === "A") events.push({ kind: "prompt" });
    else if (kind === "C" && value.startsWith("cmdline_url=")) {
      this.running = true;
      events.push({ kind: "command", command: decodeUrl(value.slice("cmdline_url=".length)) });
    } else if (kind === "D" && this.running) {
      this.running = false;
      events.push({ kind: "exit", exitCode: exitCodeOf(value) });
    }
  }
}
