import type { Step } from "@/lib/trajectory/types";
import { HEAD, TAIL, windows } from "./output";
import type { ShellCommand } from "./shell";
import type { StepView } from "./view";
import { uncheckedAfter } from "./writes";

/** Words of commands remembered at most; beyond it nothing new is remembered, so detectors see less, never more. */
const MAX_WORDS = 200_000;
/** Their words name what is asked or ended, not what the agent runs. */
const NOT_STARTING = new Set([
  "pkill",
  "killall",
  "kill",
  "pgrep",
  "pidof",
  "fuser",
  "lsof",
  "curl",
  "wget",
  "nc",
  "telnet",
  "echo",
  "grep",
]);
/** Of one word or here-document only this much is remembered. */
const MAX_TEXT = 8192;
const MAX_LISTINGS = 40;
/** Characters that all searches for a literal may read in one trajectory. */
const SEARCH_BUDGET = 32_000_000;

/** Its output is the id of a process that was named: pgrep and the like, `echo $!`, a pid file. */
function tellsProcess(command: ShellCommand): boolean {
  if (LISTERS.has(command.program)) return true;
  if (command.program === "echo") return command.args.some((a) => /\$\{?(!|\w*pid)/i.test(a.value));
  return command.program === "cat" && command.args.some((a) => /pid/i.test(a.value));
}

const LISTERS = new Set(["ps", "pgrep", "pidof", "pstree", "top", "lsof", "ss", "netstat", "jobs", "fuser", "htop"]);

/** An earlier run of a command. */
export interface Run {
  view: StepView;
  /** `changes` right after it. */
  changes: number;
  /** Its place in `views`. */
  place: number;
}

/** Latest runs by the keys of normalise.ts. */
interface Runs {
  same: Map<string, Run>;
  attempts: Map<string, Run>;
}

/** Everything that happened before the step in question, and nothing after: detectors cannot look ahead. */
export class History {
  /** Views of the agent steps so far; copied and non-agent entries are not in it. */
  readonly views: StepView[] = [];
  /** What the system and the user said so far. */
  readonly told: string[] = [];
  /** Number of steps so far that may have changed something. */
  changes = 0;
  /** Something was started that may still be running. */
  background = false;
  /** Steps up to here are only known by a summary. */
  forgottenBefore = 0;
  /** Entries that complained about the form of a reply. */
  formatErrors = 0;
  /** Working directory as far as it is known: changed by each `cd`. */
  directory = "";
  readonly listings: StepView[] = [];
  /** The latest step that wrote content, while nothing that could show its result ran after it. */
  unchecked: { view: StepView; command: ShellCommand } | null = null;
  /** The latest step that may have changed something, whatever it was. */
  lastRun: StepView | null = null;

  private readonly runs: Runs = { same: new Map(), attempts: new Map() };
  /** Runs whose meaning depends on the directory, by `directory`. */
  private readonly runsIn = new Map<string, Runs>();
  private readonly commandWords = new Set<string>();
  private readonly numbers = new Set<number>();
  private wordsUpTo = 0;
  private numbersUpTo = 0;
  private numbersToldUpTo = 0;
  private searched = 0;

  /** Takes in an entry that is no step of the policy. */
  tell(step: Step): void {
    if (step.message !== null && step.note !== "demonstration") this.told.push(step.message);
    if (step.note === "format-error") this.formatErrors++;
    if (step.note === "summary") this.forgottenBefore = this.views.length;
  }

  /** Takes in a step after it was judged. */
  push(view: StepView): void {
    this.views.push(view);
    if (view.step.note === "summary") this.forgottenBefore = this.views.length;
    // A program that does not exist has changed nothing.
    const missing = view.exitCode === 127 && view.commands.length === 1;
    if ((view.effect === "run" || view.effect === "write") && !missing) this.changes++;
    if (view.background) this.background = true;
    this.noteWrites(view);
    if (view.commands.some((c) => LISTERS.has(c.program)) && this.listings.push(view) > MAX_LISTINGS)
      this.listings.shift();
    if (view.command !== null) {
      const at = { view, changes: this.changes, place: this.views.length - 1 };
      this.runsOf(view, view.sameKey).same.set(view.sameKey, at);
      this.runsOf(view, view.attemptKey).attempts.set(view.attemptKey, at);
    }
    for (const c of view.commands) {
      if ((c.program === "cd" || c.program === "pushd" || c.program === "popd") && !c.substitution) {
        const to = c.args[0];
        this.directory =
          to && !to.dynamic && to.value.startsWith("/")
            ? to.value
            : `${this.directory}\u0001${to?.value ?? ""}`.slice(-400);
      }
    }
  }

  /** The latest run of the same command in the same directory. */
  sameRun(view: StepView): Run | undefined {
    return this.runsOf(view, view.sameKey).same.get(view.sameKey);
  }

  /** The latest run of the same attempt in the same directory. */
  attempt(view: StepView): Run | undefined {
    return this.runsOf(view, view.attemptKey).attempts.get(view.attemptKey);
  }

  /** Whether an earlier command used this word (or a path ending in it). */
  usedWord(word: string): boolean {
    for (; this.wordsUpTo < this.views.length; this.wordsUpTo++) this.remember(this.views[this.wordsUpTo]);
    return this.commandWords.has(word.toLowerCase());
  }

  /** Whether an earlier output or text told this process id together with what it is. */
  sawProcess(number: number): boolean {
    for (; this.numbersUpTo < this.views.length; this.numbersUpTo++) this.collectFrom(this.views[this.numbersUpTo]);
    for (; this.numbersToldUpTo < this.told.length; this.numbersToldUpTo++)
      this.collect(this.told[this.numbersToldUpTo] ?? "", false);
    return this.numbers.has(number);
  }

  /** Whether a process or port listing showed one of these words; also true when the search budget is used up. */
  wasListed(words: string[]): boolean {
    for (const { output } of this.listings) {
      if (output === null) continue;
      this.searched += Math.min(output.length, HEAD + TAIL) + 64;
      if (this.searched > SEARCH_BUDGET) return true;
      for (const w of windows(output)) {
        const text = w.text.toLowerCase();
        if (words.some((word) => text.includes(word))) return true;
      }
    }
    return false;
  }

  /** Whether a literal stands in an earlier output, command or text; null when the search budget is used up. */
  sawText(literal: string): boolean | null {
    for (const text of this.texts()) {
      this.searched += Math.min(text.length, HEAD + TAIL) + 64;
      if (this.searched > SEARCH_BUDGET) return null;
      if (windows(text).some((w) => w.text.includes(literal))) return true;
    }
    return false;
  }

  private noteWrites(view: StepView): void {
    if (view.effect === "run" || view.effect === "write") this.lastRun = view;
    this.unchecked = uncheckedAfter(view, this.unchecked);
  }

  private *texts(): Generator<string> {
    yield* this.told;
    for (const v of this.views) {
      if (v.output !== null) yield v.output;
      if (v.command !== null) yield v.command;
    }
  }

  private runsOf(view: StepView, key: string): Runs {
    if (view.anywhere || key.startsWith("start\u0001cd\u0001/") || key.startsWith("cd\u0001/")) return this.runs;
    let runs = this.runsIn.get(this.directory);
    if (!runs) {
      runs = { same: new Map(), attempts: new Map() };
      this.runsIn.set(this.directory, runs);
    }
    return runs;
  }

  private collectFrom(view: StepView | undefined): void {
    if (view?.output) this.collect(view.output, view.commands.some(tellsProcess));
  }

  /** Numbers on lines that name something; bare numbers only where the command asked for a process. */
  private collect(text: string, bare: boolean): void {
    for (const w of windows(text)) {
      for (const line of w.text.split("\n")) {
        if (!bare && !/[a-z]{2}/i.test(line)) continue;
        for (const m of line.matchAll(/(?<!\d)\d{1,7}(?!\d)/g)) this.numbers.add(Number(m[0]));
      }
    }
  }

  private remember(view: StepView | undefined): void {
    for (const c of view?.commands ?? []) {
      if (NOT_STARTING.has(c.program)) continue;
      const texts = [c.program, ...c.args.map((a) => a.value), ...c.redirects.map((r) => r.target), c.here?.text ?? ""];
      for (const text of texts) this.rememberWords(text.slice(0, MAX_TEXT).toLowerCase());
    }
  }

  /** Whole words and their parts: `qemu-system-x86_64` is also `qemu`. */
  private rememberWords(text: string): void {
    for (const word of text.split(/[^\w.-]+/)) {
      if (this.commandWords.size > MAX_WORDS) return;
      if (word.length < 2 || word.length > 80) continue;
      this.commandWords.add(word);
      if (/[.-]/.test(word)) for (const part of word.split(/[.-]+/)) if (part.length > 1) this.commandWords.add(part);
    }
  }
}
