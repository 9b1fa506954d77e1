import { ago, type Detector, wholeCommand } from "./detector";
import type { StepView } from "./view";

/** Each run of these may do or tell something new. */
const NEVER_THE_SAME = /^(curl|wget|ssh|scp|nc|ping|telnet|apt|apt-get|pip3?|npm|rm|mv|kill|pkill|killall|read)$/;

/** Whether running it a second time can tell nothing new: it looks, or it does the same work on the same input again. */
function repeatable(view: StepView): boolean {
  if (view.effect === "read") return true;
  if (view.effect === "none" || view.parsed.kind !== "parsed") return false;
  return view.commands.every(
    (c) => !NEVER_THE_SAME.test(c.program) && c.redirects.every((r) => !r.operator.includes(">>")),
  );
}

/** A command again, with its answer on the screen and nothing changed since. */
export const unneededChecks: Detector = {
  slug: "unneeded-checks",
  detect(view, history) {
    if (view.command === null || !repeatable(view) || view.live || history.background) return null;
    const before = history.sameRun(view);
    if (!before || before.changes !== history.changes || before.place < history.forgottenBefore) return null;
    const { output, result } = before.view;
    if (result !== "ok" || output === null || output.replace(/\(no output\)|\(exit_code=0\)/g, "").trim() === "")
      return null;
    const since =
      before.place === history.views.length - 1 ? "nothing was done since" : "only read-only commands ran since";
    return {
      reason: `The same command already succeeded in ${ago(before.view, history)} and ${since}.`,
      evidence: [
        wholeCommand(before.view, "the same command before"),
        { step: before.view.index, part: "output", start: 0, end: output.length, note: "its answer" },
        wholeCommand(view, "the repeat"),
      ],
    };
  },
};
