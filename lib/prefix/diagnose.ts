import { diffArrays } from "diff";
import type { Seen } from "./compare";
import { type NormalisedLine, normaliseLines } from "./normalise";
import { flowOf, type Sources, writersOf } from "./sources";
import type { Cause } from "./types";

/** Why a command came to something else, and where that shows first. */
export interface Diagnosis {
  cause: Cause;
  /** Index (in `earlier`) of the command that brought it in, when it was not the command itself. */
  through: number | null;
  /** What stands on either side where the cause shows; null on a side that has nothing there. Shortened. */
  recorded: string | null;
  rerun: string | null;
}

export interface DiagnosisInput {
  command: string;
  /** Commands of the prefix before this one, in order. */
  earlier: readonly string[];
  /** Without the exit code line of the wrapper. */
  recorded: Seen;
  rerun: Seen;
}

const MISSING =
  /No such file or directory|command not found|\bnot found$|cannot (?:access|stat|open)|does not exist|ModuleNotFoundError|FileNotFoundError|No module named|can't open file|Is a directory|Not a directory/i;
const NETWORK =
  /Could not resolve|Couldn't resolve|Temporary failure (?:in name resolution|resolving)|Name or service not known|Network is unreachable|Connection (?:refused|reset|timed out)|No route to host|Failed to (?:connect|establish a new connection)|unable to access 'https?:|getaddrinfo|ConnectionError|Max retries exceeded/i;
const LOCAL = /\b(?:localhost|127\.0\.0\.1|::1)\b/;
const WORDS = /[A-Za-z0-9_.\-/]+|[^\sA-Za-z0-9_.\-/]+/g;
const MONTH_OR_DAY = /^(?:[A-Z][a-z]{2,8}|UTC|GMT|[AP]M)$/;
const SHOWN = 160;

const short = (text: string | null): string | null =>
  text !== null && text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;

type Pair = [recorded: string | null, rerun: string | null];
type Found = { cause: Cause; at: Pair };

/** A stretch of lines that only stand on one side each, or differ, once what is volatile is taken away. */
interface Block {
  recorded: NormalisedLine[];
  rerun: NormalisedLine[];
}

function blocksOf(
  a: NormalisedLine[],
  b: NormalisedLine[],
): { blocks: Block[]; equal: [NormalisedLine, NormalisedLine][] } {
  const blocks: Block[] = [];
  const equal: [NormalisedLine, NormalisedLine][] = [];
  const changes = diffArrays(
    a.map((l) => l.text),
    b.map((l) => l.text),
    { maxEditLength: 1500 },
  );
  if (!changes) return { blocks: [{ recorded: a, rerun: b }], equal };
  let i = 0;
  let j = 0;
  let open: Block | null = null;
  for (const change of changes) {
    const n = change.value.length;
    if (!change.added && !change.removed) {
      open = null;
      for (let k = 0; k < n; k++) equal.push([a[i++] as NormalisedLine, b[j++] as NormalisedLine]);
      continue;
    }
    if (!open) {
      open = { recorded: [], rerun: [] };
      blocks.push(open);
    }
    if (change.removed) for (let k = 0; k < n; k++) open.recorded.push(a[i++] as NormalisedLine);
    else for (let k = 0; k < n; k++) open.rerun.push(b[j++] as NormalisedLine);
  }
  return { blocks, equal };
}

/** The first volatile stretch whose text differs. */
function volatileOf(pairs: [NormalisedLine, NormalisedLine][]): Found | null {
  for (const [a, b] of pairs) {
    for (const [k, was] of a.replaced.entries()) {
      const is = b.replaced[k];
      if (is && is.text !== was.text) return { cause: was.cause, at: [was.text, is.text] };
    }
  }
  return null;
}

const sameBag = (a: string[], b: string[]): boolean =>
  a.length === b.length && a.toSorted().join("\n") === b.toSorted().join("\n");
const wordsOf = (line: string): string[] => line.match(WORDS) ?? [];
const elements = (line: string): string[] => line.split(/[\s,[\](){}]+/).filter((word) => word !== "");

/** The same lines, or in each line the same elements, in another order. */
function permuted(blocks: Block[]): boolean {
  const a = blocks.flatMap((b) => b.recorded.map((l) => l.text));
  const b = blocks.flatMap((b) => b.rerun.map((l) => l.text));
  if (sameBag(a, b)) return true;
  return (
    a.length === b.length &&
    a.every((line, k) => {
      const [one, two] = [elements(line), elements(b[k] ?? "")];
      return one.join(" ") !== two.join(" ") && sameBag(one, two);
    })
  );
}

/** Words that differ between lines that stand beside each other; null when lines have no counterpart or another shape. */
function changedWords(blocks: Block[]): Pair[] | null {
  const pairs: Pair[] = [];
  for (const block of blocks) {
    if (block.recorded.length !== block.rerun.length) return null;
    for (const [k, line] of block.recorded.entries()) {
      const changes = diffArrays(wordsOf(line.text), wordsOf(block.rerun[k]?.text ?? ""), { maxEditLength: 400 });
      if (!changes) return null;
      const before = pairs.length;
      for (let c = 0; c < changes.length; c++) {
        const [one, two] = [changes[c], changes[c + 1]];
        if (!one?.added && !one?.removed) continue;
        if (!two || two.added === one.added || (!two.added && !two.removed) || two.value.length !== one.value.length)
          return null;
        one.value.forEach((word, w) => {
          const other = two.value[w] ?? "";
          pairs.push(one.removed ? [word, other] : [other, word]);
        });
        c++;
      }
      // Only the white space between the words differs.
      if (pairs.length === before) pairs.push([line.text, block.rerun[k]?.text ?? ""]);
    }
  }
  return pairs;
}

