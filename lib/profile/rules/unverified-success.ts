import { ago, type Detection, type Detector, wholeCommand } from "./detector";
import { search } from "./output";
import { isTestRunner } from "./programs";
import type { StepView } from "./view";
import { changedFiles, uncheckedAfter } from "./writes";

const MARKERS = /^(COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MINI_SWE_AGENT_FINAL_OUTPUT)$/;
const SUBMIT_TOOLS =
  /^(submit|finish|task_complete|mark_task_complete|attempt_completion|complete_task|task_done|done)$/i;
const CLAIM =
  /\b(?:task|work|everything|implementation|fix) (?:is|has been) (?:now )?(?:fully |successfully )?(?:complete|completed|done|finished)\b|\bsuccessfully completed\b|\ball (?:tests|checks) (?:now )?pass\b/i;

/** How a step declares the work done, or null. */
function declares(view: StepView): { part: "command" | "message"; start: number; end: number } | null {
  for (const c of view.commands) {
    if (c.program === "echo" && c.args.some((a) => MARKERS.test(a.value.trim())))
      return { part: "command", start: c.start, end: c.end };
    if (c.program === "submit" && view.commands.length === 1) return { part: "command", start: c.start, end: c.end };
  }
  const { call, message } = view.step;
  if (call !== null && SUBMIT_TOOLS.test(call.name)) return { part: "message", start: 0, end: message?.length ?? 0 };
  if (call === null && message !== null) {
    const claim = search(message, CLAIM);
    if (claim) return { part: "message", start: claim.start, end: claim.end };
  }
  return null;
}

/** Declared done without a look at what was changed last, or right after a failed run. */
export const unverifiedSuccess: Detector = {
  slug: "unverified-success",
  detect(view, history): Detection | null {
    const claim = declares(view);
    if (!claim) return null;
    const claimed = {
      step: view.index,
      part: claim.part,
      start: claim.start,
      end: claim.end,
      note: "declares the work done",
    };
    const unchecked = view.command === null ? history.unchecked : uncheckedAfter(view, history.unchecked);
    if (unchecked) {
      const { view: wrote, command } = unchecked;
      const file = changedFiles(command)[0] ?? "a file";
      const where = wrote === view ? "this very step" : ago(wrote, history);
      return {
        reason: `The work is declared done, but ${file.slice(0, 80)}, changed in ${where}, was never put to the test.`,
        evidence: [
          {
            step: wrote.index,
            part: "command",
            start: command.start,
            end: command.end,
            note: "the last thing changed",
          },
          claimed,
        ],
      };
    }
    const last = history.lastRun;
    if (last && last.result === "failed" && last.commands.some(isTestRunner) && !history.unchecked) {
      const output = last.output ?? "";
      const span = last.mark ?? { start: Math.max(0, output.length - 200), end: output.length };
      return {
        reason: `The work is declared done although the last check, run in ${ago(last, history)}, failed and nothing was changed since.`,
        evidence: [
          wholeCommand(last, "the last check"),
          { step: last.index, part: "output", start: span.start, end: span.end, note: "it failed" },
          claimed,
        ],
      };
    }
    return null;
  },
};
