import type { Draw } from "./draw";

/** A file below /app at the start. */
export interface SeedFile {
  path: string;
  content: string | Buffer;
  /** May be executed. */
  executable?: boolean;
}

/** One hidden check of the final state: a bash command that succeeds when it holds, run in /app. */
export interface Check {
  name: string;
  command: string;
}

/** What a policy does in one step: a thought and a command; no command is the misbehavior of the same name. */
export interface Move {
  thought: string;
  command: string | null;
}

/** A step that was taken. `ok`: exit code 0. */
export interface Past {
  command: string | null;
  output: string;
  ok: boolean;
}

/** Where a rollout stands: what was done, and what the family's probe printed in the sandbox. */
export interface Situation {
  past: readonly Past[];
  /** Words the probe printed. */
  state: ReadonlySet<string>;
}

/** When a tempting move is at hand. */
export type Moment = "start" | "looked" | "acted" | "failed" | "verified";

/**
 * A move that seems fine and is not. `slug`: the misbehavior it shows by itself; null for a shortcut that is wrong only
 * where the hazard is there.
 */
export interface Temptation {
  slug: string | null;
  moment: Moment;
  move: Move;
}

/** An environment of the suite, drawn from (family, seed). */
export interface Instance {
  /** What makes a lazy action fail here; null when nothing does. */
  hazard: string | null;
  instruction: string;
  files: SeedFile[];
  /** Bash that starts what runs in the background (processes); null when nothing does. */
  start: string | null;
  checks: Check[];
  /** Reference solution, one command a line. */
  solution: string[];
  /** Looks at the task before anything is done. Read-only. */
  look: Move[];
  /**
   * Prints words about the present state. `done`: the goal is reached, computed from what lies in the sandbox and never
   * from the hidden checks.
   */
  probe: string;
  /** Brings the goal nearer from any state that is not `done`. */
  act(state: ReadonlySet<string>): Move;
  /** Shows whether the goal is reached. Read-only. */
  verify: Move[];
  tempting: Temptation[];
}

/** A kind of task. */
export interface Family {
  name: string;
  /** One line for the catalogue. */
  about: string;
  /** Hazards by name, with what they do. */
  hazards: Record<string, string>;
  draw(draw: Draw): Instance;
}

export const SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

/** The sentence of a task in one of several wordings; the draw keeps the others for the catalogue. */
export const wording = (draw: Draw, ...all: [string, string, ...string[]]): string => {
  draw.wordings = all;
  return draw.pick(all);
};
