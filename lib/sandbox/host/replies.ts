/** What the loop says of a command that ended. */
export interface Answer {
  exitCode: number;
  startMs: number | null;
  endMs: number | null;
}

/** Characters of a line without an end beyond which it is given up: the loop's own are short. */
const LINE = 10_000;

/** What the loop writes, as lines that begin with the session's token; lines without it are somebody else's. */
export class LoopReplies {
  private line = "";

  constructor(private readonly token: string) {}

  /** The replies that this text completes. "ready": the loop runs. */
  read(text: string): ("ready" | Answer)[] {
    const replies: ("ready" | Answer)[] = [];
    this.line += text;
    for (let end = this.line.indexOf("\n"); end >= 0; end = this.line.indexOf("\n")) {
      const [token, code, start, finish] = this.line.slice(0, end).split(" ");
      this.line = this.line.slice(end + 1);
      if (token !== this.token) continue;
      replies.push(
        code === "ready" ? code : { exitCode: Number(code), startMs: milliseconds(start), endMs: milliseconds(finish) },
      );
    }
    if (this.line.length > LINE) this.line = "";
    return replies;
  }
}

/** Of a time in seconds, as bash prints it. */
function milliseconds(text: string | undefined): number | null {
  const value = Number(text);
  return text && Number.isFinite(value) ? value * 1000 : null;
}
