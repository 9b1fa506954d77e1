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

function* namesOf(steps: readonly Step[]): Generator<string> {
  const agent = steps.filter((step) => step.kind === "agent");
  yield `steps ${agent.length}`;
  const commands = agent.map((step) => step.call?.command ?? null);
  for (const [i, step] of agent.entries()) {
    const command = commands[i] ?? null;
    if (command === null) yield "no command";
    else {
      yield* wordsAndPairs("command", command);
      for (const [family, pattern] of Object.entries(FAMILIES)) if (pattern.test(command)) yield `family ${family}`;
      if (commands.indexOf(command) < i) yield "command again";
    }
    for (const observation of step.observations) {
      yield* wordsAndPairs("output", ends(observation.content ?? observation.error ?? ""));
      const code = observation.exitCode;
      yield code === null ? "exit unknown" : code === 0 ? "exit 0" : "exit not 0";
      if (observation.timedOut) yield "timed out";
      if ((observation.content ?? "").includes("\u0000") || (observation.content ?? "").includes("\ufffd"))
        yield "binary output";
    }
  }
  const last = commands.at(-1);
  for (const [family, pattern] of Object.entries(FAMILIES))
    if (last && pattern.test(last)) yield `last family ${family}`;
}

/** A window as hashed features: places in order, each once, all of one weight; the vector has length 1. */
export interface Features {
  at: number[];
  value: number;
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

/** Words and pairs of words of commands and outputs, exit codes, families of commands; only the window is read. */
export function featuresOf(steps: readonly Step[]): Features {
  const at = [...new Set([...namesOf(steps)].map(placeOf))].sort((a, b) => a - b);
  return { at, value: at.length === 0 ? 0 : 1 / Math.sqrt(at.length) };
}
