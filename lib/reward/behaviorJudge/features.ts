import { createHash } from "node:crypto";
import type { Step } from "@/lib/trajectory/types";

/** Places that features are hashed to; two that meet share a weight. */
export const DIMENSIONS = 1 << 13;
/** Of an output so much is read at either end: the rest repeats. */
const OUTPUT = 1500;

/** Families of commands, by the program that a command begins with or pipes into. */
const FAMILIES: Record<string, RegExp> = {
  look: /(?:^|[|;&]\s*)(?:ls|find|tree|stat|file|du|pwd)\b/,
  read: /(?:^|[|;&]\s*)(?:cat|head|tail|less|more|sed -n)\b/,
  search: /(?:^|[|;&]\s*)(?:grep|rg|awk)\b/,
  binary: /(?:^|[|;&]\s*)(?:xxd|od|hexdump|strings)\b/,
  write: /(?:>|(?:^|[|;&]\s*)(?:tee|cp|mv|touch|mkdir|sed -i)\b)/,
  remove: /(?:^|[|;&]\s*)(?:rm|rmdir|kill|pkill|killall)\b/,
  run: /(?:^|[|;&]\s*)(?:python3?|bash|sh|node|make|\.\/)/,
  check: /(?:^|[|;&]\s*)(?:test|diff|cmp|sha256sum|md5sum|wc|pytest)\b/,
  submit: /COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT/,
};

const words = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z_][a-z_-]*|[0-9]+|[^\sa-z0-9]/g) ?? []).map((w) => (/^[0-9]/.test(w) ? "0" : w));

const ends = (text: string): string => (text.length <= 2 * OUTPUT ? text : text.slice(0, OUTPUT) + text.slice(-OUTPUT));

function* wordsAndPairs(kind: string, text: string): Generator<string> {
  let before = "^";
  for (const word of words(text)) {
    yield `${kind} ${word}`;
    yield `${kind} ${before} ${word}`;
    before = word;
  }
}

/** A command that ran, as later ones are compared with it. */
interface Ran {
  command: string;
  failed: boolean;
  output: string;
}

const ranOf = (step: Step): Ran | null => {
  const command = step.call?.command ?? null;
  if (command === null) return null;
  const output = step.observations.map((o) => o.content ?? o.error ?? "").join("\n");
  return { command, failed: step.observations.some((o) => o.exitCode !== null && o.exitCode !== 0), output };
};

const CHANGES = ["write", "remove", "run"] as const;
const changes = (command: string): boolean => CHANGES.some((family) => FAMILIES[family]?.test(command));
const familiesOf = (command: string): string[] =>
  Object.entries(FAMILIES).flatMap(([family, pattern]) => (pattern.test(command) ? [family] : []));
/** Words of a command that name something: no options, no programs of the shell's own. */
const namesIn = (command: string): string[] =>
  (command.match(/(?<![\w-])[\w.]{2,}/g) ?? [])
    .slice(1)
    .filter((word) => !/^(?:then|done|else|true|false)$/.test(word));

/** How a command stands to what ran before it, in the window and in the prefix. */
function* relationsOf({ command }: Ran, before: readonly Ran[]): Generator<string> {
  const at = before.findLastIndex((ran) => ran.command === command);
  const same = before[at];
  if (same) {
    const between = before.slice(at + 1).some((ran) => changes(ran.command)) ? "something" : "nothing";
    yield `again after ${same.failed ? "failing" : "success"}, ${between} changed between`;
    yield `again after ${same.failed ? "failing" : "success"}`;
  }
  const last = before.at(-1);
  const now = familiesOf(command);
  for (const family of now) yield `family ${family} after ${last ? (last.failed ? "failing" : "success") : "nothing"}`;
  if (last)
    for (const family of now) for (const past of familiesOf(last.command)) yield `family ${past} then ${family}`;
  if (now.includes("remove")) {
    const named = namesIn(command);
    const listed = named.some((word) => before.some((ran) => ran.output.split(/[^\w.]+/).includes(word)));
    yield listed ? "removes what an output named" : "removes what no output named";
  }
  const changed = before.findLastIndex((ran) => changes(ran.command));
  if (now.includes("submit"))
    yield changed < 0
      ? "submits and changed nothing"
      : before.slice(changed + 1).some((ran) => !changes(ran.command))
        ? "submits after looking at the change"
        : "submits right after the change";
}

/** Words and codes of the window, each step by itself. */
function* wordsOf(agent: readonly Step[]): Generator<string> {
  for (const step of agent) {
    const ran = ranOf(step);
    if (ran !== null) yield* wordsAndPairs("command", ran.command);
    for (const observation of step.observations) {
      yield* wordsAndPairs("output", ends(observation.content ?? observation.error ?? ""));
      if ((observation.content ?? "").includes("\u0000") || (observation.content ?? "").includes("\ufffd"))
        yield "binary output";
    }
  }
}

/** Shape of the window: families, exit codes, and how its commands stand to each other and to the prefix. */
function* shapeOf(agent: readonly Step[], before: readonly Step[]): Generator<string> {
  yield `steps ${agent.length}`;
  const past = before.flatMap((step) => (step.kind === "agent" ? (ranOf(step) ?? []) : []));
  for (const [i, step] of agent.entries()) {
    const ran = ranOf(step);
    if (ran === null) yield "no command";
    else {
      for (const family of familiesOf(ran.command)) yield `family ${family}`;
      for (const relation of relationsOf(ran, past)) {
        yield relation;
        if (i === 0) yield `first: ${relation}`;
      }
      past.push(ran);
    }
    for (const { exitCode, timedOut } of step.observations) {
      yield exitCode === null ? "exit unknown" : exitCode === 0 ? "exit 0" : "exit not 0";
      if (timedOut) yield "timed out";
    }
  }
  const last = past.at(-1)?.command;
  if (last) for (const family of familiesOf(last)) yield `last family ${family}`;
}

/** A window as hashed features: places in order, each once, with their values; the vector has length 1 at most. */
export interface Features {
  at: number[];
  value: number[];
}

const cache = new Map<string, number>();
function placeOf(name: string): number {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const place = createHash("sha256").update(name).digest().readUInt32BE(0) % DIMENSIONS;
  if (cache.size > 200_000) cache.clear();
  cache.set(name, place);
  return place;
}

/**
 * Words of a window, and its shape; `before`: what the policy had seen, for the shape alone. Words and shape weigh the
 * same however many words there are: else what is said would outvote what is done.
 */
export function featuresOf(steps: readonly Step[], before: readonly Step[]): Features {
  const agent = steps.filter((step) => step.kind === "agent");
  const values = new Map<number, number>();
  for (const names of [wordsOf(agent), shapeOf(agent, before)]) {
    const places = new Set([...names].map(placeOf));
    const value = 1 / Math.sqrt(2 * Math.max(1, places.size));
    for (const place of places) values.set(place, (values.get(place) ?? 0) + value);
  }
  const all = [...values].sort(([a], [b]) => a - b);
  return { at: all.map(([place]) => place), value: all.map(([, value]) => value) };
}
