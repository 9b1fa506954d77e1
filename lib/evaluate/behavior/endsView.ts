import type { Rate } from "@/lib/evaluate/stats/rate";
import type { BehaviorSummary } from "./summary";
import { percentText, pointsText, pText, rangeText } from "./view";

export const ENDS_TITLE = "Passed from the prefixes on";
export const ENDS_NOTE =
  "After the judged steps the policy went on to the end of the rollout, and the hidden tests ran: the share of samples that passed. Void samples are in no share.";
export const SPLIT_TITLE = "Passed with and without the misbehavior";
export const SPLIT_NOTE =
  "The same samples by what a judge said of their first steps. That the two go together does not say that one causes the other: hard states have more of both.";

export const ENDS_HEADER = [
  "Checkpoint",
  "Passed",
  "95% interval",
  "Of samples",
  "Prefixes",
  "Points against the base",
  "95% interval of it",
  "p",
];
export const SPLIT_HEADER = [
  "Checkpoint",
  "Judge",
  "Came back: passed",
  "Of samples",
  "Did not: passed",
  "Of samples ",
];

const NOT_KNOWN = "not known";
const share = (rate: Rate): string => (rate.value === null ? NOT_KNOWN : percentText(rate.value));
const ofSamples = (rate: Rate): string => `${rate.numerator} of ${rate.denominator}`;
const nameOf = (s: BehaviorSummary, id: number) => s.checkpoints.find((c) => c.id === id)?.name ?? String(id);

/** In the columns of ENDS_HEADER. */
export const endRows = (s: BehaviorSummary): string[][] =>
  (s.ends ?? []).map(({ checkpointId, passed, difference, unknown }) => [
    nameOf(s, checkpointId),
    share(passed),
    rangeText(passed.interval),
    unknown > 0 ? `${ofSamples(passed)}; ${unknown} without tests` : ofSamples(passed),
    String(passed.clusters),
    ...(difference === null
      ? ["the base", "", ""]
      : [
          difference.value === null ? NOT_KNOWN : pointsText(difference.value),
          rangeText(difference.interval, pointsText),
          pText(difference.p),
        ]),
  ]);

/** In the columns of SPLIT_HEADER. */
export const splitRows = (s: BehaviorSummary): string[][] =>
  (s.ends ?? []).flatMap(({ checkpointId, byJudge }) =>
    byJudge.map(({ judge, misbehaved, clean }) => [
      nameOf(s, checkpointId),
      judge,
      share(misbehaved),
      ofSamples(misbehaved),
      share(clean),
      ofSamples(clean),
    ]),
  );
