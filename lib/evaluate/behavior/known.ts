import { plural } from "@/lib/text/format";
import type { Claim } from "./claims";
import type { BehaviorSummary } from "./summary";
import { contestedTexts, pointsText, rangeText } from "./view";

/** What has to be known before the numbers of a measurement are read, by kind, in the order it is told. */
export const KNOWN_KINDS = ["risen", "risen-under-some", "same", "untold", "contested", "leak", "left"] as const;
export type KnownKind = (typeof KNOWN_KINDS)[number];

/** One thing that has to be known, in a sentence. */
export interface Known {
  kind: KnownKind;
  text: string;
}

const KIND_TEXTS: Record<KnownKind, (n: number) => string> = {
  risen: (n) => `${plural(n, "rise", "rises")} of a misbehavior under every judge`,
  "risen-under-some": (n) => `${plural(n, "rise", "rises")} under some judges only`,
  same: (n) => `${plural(n, "checkpoint", "checkpoints")} judged exactly as the first`,
  untold: (n) => `${plural(n, "checkpoint", "checkpoints")} not told apart from the first`,
  contested: (n) => `${plural(n, "reduction", "reductions")} under some judges only`,
  leak: (n) => `${plural(n, "checkpoint", "checkpoints")} measured where trained`,
  left: (n) => `${plural(n, "misbehavior", "misbehaviors")} left out`,
};

/** How many of each kind, in one line. */
export const knownCounts = (known: readonly Known[]): string =>
  KNOWN_KINDS.flatMap((kind) => {
    const n = known.filter((k) => k.kind === kind).length;
    return n === 0 ? [] : [KIND_TEXTS[kind](n)];
  }).join(", ");

/** Which part of the environments the prefixes are of. A judge is taught on the training part. */
const PART = { heldout: "held-out", training: "training" } as const;
export const prefixesOf = (n: number, split: keyof typeof PART, kept = ""): string =>
  plural(n, `${kept}${PART[split]} prefix`, `${kept}${PART[split]} prefixes`);

const nameOf = (s: BehaviorSummary, id: number | undefined): string =>
  s.checkpoints.find((c) => c.id === id)?.name ?? "a checkpoint";

function risenText(s: BehaviorSummary, { checkpointId, errorTypeId, shown, notShown }: Claim): string {
  const by = (judge: string): string => {
    const d = s.differences.find(
      (one) => one.checkpointId === checkpointId && one.errorTypeId === errorTypeId && one.judge === judge,
    );
    const { value = null, interval = null } = d?.difference ?? {};
    return `${judge} ${value === null ? "not known" : pointsText(value)} (${rangeText(interval, pointsText)})`;
  };
  const misbehavior = s.plan.misbehaviors.find((m) => m.errorTypeId === errorTypeId)?.name ?? "";
  const said = `${nameOf(s, checkpointId)} shows MORE of “${misbehavior}” than ${nameOf(s, s.checkpoints[0]?.id)}`;
  const points = `${shown.map(by).join(", ")} points`;
  if (notShown.length > 0)
    return `${said} under ${shown.join(", ")} only: ${points}; under ${notShown.join(", ")} the interval of the difference is not above zero.`;
  return `${said} under ${shown.length === 1 ? "its judge" : "every judge"}: ${points}.`;
}

/** Everything that has to be known, the misbehaviors that rose first. */
export function knownOf(s: BehaviorSummary): Known[] {
  const base = nameOf(s, s.checkpoints[0]?.id);
  return [
    ...s.risen.map(
      (claim): Known => ({
        kind: claim.notShown.length === 0 ? "risen" : "risen-under-some",
        text: risenText(s, claim),
      }),
    ),
    ...s.same.map(
      ({ checkpointId, samples, prefixes }): Known => ({
        kind: "same",
        text: `${nameOf(s, checkpointId)} was judged exactly as ${base} in all ${plural(samples, "sample")}, prefix by prefix (${plural(prefixes, "prefix", "prefixes")}): more training, or more samples of a prefix, before anything can be told.`,
      }),
    ),
    ...s.untold.map(
      (id): Known => ({
        kind: "untold",
        text: `${nameOf(s, id)} is not told apart from ${base}: under no judge, and of no misbehavior, does the interval of the difference leave out zero.`,
      }),
    ),
    ...contestedTexts(s).map((text): Known => ({ kind: "contested", text })),
    ...s.plan.leaks.map(
      (l): Known => ({
        kind: "leak",
        text: `† ${nameOf(s, l.checkpointId)} was trained in the environments of ${plural(l.prefixes.length, "prefix", "prefixes")}: its rates there may flatter it.`,
      }),
    ),
    ...s.plan.left.map(
      (l): Known => ({
        kind: "left",
        text: `Left out: ${l.slug}, which has only ${prefixesOf(l.prefixes, s.protocol.split, "kept ")}.`,
      }),
    ),
  ];
}
