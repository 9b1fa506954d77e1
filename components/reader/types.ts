/** A highlighted stretch of code: class letter ("" for plain) and text. */
export type CodeToken = [look: string, text: string];

/** A text as sent to the browser: whole, or head and tail with what was left out between them. */
export interface TextView {
  /** Whole text, or its head. */
  text: string;
  /** UTF-16 length of the whole text. */
  chars: number;
  cut: { tail: string; tailSgr: string; omittedLines: number; omittedChars: number; tailAt: number } | null;
}

export interface ObservationView {
  /** Its place in the step. */
  index: number;
  callId: string | null;
  /** What the terminal printed; null when nothing is recorded. */
  output: TextView | null;
  /** Where `output` starts in the contents of all observations, joined by line feeds: what evidence offsets count. */
  outputAt: number;
  /** What the harness put around the output. */
  before: string;
  after: string;
  /** Whether that is more than markup and the exit code. */
  wrapped: boolean;
  /** The whole output, where the policy saw a shortened one. */
  full: TextView | null;
  exitCode: number | null;
  timedOut: boolean;
  error: string | null;
}

export interface CallView {
  name: string;
  /** The command as highlighted code; null when the tool is no terminal. */
  command: CodeToken[] | null;
  commandText: string | null;
  /** Arguments beside the command, as readable JSON; null when there are none. */
  args: TextView | null;
}

/** One entry as the reader shows it. */
export interface EntryView {
  index: number;
  kind: "system" | "user" | "agent";
  number: number | null;
  turn: number | null;
  actor: string | null;
  note: string | null;
  copied: boolean;
  time: { raw: string; ms: number | null; zoned: boolean } | null;
  durationMs: number | null;
  promptTokens: number | null;
  completionTokens: number | null;
  costUsd: number | null;
  exitCode: number | null;
  thinking: TextView | null;
  message: TextView | null;
  /** Characters taken out of the message because they repeat the command; they start at `at`. */
  messageCut: { at: number; chars: number } | null;
  call: CallView | null;
  observations: ObservationView[];
}

/** Matches of a find: per entry and part, in reading order. */
export interface FindResult {
  total: number;
  /** Set when there were too many to count on. */
  capped: boolean;
  hits: [entry: number, part: string, count: number][];
}
