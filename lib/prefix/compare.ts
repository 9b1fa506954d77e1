import { normalise } from "./normalise";

/**
 * What is compared. `observation`: the whole text the policy saw, through the same wrapper. `output`: what the terminal
 * said and its exit code, as the trajectory's format states them, because another harness put its own words around them.
 */
export type Basis = "observation" | "output";

/** What the policy saw for one command. */
export interface Seen {
  text: string;
  /** null: the format does not state it. */
  exitCode: number | null;
}

/** One command's verdict by each rule. exact ⇒ normalised ⇒ exit code. null: the exit code was not recorded. */
export interface Comparison {
  exact: boolean;
  normalised: boolean;
  exitCode: boolean | null;
}

const EXIT_LINE = /\n?\n?\(exit_code=-?\d+\)\s*$/;

/** The terminal's part of an observation of our own wrapper: without its last line, the exit code. */
export const withoutExitLine = (observation: string): string => observation.replace(EXIT_LINE, "");

/** Compares a rerun with what was recorded. Two equal texts with equal exit codes are never different. */
export function compare(recorded: Seen, rerun: Seen): Comparison {
  const exitCode = recorded.exitCode === null ? null : recorded.exitCode === rerun.exitCode;
  const exact = recorded.text === rerun.text && exitCode !== false;
  const normalised = exact || (exitCode !== false && normalise(recorded.text) === normalise(rerun.text));
  return { exact, normalised, exitCode: exitCode ?? (exact ? true : null) };
}
