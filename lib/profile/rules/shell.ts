import {
  type Command,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
} from "unbash";
import { below, START, type Where } from "./place";
import { unwrap } from "./unwrap";

/** Longer commands are not parsed (they are almost all pasted data); they count as "not parsed", never as harmless. */
export const MAX_COMMAND = 65_536;
/** Nesting and count beyond which the rest of a command is left out; the result then says `complete: false`. */
const MAX_DEPTH = 40;
const MAX_COMMANDS = 500;

export interface ShellWord {
  value: string;
  start: number;
  end: number;
  /** As written, quotes included. */
  text: string;
  /** Holds an expansion, so `value` is its source text and not what the shell will see. */
  dynamic: boolean;
}

export interface ShellRedirect {
  operator: string;
  fd: number | null;
  target: string;
}

/** One simple command with its wrappers (sudo, timeout, env, bash -c, …) taken off. Offsets are into the whole command text. */
export interface ShellCommand {
  /** Base name of the program, "" when it is only assignments or the name is an expansion. */
  program: string;
  args: ShellWord[];
  redirects: ShellRedirect[];
  /** Body of a here-document or here-string. */
  here: { text: string; start: number; end: number } | null;
  assigns: { name: string; value: string }[];
  wrappers: string[];
  /** Seconds of a `timeout` wrapper. */
  timeout: number | null;
  start: number;
  end: number;
  /** Number of the pipeline it stands in, its place there, and whether it is the last part. */
  pipeline: number;
  place: number;
  last: boolean;
  /** Operator between the previous command of the list and this one's pipeline. */
  after: "start" | "&&" | "||" | ";";
  background: boolean;
  /** Inside a loop, condition, function, subshell or substitution. */
  nested: boolean;
  substitution: boolean;
}

export type Parsed =
  | { kind: "parsed"; commands: ShellCommand[]; complete: boolean }
  | { kind: "failed"; message: string; position: number }
  | { kind: "not-parsed"; reason: string };

interface Sink {
  commands: ShellCommand[];
  pipelines: number;
  complete: boolean;
  /** Range of the outer word when the text is an argument of `bash -c`. */
  outer: [number, number] | null;
  level: number;
  /** The text has characters that can bring a command or a deep nesting into a word. */
  inWords: boolean;
}

