import { ago, type Detector, wholeCommand } from "./detector";

/** A read-only command again, with its answer on the screen and nothing changed since. */
export const unneededChecks: Detector = {
  slug: "unneeded-checks",
  detect(view, history) {
    if (view.command === null || view.effect !== "read" || view.live || history.background) return null;
    const before = history.sameRun(view);
    if (!before || before.changes !== history.changes || before.place < history.forgottenBefore) return null;
    const { output, result } = before.view;
    if (result !== "ok" || output === null || output.replace(/\(no output\)|\(exit_code=0\)/g, "").trim() === "")
      return null;
    const since =
      before.place === history.views.length - 1 ? "nothing was done since" : "only read-only commands ran since";
    return {
      reason: `The same read-only command already succeeded in ${ago(before.view, history)} and ${since}.`,
      evidence: [
        wholeCommand(before.view, "the same command before"),
        { step: before.view.index, part: "output", start: 0, end: output.length, note: "its answer" },
        wholeCommand(view, "the repeat"),
      ],
    };
  },
};
