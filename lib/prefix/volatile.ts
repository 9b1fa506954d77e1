import type { Cause } from "./types";

/** Causes that show in the form of a text alone, without its command. */
export type VolatileCause = Extract<Cause, "time" | "pid" | "temp-name" | "duration" | "address">;

/** A stretch of a line that may differ between two runs of the same command. Offsets are UTF-16, in the line. */
export interface Span {
  cause: VolatileCause;
  start: number;
  end: number;
}

const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const CLOCK = "\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?";

/**
 * Forms of recipe 9, most specific first. With a group the group is the span, else the whole match. Every pattern is
 * bounded in what it repeats, so a line is read in linear time.
 */
const FORMS: [VolatileCause, RegExp][] = [
  [
    "time",
    /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?(?![\w-])/g,
  ],
  ["time", new RegExp(`\\b${DAY} +${MONTH} +\\d{1,2} +${CLOCK}(?: +[AP]M)?(?: +[A-Z]{3,5})?(?: +\\d{4})?\\b`, "g")],
  ["time", new RegExp(`\\b${DAY},? +\\d{1,2}[ -]${MONTH}[ -]\\d{4} +${CLOCK}(?: +(?:GMT|UTC|[+-]\\d{4}))?`, "g")],
  ["time", new RegExp(`\\b\\d{1,2}/${MONTH}/\\d{4}:\\d\\d:\\d\\d:\\d\\d(?: [+-]\\d{4})?`, "g")],
  ["time", new RegExp(`\\b${MONTH} +\\d{1,2} +(?:\\d\\d:\\d\\d(?::\\d\\d)?|\\d{4})\\b`, "g")],
  ["time", /\b20\d{6}[T_-]\d{6}Z?\b/g],
  ["time", new RegExp(`(?<![\\d:])${CLOCK}(?![\\d:])`, "g")],
  ["time", /^total (\d+)$/g],
  ["address", /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  ["address", /\b0x[0-9a-f]{6,16}\b/gi],
  ["address", /\b(?:Inode|Device): ([0-9a-fhd,/]{1,20})(?= )/g],
  ["temp-name", /(?<![\w.])tmp\.[A-Za-z0-9]{6,16}\b/g],
  ["temp-name", /(?<=\/)tmp[a-z0-9_]{8}\b/g],
  ["temp-name", /\bpip-[a-z]{3,12}(?:-[a-z]{3,12})?-[a-z0-9_]{8}\b/g],
  ["temp-name", /(?<=\/tmp\/)cc[A-Za-z0-9]{6}(?=\.(?:o|s|c|ld|res|out)\b)/g],
  ["pid", /^\[\d{1,4}\][+-]? {1,3}(\d{1,7})\b/g],
  ["pid", /\bpid[ =:]{1,2}(\d{1,7})\b/gi],
  [
    "pid",
    /\bline \d{1,6}: {1,6}(\d{1,7}) (?=(?:Killed|Terminated|Aborted|Segmentation|Done|Hangup|Floating|Bus|Trace)\b)/g,
  ],
  ["pid", /(?<=[\w)-])\[(\d{1,7})\]:/g],
  ["pid", /^(?:tcp|udp|unix)\b.{0,160} (\d{1,7})(?=\/[a-z])/g],
  ["duration", /\b\d{1,6}m ?\d{1,2}(?:\.\d{1,9})?s\b/g],
  ["duration", /(?<![\w.:])\d{1,9}(?:\.\d{1,9})? ?(?:ns|µs|us|ms|s|secs?|seconds?|mins?|minutes?|hours?)\b/g],
  ["duration", /(?<![\d:])\d{1,4}:\d\d(?::\d\d)?\.\d{1,9}(?!\d)/g],
  ["duration", /(?<![\d:])\d:\d\d:\d\d(?![\d:])/g],
  ["duration", /(?<![\w.])\d{1,9}(?:\.\d{1,9})? ?[kKMGT]?i?B\/s/g],
  ["duration", /(?<![\w.])\d{1,9}(?:\.\d{1,9})?%/g],
  ["duration", /\bload averages?: ((?:\d{1,6}\.\d\d,? ?){1,3})/g],
];

/** Columns of ps and top tables by the name in their head. */
const COLUMNS = new Map<string, VolatileCause>(
  Object.entries({
    PID: "pid",
    PPID: "pid",
    PGID: "pid",
    SID: "pid",
    SESS: "pid",
    TPGID: "pid",
    SPID: "pid",
    LWP: "pid",
    STIME: "time",
    START: "time",
    STARTED: "time",
    TIME: "duration",
    "TIME+": "duration",
    ELAPSED: "duration",
    "%CPU": "duration",
    "%MEM": "duration",
    C: "duration",
  }),
);

/** Columns of a process table that a line may be the head of: their causes by position; null when it is none. */
function tableOf(line: string): (VolatileCause | null)[] | null {
  if (!/(?:^|\s)PID(?:\s|$)/.test(line) || !/\b(?:CMD|COMMAND|ARGS|COMM)\s*$/.test(line)) return null;
  const heads = line.trim().split(/\s+/);
  // The last column holds spaces of its own.
  return heads.slice(0, -1).map((head) => COLUMNS.get(head) ?? null);
}

function cells(line: string, table: (VolatileCause | null)[]): Span[] {
  const spans: Span[] = [];
  const words = /\s*\S+/g;
  for (const cause of table) {
    const match = words.exec(line);
    if (!match) return [];
    if (cause !== null && /\d/.test(match[0])) spans.push({ cause, start: match.index, end: words.lastIndex });
  }
  return spans;
}

/** Longer lines are data, not output to read: only their beginning is looked at. */
export const MAX_LINE = 20_000;

function forms(line: string): Span[] {
  const spans: Span[] = [];
  const text = line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line;
  if (!/\d|tmp|pip-|\/cc/.test(text)) return spans;
  const free = (start: number, end: number) => spans.every((s) => end <= s.start || start >= s.end);
  for (const [cause, form] of FORMS) {
    form.lastIndex = 0;
    for (let m = form.exec(text); m; m = form.exec(text)) {
      const part = m[1] ?? m[0];
      let start = m.index + (m[1] === undefined ? 0 : m[0].lastIndexOf(part));
      const end = start + part.length;
      // Spaces before it only fill a column.
      while (text[start - 1] === " ") start--;
      if (part.length > 0 && free(start, end)) spans.push({ cause, start, end });
      if (m[0].length === 0) form.lastIndex++;
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}

/** Volatile stretches of each line of a text, in order and without overlap. Lines end at line feeds. */
export function volatileSpans(lines: readonly string[]): Span[][] {
  let table: (VolatileCause | null)[] | null = null;
  return lines.map((line) => {
    const head = tableOf(line);
    if (head) {
      table = head;
      return [];
    }
    if (table && line.trim() !== "") {
      const found = cells(line, table);
      if (found.length > 0) return found;
    }
    table = null;
    return forms(line);
  });
}
