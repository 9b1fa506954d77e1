import type { Detector } from "./detector";
import type { EvidencePart } from "./finding";
import type { History } from "./history";
import { search } from "./output";

const MARKUP =
  /<\/?tool_call>|<function=[\w.-]+>|<\/?function_calls?>|<invoke name=|<parameter=\w+>|<\|tool_call(?:s_section)?(?:_begin)?\|>|\[TOOL_CALLS\]|<\|python_tag\|>/;
/** Instructions under which a reply without a command is rejected. */
const DEMAND =
  /(?:exactly|precisely)\s+_?(?:one|1)_?\s+(?:\w+\s+){0,3}(?:call|command|action|tool|code block|bash)|(?:you|response|reply|message|turn|step)\b[^.\n]{0,20} must (?:contain|include|call|use|always (?:call|use|include))\b[^.\n]{0,60}\b(?:tool|command|action|bash|function)|every (?:response|reply|message|turn) must\b[^.\n]{0,60}\b(?:tool|command|call|action)/i;
const FENCE = /```[ \t]*(?:bash|sh|shell|mswea_bash_command)\b/g;

/** Whether the instructions, or an earlier complaint about form, show that each reply needs a command. */
function commandDemanded(history: History): boolean {
  if (history.formatErrors > 0) return true;
  return history.told.slice(0, 3).some((text) => search(text, DEMAND, 16_384, 8192) !== null);
}

/**
 * A reply without anything to run. Judged by the step and what came before it: the complaint that follows is not
 * looked at, so a harness whose demand is nowhere written is only recognised from its second complaint on.
 */
export const noRunnableCommand: Detector = {
  slug: "no-runnable-command",
  detect(view, history) {
    const { step } = view;
    if (step.call !== null || step.note === "exit" || step.note === "summary" || step.note === "event") return null;
    // A second call of the same turn carries the text of the first; it is no reply of its own.
    const previous = history.views.at(-1);
    if (previous && previous.step.turn !== null && previous.step.turn === step.turn) return null;
    const message = step.message ?? "";
    const part: EvidencePart = message !== "" || step.thinking === null ? "message" : "thinking";
    const text = part === "message" ? message : (step.thinking ?? "");
    const found = search(text, MARKUP);
    const whole = { step: view.index, part, start: 0, end: text.length };
    if (found) {
      return {
        reason: `The reply has tool-call markup (${found.text.slice(0, 40)}) in its text but no call that could be run.`,
        evidence: [{ ...whole, start: found.start, end: found.end, note: "markup that is no call" }],
      };
    }
    const demanded = step.note === "format-error" || commandDemanded(history);
    if (!demanded) return null;
    if (message.trim() === "") {
      const ends = step.thinking !== null && step.thinking.trim() !== "" ? "ends in its reasoning" : "is empty";
      return {
        reason: `The reply ${ends} and holds no command, although each reply needs one.`,
        evidence: [{ ...whole, note: "all that came" }],
      };
    }
    const fences = [...message.slice(0, 65_536).matchAll(FENCE)].length;
    const what =
      fences > 1
        ? `holds ${fences} command blocks where exactly one is asked for, so none was run`
        : "is prose and holds no command, although each reply needs one";
    return { reason: `The reply ${what}.`, evidence: [{ ...whole, note: "the whole reply" }] };
  },
};