/** Without one of these no word holds a command, and words nest no deeper than WORD_DEPTH. */
const IN_WORDS = /[$`({]/;
const WORD_DEPTH = 8;

function isDynamic(word: Word): boolean {
  if (!word.parts) return false;
  return word.parts.some((part) => {
    if (part.type === "DoubleQuoted" || part.type === "LocaleString")
      return part.parts.some((p) => p.type !== "Literal");
    return part.type !== "Literal" && part.type !== "SingleQuoted" && part.type !== "AnsiCQuoted";
  });
}

function toWord(word: Word, outer: Sink["outer"]): ShellWord {
  const [start, end] = outer ?? [word.pos, word.end];
  return { value: word.value, text: word.text, start, end, dynamic: isDynamic(word) };
}

function toRedirects(list: readonly Redirection[], source: string, sink: Sink) {
  const redirects: ShellRedirect[] = [];
  let here: ShellCommand["here"] = null;
  for (const r of list) {
    const fd = r.descriptor?.type === "FileDescriptor" ? r.descriptor.value : null;
    if (r.type === "HereDoc") {
      const [start, end] = sink.outer ?? [r.body.pos, r.body.end];
      here = { text: source.slice(r.body.pos, r.body.end), start, end };
    } else if (r.type === "HereString") {
      const [start, end] = sink.outer ?? [r.pos, r.end];
      here = { text: r.target?.value ?? "", start, end };
    } else redirects.push({ operator: r.operator, fd, target: r.target?.value ?? "" });
  }
  return { redirects, here };
}

function addCommand(node: Command, source: string, where: Where, sink: Sink, extra: readonly Redirection[]) {
  const words: ShellWord[] = node.name ? [toWord(node.name, sink.outer)] : [];
  const assigns: ShellCommand["assigns"] = [];
  for (const p of node.prefix) {
    if (p.type === "Assignment") assigns.push({ name: p.name, value: p.value.type === "Word" ? p.value.text : p.text });
  }
  for (const a of node.args) {
    if (a.type === "Word") words.push(toWord(a, sink.outer));
    else {
      const [start, end] = sink.outer ?? [a.pos, a.end];
      words.push({ value: a.text, text: a.text, start, end, dynamic: a.text.includes("$") });
    }
  }
  const bare = unwrap(words);
  const { redirects, here } = toRedirects(
    extra.length > 0 ? [...node.redirects, ...extra] : node.redirects,
    source,
    sink,
  );
  const [start, end] = sink.outer ?? [node.pos, node.end];
  if (bare.script && sink.level < 3) {
    // `bash -c "…"`: the script stands in place of the command; its offsets are those of the quoted word.
    const inner = parse(bare.script.value);
    const range: [number, number] = [bare.script.start, bare.script.end];
    const before = sink.commands.length;
    const nested: Sink = { ...sink, outer: range, level: sink.level + 1, inWords: true };
    if (!inner.errors?.length) visit(inner, bare.script.value, below(where, {}), nested);
    sink.pipelines = nested.pipelines;
    sink.complete = nested.complete;
    if (sink.commands.length > before) {
      for (const c of sink.commands.slice(before)) {
        c.redirects.push(...redirects);
        c.wrappers.unshift(...bare.wrappers);
        c.timeout ??= bare.timeout;
      }
      return;
    }
  }
  const first = bare.words[0];
  const args = bare.words.slice(1);
  const program = first && !first.dynamic ? first.value.slice(first.value.lastIndexOf("/") + 1) : "";
  const { after, pipeline, place, last, background, nested, substitution } = where;
  sink.commands.push({
    program,
    args,
    redirects,
    here,
    assigns,
    start,
    end,
    after,
    pipeline,
    place,
    last,
    background,
    nested,
    substitution,
    wrappers: bare.wrappers,
    timeout: bare.timeout,
  });
}

/** Expansions inside words: `$(…)`, backticks and `<(…)` run commands too. */
function visitWords(node: SyntaxNode, source: string, where: Where, sink: Sink) {
  if (!sink.inWords && where.depth + WORD_DEPTH < MAX_DEPTH) return;
  forEachChild(node, (child) => {
    if (where.depth > MAX_DEPTH) {
      sink.complete = false;
      return;
    }
    if (child.type === "Script") {
      // Escaped backticks have a decoded source of their own whose offsets do not fit the command's text.
      if (child.source !== undefined) sink.complete = false;
      else visit(child, source, below(where, { nested: true, substitution: true, after: "start" }), sink);
    } else visitWords(child, source, below(where, {}), sink);
  });
}

function visit(node: SyntaxNode, source: string, where: Where, sink: Sink, extra: readonly Redirection[] = []): void {
  if (where.depth > MAX_DEPTH || sink.commands.length >= MAX_COMMANDS) {
    sink.complete = false;
    return;
  }
  switch (node.type) {
    case "Script":
    case "CompoundList":
      for (let i = 0; i < node.commands.length; i++) {
        const statement = node.commands[i];
        if (statement) visit(statement, source, below(where, { after: i === 0 ? where.after : ";" }), sink);
      }
      return;
    case "Statement": {
      const background = where.background || node.background === true;
      visit(node.command, source, below(where, { background }), sink, extra);
      return;
    }
    case "AndOr":
      node.commands.forEach((c, i) => {
        const after = i === 0 ? where.after : (node.operators[i - 1] ?? ";");
        visit(c, source, below(where, { after }), sink);
      });
      return;
    case "Pipeline": {
      const pipeline = ++sink.pipelines;
      node.commands.forEach((c, place) => {
        const last = place === node.commands.length - 1;
        visit(c, source, below(where, { pipeline, place, last: last && where.last }), sink);
      });
      return;
    }
    case "Redirected":
      visit(node.command, source, below(where, {}), sink, node.redirects);
      return;
    case "Command": {
      const at = where.pipeline === 0 ? { ...where, pipeline: ++sink.pipelines } : where;
      addCommand(node, source, at, sink, extra);
      visitWords(node, source, below(where, { pipeline: 0, place: 0, last: true }), sink);
      return;
    }
    default: {
      // Loops, conditions, groups, functions: everything inside, in the order it is written.
      const inside = below(where, { nested: true, pipeline: 0, place: 0 });
      forEachChild(node, (child) => {
        if (child.type === "Word") visitWords(child, source, inside, sink);
        else visit(child, source, inside, sink, extra);
      });
    }
  }
}

/** The parser may place the end of an unfinished expansion behind the end of the text. */
function clamp(command: ShellCommand, length: number): void {
  for (const span of [command, command.here, ...command.args]) {
    if (!span) continue;
    span.end = Math.min(span.end, length);
    span.start = Math.min(span.start, span.end);
  }
}

/** Parses a command line or script. Never throws; a syntax error or an oversized text is a value. */
export function parseCommand(text: string): Parsed {
  if (text.length > MAX_COMMAND) return { kind: "not-parsed", reason: `longer than ${MAX_COMMAND} characters` };
  let script: ParsedScript;
  try {
    script = parse(text);
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error), position: 0 };
  }
  const first = script.errors?.[0];
  if (first) return { kind: "failed", message: first.message, position: first.pos };
  const inWords = IN_WORDS.test(text);
  const sink: Sink = { commands: [], pipelines: 0, complete: true, outer: null, level: 0, inWords };
  try {
    visit(script, text, START, sink);
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error), position: 0 };
  }
  for (const command of sink.commands) clamp(command, text.length);
  return { kind: "parsed", commands: sink.commands, complete: sink.complete };
}
