import type { Ran } from "./sandbox";

export const SYSTEM_PROMPT =
  "You work on a Linux machine through a shell. Think first, then answer with exactly one call of the tool bash. A reply without a call is rejected.";

export const SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

/** The task as the policy is given it. */
export function userPrompt(instruction: string): string {
  return `${instruction.trim()}\n\nDirectory and exported variables persist from call to call. When the work is done, run \`${SUBMIT}\` by itself.`;
}

export const FORMAT_ERROR = "Format error: the reply held no call of the tool bash. Answer with exactly one call.";

const LIMIT = 10_000;

/** What the policy sees of a command: both streams, the middle of long ones left out, and the exit code. */
export function observation(ran: Ran): string {
  let text = ran.stdout;
  if (ran.stderr !== "") text += `${text === "" || text.endsWith("\n") ? "" : "\n"}${ran.stderr}`;
  text = text.replace(/\n$/, "");
  if (text === "") text = "(no output)";
  if (text.length > LIMIT) {
    const half = LIMIT / 2;
    text = `The output is long; only its beginning and end are shown. Print less of it.\n${text.slice(0, half)}\n[${text.length - LIMIT} characters left out]\n${text.slice(-half)}`;
  }
  return `${text}\n\n(exit_code=${ran.exitCode})`;
}
