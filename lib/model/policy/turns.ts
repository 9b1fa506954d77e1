import { MARK, type Vocabulary } from "./vocabulary";

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

/** Most tokens of an output that the policy reads: longer ones are cut there, marked by <cut>. */
export const OUTPUT_TOKENS = 96;
/** Most tokens of one reply. */
export const REPLY_TOKENS = 96;
/** A reply ends here. */
export const STOP: ReadonlySet<number> = new Set([MARK.end]);

/** `<task> instruction <think>`: what a rollout starts from. */
export const taskTokens = (vocabulary: Vocabulary, instruction: string): number[] => [
  MARK.task,
  ...vocabulary.encode(instruction.trim()),
  MARK.think,
];

/** `thought [<run> command] <end>`: what the policy writes. */
export const replyTokens = (vocabulary: Vocabulary, turn: Pick<Turn, "thought" | "command">): number[] => [
  ...vocabulary.encode(turn.thought),
  ...(turn.command === null ? [] : [MARK.run, ...vocabulary.encode(turn.command)]),
  MARK.end,
];

/** `output <ok|fail> <think>`: what the policy is shown of a step, and the place where it goes on. */
export function outputTokens(vocabulary: Vocabulary, turn: Pick<Turn, "output" | "ok">): number[] {
  const output = vocabulary.encode(turn.output);
  const shown = output.length > OUTPUT_TOKENS ? [...output.slice(0, OUTPUT_TOKENS), MARK.cut] : output;
  return [...shown, turn.ok ? MARK.ok : MARK.fail, MARK.think];
}

/** Everything the policy has seen when it is asked for the next step. */
export const contextTokens = (vocabulary: Vocabulary, instruction: string, turns: readonly Turn[]): number[] => [
  ...taskTokens(vocabulary, instruction),
  ...turns.flatMap((turn) => [...replyTokens(vocabulary, turn), ...outputTokens(vocabulary, turn)]),
];

/** A reply as read from its tokens. */
export interface Reply {
  thought: string;
  command: string | null;
  /** Why it is no well-formed reply; null when it is one. */
  formatError: string | null;
}

/** Reads sampled tokens. A reply that does not end, or that has marks where none belong, is a format error without command. */
export function readReply(vocabulary: Vocabulary, ids: readonly number[]): Reply {
  const ended = ids.at(-1) === MARK.end;
  const body = ended ? ids.slice(0, -1) : ids;
  const run = body.indexOf(MARK.run);
  const thought = vocabulary.decode(run < 0 ? body : body.slice(0, run));
  const stray = body.find((id, i) => id <= MARK.cut && i !== run);
  const formatError = !ended
    ? `the reply does not end within ${ids.length} tokens`
    : stray !== undefined
      ? `the reply has the mark ${vocabulary.show(stray)} inside`
      : run >= 0 && vocabulary.decode(body.slice(run + 1)).trim() === ""
        ? "the command is empty"
        : null;
  const command = run < 0 || formatError !== null ? null : vocabulary.decode(body.slice(run + 1));
  return { thought, command, formatError };
}

const EXIT = /\n\n\(exit_code=(-?\d+)\)$/;

/** What the harness showed for a command (recipe 2), as the policy reads it. */
export function readObservation(content: string): Pick<Turn, "output" | "ok"> {
  const exit = EXIT.exec(content);
  const body = exit ? content.slice(0, exit.index) : content;
  return { output: body === "(no output)" ? "" : body, ok: exit !== null && Number(exit[1]) === 0 };
}
