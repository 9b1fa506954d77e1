import { attemptKey, sameKey } from "./normalise";
import { type Effect, effectOfAll, isAnywhere, isLive, startsBackground } from "./programs";
import { type Parsed, parseCommand, type ShellCommand } from "./shell";

/** What a command's text alone tells: the same for every step that runs it. Never changed after it was made. */
export interface CommandFacts {
  parsed: Parsed;
  /** Simple commands, [] when they could not be parsed. */
  commands: ShellCommand[];
  effect: Effect;
  live: boolean;
  background: boolean;
  /** Means the same in every working directory. */
  anywhere: boolean;
  sameKey: string;
  attemptKey: string;
}

/** Facts of a command line. Linear in its text up to the bounds of shell.ts. Not kept between steps: remembering cost more than parsing again. */
export function factsOf(text: string): CommandFacts {
  const parsed = parseCommand(text);
  const commands = parsed.kind === "parsed" ? parsed.commands : [];
  return {
    parsed,
    commands,
    effect: effectOfAll(parsed),
    live: commands.some(isLive),
    background: commands.some(startsBackground),
    anywhere: commands.length > 0 && commands.every(isAnywhere),
    sameKey: sameKey(text, parsed),
    attemptKey: attemptKey(text, parsed),
  };
}

/** Facts of a step that ran no command, whose tool can do `effect`. */
export function noCommand(effect: Effect): CommandFacts {
  return {
    parsed: { kind: "not-parsed", reason: "no command" },
    commands: [],
    effect,
    live: false,
    background: false,
    anywhere: false,
    sameKey: "",
    attemptKey: "",
  };
}