const isNumber = (word: string | null): boolean => word !== null && /^\d+$/.test(word);
const isEpoch = (word: string | null): boolean =>
  word !== null && /^1[4-9]\d{8}(?:\d{3}|\d{6}|\d{9})?(?:\.\d+)?$/.test(word);
const isDecimal = (word: string | null): boolean => word !== null && /^\d+(?:\.\d+)?$/.test(word);

/** What a changed word can come from, given what the command draws on; null when nothing explains it. */
function causeOfWord([a, b]: Pair, sources: Sources): Cause | null {
  if (a === null || b === null) return null;
  if (sources.time && isEpoch(a) && isEpoch(b)) return "time";
  if (sources.temp && a.length === b.length && /[A-Za-z]/.test(a + b) && sharedStart(a, b)) return "temp-name";
  if (sources.pid && isNumber(a) && isNumber(b) && a.length <= 7 && b.length <= 7) return "pid";
  if (sources.random) return "randomness";
  if (sources.time && timeLike(a) && timeLike(b)) return "time";
  if (sources.duration && isDecimal(a) && isDecimal(b)) return "duration";
  if (sources.network) return "network";
  return null;
}

/** Names made from one template have the same length, and what differs stands in one piece. */
const sharedStart = (a: string, b: string): boolean => {
  let k = 0;
  while (k < a.length && a[k] === b[k]) k++;
  return k > 0 || /^[A-Za-z0-9]+$/.test(a);
};

const timeLike = (word: string): boolean =>
  /^\d+(?:[-:/.]\d+)*$/.test(word) || MONTH_OR_DAY.test(word) || /^\d{4}-?\d\d-?\d\d[T_-]?\d*/.test(word);

const union = (list: Sources[]): Sources => {
  const all = { ...(list[0] as Sources) };
  for (const s of list) for (const key of Object.keys(s) as (keyof Sources)[]) all[key] ||= s[key];
  return all;
};

/** A line that says so on one side only. */
function evidence(blocks: Block[], sign: RegExp, except?: RegExp): Pair | null {
  for (const block of blocks) {
    const a = block.recorded.find((l) => sign.test(l.text) && !except?.test(l.text));
    const b = block.rerun.find((l) => sign.test(l.text) && !except?.test(l.text));
    if ((a === undefined) !== (b === undefined))
      return [a?.text ?? block.recorded[0]?.text ?? null, b?.text ?? block.rerun[0]?.text ?? null];
  }
  return null;
}

const firstOf = (blocks: Block[]): Pair => [blocks[0]?.recorded[0]?.text ?? null, blocks[0]?.rerun[0]?.text ?? null];

/** What explains lines that differ beyond volatile stretches; null when nothing does. */
function residual(blocks: Block[], sources: Sources): Found | null {
  const at = firstOf(blocks);
  if (permuted(blocks)) return { cause: sources.random ? "randomness" : "order", at };
  const network = evidence(blocks, NETWORK, LOCAL);
  if (network) return { cause: "network", at: network };
  if (sources.background) {
    const bag = [blocks.flatMap((b) => b.recorded), blocks.flatMap((b) => b.rerun)].map((l) => l.length);
    if (bag[0] === 0 || bag[1] === 0 || evidence(blocks, MISSING)) return { cause: "order", at };
  }
  const missing = evidence(blocks, MISSING);
  if (missing) return { cause: "missing-file", at: missing };
  const words = changedWords(blocks);
  if (words) {
    const causes = words.map((pair) => causeOfWord(pair, sources));
    const k = causes.findIndex((cause) => cause !== null);
    if (k >= 0 && causes.every((cause) => cause !== null)) return { cause: causes[k] as Cause, at: words[k] as Pair };
  }
  if (sources.random) return { cause: "randomness", at };
  if (sources.processes) return { cause: "pid", at };
  if (sources.network) return { cause: "network", at };
  if (sources.background) return { cause: "order", at };
  return null;
}

/**
 * The cause class of a difference (recipe 9), from what differs together with what the command draws on. Something that
 * the form of the text alone explains (a time, a process number) counts only when nothing else differs; a residue that
 * neither the command nor an earlier one it builds on explains is `other`. Call it only when the two differ.
 */
export function diagnose(input: DiagnosisInput): Diagnosis {
  const { command, earlier, recorded, rerun } = input;
  const { blocks, equal } = blocksOf(normaliseLines(recorded.text), normaliseLines(rerun.text));
  const exitDiffers = recorded.exitCode !== null && recorded.exitCode !== rerun.exitCode;
  const codes: Pair = [`exit code ${recorded.exitCode}`, `exit code ${rerun.exitCode}`];
  const done = (found: Found, through: number | null = null): Diagnosis => ({
    cause: found.cause,
    through,
    recorded: short(found.at[0]),
    rerun: short(found.at[1]),
  });
  if (blocks.length === 0) {
    if (exitDiffers) return done({ cause: "exit-code", at: codes });
    return done(volatileOf(equal) ?? { cause: "other", at: [null, null] });
  }
  const own = flowOf(command).sources;
  const found = residual(blocks, own);
  if (found && found.cause !== "missing-file") return done(found);
  // Nothing in the command itself: perhaps in what it reads.
  const writers = writersOf(command, earlier);
  const so = [own];
  for (const index of writers) {
    so.push(flowOf(earlier[index] ?? "").sources);
    const brought = residual(blocks, union(so));
    if (brought && brought.cause !== "missing-file") return done(brought, index);
  }
  if (found) return done(found);
  if (exitDiffers) return done({ cause: "exit-code", at: codes });
  return done({ cause: "other", at: firstOf(blocks) });
}
