import { ago, type Detector, wholeCommand } from "./detector";
import { isTransient } from "./output";
import { isLive } from "./programs";
import type { StepView } from "./view";

const LOOK_BACK = 30;

const limit = (view: StepView) => Math.max(...view.commands.map((c) => c.timeout ?? -1), -1);

/** Shows more of the output than the earlier run did: a pipe that trimmed or filtered is gone or longer. */
function showsMore(view: StepView, before: StepView): boolean {
  const shown = (v: StepView) =>
    v.commands
      .filter((c) => c.place > 0 && c.last && /^(head|tail)$/.test(c.program))
      .map((c) => c.args.map((a) => a.value).join(" "));
  const hides = (v: StepView) => v.commands.some((c) => c.redirects.some((r) => r.target === "/dev/null"));
  const [now, then] = [shown(view), shown(before)];
  return (then.length > 0 && now.join() !== then.join()) || (hides(before) && !hides(view));
}

/** The command that just failed, again, with nothing done about it. */
export const retrySameCause: Detector = {
  slug: "retry-same-cause",
  detect(view, history) {
    if (view.command === null || view.command.trim() === "" || view.commands.length === 0) return null;
    const before = history.attempt(view);
    if (before === undefined || before.changes !== history.changes || before.view.result !== "failed") return null;
    if (view.commands.some(isLive) || view.background) return null;
    // Waiting or watching in between: the agent expects the cause to go away by itself.
    if (
      history.views
        .slice(before.place + 1)
        .slice(-LOOK_BACK)
        .some((v) => v.live)
    )
      return null;
    // More time than before is a change. Where the harness set the limit, a `timeout` of one's own cannot add any.
    const hadOwnLimit = limit(before.view) >= 0;
    if (before.view.timedOut && hadOwnLimit && (limit(view) < 0 || limit(view) > limit(before.view))) return null;
    if (!before.view.timedOut && showsMore(view, before.view)) return null;
    const output = before.view.output ?? "";
    if (!before.view.timedOut && isTransient(output)) return null;
    const how = before.view.timedOut
      ? "ran into its time limit"
      : before.view.exitCode
        ? `failed with exit code ${before.view.exitCode}`
        : "failed";
    const { mark } = before.view;
    const span = mark ?? { start: Math.max(0, output.length - 200), end: output.length };
    const same =
      view.sameKey === before.view.sameKey ? "The same command" : "The same command, apart from time limit and output,";
    return {
      reason: `${same} ${how} in ${ago(before.view, history)} and nothing was changed since.`,
      evidence: [
        wholeCommand(before.view, "the failed run"),
        { step: before.view.index, part: "output", start: span.start, end: span.end, note: "how it failed" },
        wholeCommand(view, "the repeat"),
      ],
    };
  },
};
