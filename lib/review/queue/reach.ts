import "server-only";
import type { QueueSource } from "./source";

/**
 * What a settled step says of steps nobody flagged. `all`: drawn at random from all steps, so that it stands for those a
 * localizer passed over; `flagged`: drawn from steps that were flagged; `chosen`: picked by hand, by a strategy, by what a
 * localizer or judge said of its trajectory, or nobody kept how.
 */
export type Reach = "all" | "flagged" | "chosen";

/** Parameters of the list of trajectories that go by what localizers and judges said. */
const BY_VERDICT = ["misbehavior", "verdict", "measuredType", "rewarded"];

/** Reach of a step by the filter its queue kept and by whether it was drawn at random. */
export function reachOf(filter: Readonly<Record<string, string>> | undefined, random: boolean): Reach {
  const list = filter?.list;
  if (list === "prefixes" || (list === "trajectories" && filter?.of !== "all")) return "flagged";
  const whole = list === "trajectories" && BY_VERDICT.every((name) => filter?.[name] === undefined);
  return whole && random ? "all" : "chosen";
}

/** Of these, what goes by what was said of the windows themselves; a queue of one misbehavior's windows is about all of them. */
const BY_VERDICT_OF_WINDOW = BY_VERDICT.filter((name) => name !== "measuredType");

/**
 * Whether windows that a queue drew at random stand for the windows of its measurement, so that they may correct its rates:
 * not where its filter went by what a judge said of them, nor where they were picked by hand.
 */
export const windowsStandForAll = (filter: Readonly<Record<string, string>> | undefined): boolean =>
  filter?.list !== "ids" && BY_VERDICT_OF_WINDOW.every((name) => filter?.[name] === undefined);

/** What a queue keeps of its source where its maker names no filter: enough to tell its reach. */
export function filterOfSource(source: QueueSource): Record<string, string> {
  if (source.kind !== "trajectories") return { list: source.kind };
  const { misbehavior } = source.filters;
  return {
    list: source.kind,
    ...(source.steps === "all" ? { of: "all" } : {}),
    ...(misbehavior === null ? {} : { misbehavior }),
  };
}
