/** One step of a rollout as the embedded policy reads and writes it. */
export interface Turn {
  thought: string;
  /** null: the reply had no command. */
  command: string | null;
  /** Terminal output, without the wrapper's exit code line; "" when there was none. */
  output: string;
  /** Exit code 0. A reply without a command is never ok. */
  ok: boolean;
}
