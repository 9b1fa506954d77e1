import type { Step } from "@/lib/trajectory/types";

/** Of longer texts only this much of the beginning and of the end is looked at. */
export const HEAD = 32_768;
export const TAIL = 32_768;

/** A stretch of a text with its offset in it. */
export interface Window {
  text: string;
  at: number;
}

/** The one or two stretches of a text that are looked at. */
export function windows(text: string, head = HEAD, tail = TAIL): Window[] {
  if (text.length <= head + tail) return [{ text, at: 0 }];
  return [
    { text: text.slice(0, head), at: 0 },
    { text: text.slice(-tail), at: text.length - tail },
  ];
}

export interface Hit {
  start: number;
  end: number;
  text: string;
  groups: (string | undefined)[];
}

/** First match in the looked-at part of a text, with offsets in the whole text. The pattern must not be global. */
export function search(text: string, pattern: RegExp, head = HEAD, tail = TAIL): Hit | null {
  for (const w of windows(text, head, tail)) {
    const m = pattern.exec(w.text);
    if (m) return { start: w.at + m.index, end: w.at + m.index + m[0].length, text: m[0], groups: m.slice(1) };
  }
  return null;
}

/**
 * What came back for a step, as evidence offsets count it: the contents of its observations, joined by a line feed
 * when there are several. null when nothing came back or the file does not say.
 */
export function outputText(step: Step): string | null {
  const { observations } = step;
  if (observations.length <= 1) return observations[0]?.content ?? null;
  const texts = observations.flatMap((o) => (o.content === null ? [] : [o.content]));
  const [only] = texts;
  if (only === undefined) return null;
  return texts.length === 1 ? only : texts.join("\n");
}

const ERROR_MARKS =
  /^Traceback \(most recent call last\)|^[^\s:]*: (?:line \d+: )?[^\n:]{1,80}: (?:command )?not found|^(?:ba)?sh: [^\n]*(?:No such file|command not found|Permission denied)|^[^\n]{0,60}: cannot (?:access|stat|open)[^\n]*|^make(?:\[\d+\])?: \*\*\*[^\n]*|^=+ [^\n]*\b\d+ (?:failed|error)[^\n]*=$|^error(?:\[\w+\])?: [^\n]+|^fatal: [^\n]+|^E: [^\n]+|^FAILED [^\n]+/im;

/** A line that says that the command failed. */
export function errorMark(output: string): Hit | null {
  return search(output, ERROR_MARKS, 4096, 8192);
}

/** Failures that may go away by themselves: network, locks, start-up of something else. */
const TRANSIENT =
  /tempor(?:ary|arily)|timed? ?out|connection (?:refused|reset|aborted|closed)|could not (?:get lock|resolve)|unable to lock|name resolution|network is unreachable|unreachable|TLS|SSL|\b(?:429|502|503|504)\b|rate limit|resource busy|is locked|try again|not ready|couldn't connect|failed to connect|waiting for/i;

/** Whether a failure looks like one that may pass by itself. */
export function isTransient(output: string): boolean {
  return search(output, TRANSIENT, 8192, 8192) !== null;
}
