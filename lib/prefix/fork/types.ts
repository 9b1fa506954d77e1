/** What happened in a terminal: a command that was typed, with what it printed (as the terminal got it) and its exit code. */
export interface ForkCommand {
  command: string;
  output: string;
  /** null: the shell ended before it said so. */
  exitCode: number | null;
  durationMs: number;
  /** UTC epoch ms. */
  startedAt: number;
}

/** `restoring`: the prefix is being rerun. `open`: the terminal runs. `ended`: closed, its commands are stored. `failed`: the state was not reached. */
export const FORK_STATES = ["restoring", "open", "ended", "failed"] as const;
export type ForkState = (typeof FORK_STATES)[number];

/** What a page needs to know of a fork. */
export interface ForkView {
  id: string;
  prefixId: number;
  state: ForkState;
  /** Commands of the prefix that were rerun, and all of them. */
  restored: number;
  commands: number;
  /** Why it failed or ended, or that its last command could not be stored; else null. */
  reason: string | null;
  /** Commands run in the terminal so far. */
  ran: number;
  /** The stored branch; null before the first command ended. */
  trajectoryId: number | null;
}
