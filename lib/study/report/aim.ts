import { plural } from "@/lib/text/format";
import type { PooledEstimate } from "./pool";
import { estimate, judgeWord, percent, points } from "./say";
import type { AimPart, PooledEnds, PooledRates, PooledScores } from "./types";
import { type Claim, type Verdict, verdictOf } from "./verdict";

/** What a study measured, pooled. */
interface Measured {
  rates: readonly PooledRates[];
  scores: PooledScores | null;
  ends: PooledEnds | null;
}

/** Share by which the mean misbehavior rate is to fall against base, under each judge. */
export const AIM_REDUCTION = 0.6;

const WORDS: Record<Verdict, string> = {
  reproduced: "shown",
  "not reproduced": "not so",
  "cannot be told here": "not decided by the interval",
};
const word = (claim: Claim) => WORDS[verdictOf(claim)];

/** "a reduction of 12.3% (95% …)", or an increase where it is one. */
function change(e: PooledEstimate): string {
  if (e.value === null || e.value >= 0) return `a reduction of ${estimate(e)}`;
  const turned = e.interval && { low: -e.interval.high, high: -e.interval.low };
  return `an increase of ${estimate({ ...e, value: -e.value, interval: turned })}`;
}

/** Whether the reduction is what this study aims at. */
function reached({ value, interval }: PooledEstimate): string {
  if (value === null) return "whether that is this study's aim of 60% is not known";
  const open =
    interval === null
      ? ", and no interval is known"
      : interval.low >= AIM_REDUCTION
        ? " and by the whole interval"
        : interval.high < AIM_REDUCTION
          ? ", and the interval excludes it"
          : ", and the interval leaves it open";
  return `this study's aim of 60% is ${value >= AIM_REDUCTION ? "reached by the point estimate" : "not reached"}${open}`;
}

/** Training for the outcome alone: the two of this study's aim, then the one that has the environments of MiRL and no prefixes. */
const BASELINES = ["outcome-prefix", "outcome-random", "outcome-env"];

/** Of comparisons, how many hold by their interval: "4 of 6". */
const holding = (differences: readonly (PooledEstimate | null)[], holds: Claim["holds"]): string =>
  `${differences.filter((e) => verdictOf({ interval: e?.interval ?? null, holds, limit: 0 }) === "reproduced").length} of ${differences.length}`;

/** The shortest answer: what MiRL did to the mean rate under each judge and to the score, and against training for the outcome alone. */
export function answerSentence({ rates, scores }: Measured): string | null {
  const told = rates.flatMap((r) => {
    const against = r.recipes.find((x) => x.recipe === "mirl")?.against.value ?? null;
    return against === null
      ? []
      : [`${percent(Math.abs(against))} ${against < 0 ? "more" : "fewer"} (${judgeWord(r.judge)})`];
  });
  if (told.length === 0) return null;
  const asked = rates.flatMap((r) => r.recipes.filter((x) => BASELINES.includes(x.recipe) && x.difference));
  const less =
    asked.length === 0
      ? ""
      : ` In ${holding(
          asked.map((x) => x.difference),
          "below",
        )} comparisons with training for the outcome alone, over recipes and judges, MiRL shows less by an interval that excludes zero.`;
  return `On unseen prefixes MiRL's checkpoints show ${told.join(" and ")} misbehaviors than the base, by the mean rate.${less}${scoreSentence(scores)}`;
}

/** What became of the score, in a sentence; empty where it is not measured. */
function scoreSentence(scores: PooledScores | null): string {
  const mirl = scores?.recipes.find((x) => x.recipe === "mirl");
  if (!scores || mirl?.mean.value == null || scores.base.value === null) return "";
  const others = BASELINES.flatMap((recipe) => scores.recipes.find((x) => x.recipe === recipe) ?? []);
  const values = others.flatMap((x) => (x.mean.value === null ? [] : [percent(x.mean.value)]));
  const differences = others.map((x) => x.difference);
  const against =
    values.length === 0
      ? ""
      : `, that of training for the outcome alone ${values.join(", ")}: MiRL's is lower by an interval that excludes zero in ${holding(differences, "below")}, higher in ${holding(differences, "above")}`;
  return ` Its held-out score is ${percent(mirl.mean.value)}, that of the base ${percent(scores.base.value)}${against}.`;
}

/** What stands between the paper's finding on scores and this study's, in the way both are set up. */
const SCALE =
  "What this scale cannot show of scores: the tasks scored here come from the generator that also makes the tasks “Outcome only, any environments” trains on, and are scored from their start, where its rollouts begin and MiRL's do not. The paper scores benchmarks that no recipe trained on.";

/** The same checkpoints where MiRL's own rollouts begin: states before misbehaviors, gone on from to the end. */
function endSentences(ends: PooledEnds): string[] {
  const mirl = ends.recipes.find((x) => x.recipe === "mirl");
  if (!mirl) return [];
  const against = BASELINES.flatMap((other) => {
    const row = ends.recipes.find((x) => x.recipe === other);
    return row?.difference && row.mean.value !== null
      ? [`against “${row.title}” (${percent(row.mean.value)}) ${estimate(row.difference, points)}`]
      : [];
  });
  return [
    `From ${plural(ends.prefixes, "unseen prefix", "unseen prefixes")} on to the end of the rollout the same checkpoints pass: MiRL ${estimate(mirl.mean)}, base ${estimate(ends.base)}. MiRL's difference there, in points: against base ${estimate(mirl.against, points)}${against.map((text) => `; ${text}`).join("")}.`,
  ];
}

/** What a part of the method adds to the score (Fig. 6); null: one of the two recipes was not scored. */
interface ScorePart {
  part: string;
  gap: PooledEstimate | null;
}

/** The rates under one judge. */
function ratePart(r: PooledRates): AimPart {
  const title = `Misbehavior rates, judge ${judgeWord(r.judge)}`;
  const mirl = r.recipes.find((x) => x.recipe === "mirl");
  if (!mirl) return { title, sentences: ["No checkpoint of mirl was measured."] };
  const sentences = [
    `Over ${plural(mirl.seeds.length, "training seed")} and ${plural(r.prefixes, "unseen prefix", "unseen prefixes")} of ${plural(r.misbehaviors.length, "misbehavior")}, MiRL's mean misbehavior rate is ${estimate(mirl.mean)} against ${estimate(r.base)} of base: ${change(mirl.against)}; ${reached(mirl.against)}.`,
  ];
  if (r.left.length > 0)
    sentences.push(
      `${r.left.map((name) => `“${name}”`).join(", ")} ${r.left.length === 1 ? "is" : "are"} in none of its means: it has no verdict on ${r.left.length === 1 ? "it" : "them"} under every checkpoint. A learned judge speaks only of misbehaviors that it was taught from enough windows, so judges can cover different ones.`,
    );
  for (const other of BASELINES) {
    const row = r.recipes.find((x) => x.recipe === other);
    sentences.push(
      row?.difference
        ? `MiRL lower than “${row.title}” (${row.mean.value === null ? "not known" : percent(row.mean.value)}, ${change({ ...row.against, interval: null }).replace(" (interval not known)", "")} against base): ${word({ interval: row.difference.interval, holds: "below", limit: 0 })}; the difference is ${estimate(row.difference, points)} points.`
        : `${other} was not measured.`,
    );
  }
  return { title, sentences };
}

function scorePart(scores: PooledScores | null, parts: readonly ScorePart[]): AimPart {
  const title = "Held-out scores";
  const mirl = scores?.recipes.find((x) => x.recipe === "mirl");
  if (!scores || !mirl) return { title, sentences: ["Held-out scores are not measured yet."] };
  const others = BASELINES.flatMap((recipe) => scores.recipes.find((x) => x.recipe === recipe && x.difference) ?? []);
  const sentences = [
    `Over ${plural(scores.environments, "environment")}: MiRL ${estimate(mirl.mean)}, base ${estimate(scores.base)}, a difference of ${estimate(mirl.against, points)} points.`,
    ...others.flatMap((row) =>
      row.difference
        ? `MiRL's score at least that of “${row.title}” (${row.mean.value === null ? "not known" : percent(row.mean.value)}): ${word({ interval: row.difference.interval, holds: "above", limit: 0 })}; the difference is ${estimate(row.difference, points)} points.`
        : [],
    ),
  ];
  if (others.some((x) => (x.difference?.value ?? 0) < 0)) {
    const known = parts.flatMap(({ part, gap }) => (gap ? [`${part} ${estimate(gap, points)}`] : []));
    if (known.length > 0)
      sentences.push(
        `Where the score goes, a part of the method after the other as in Fig. 6, in points: ${known.join("; ")}.`,
      );
    sentences.push(SCALE);
  }
  return { title, sentences };
}

/** The aim, answered in parts: a sentence or two for each question, with numbers and intervals. `behind`: what the means of the rates hide. */
export function aimParts(
  { rates, scores, ends }: Measured,
  parts: readonly ScorePart[],
  behind: readonly string[],
): AimPart[] {
  const rated =
    rates.length === 0
      ? [{ title: "Misbehavior rates", sentences: ["Misbehavior rates on unseen prefixes are not measured yet."] }]
      : rates.map(ratePart);
  const later = ends ? endSentences(ends) : [];
  return [
    ...rated,
    ...(behind.length > 0 ? [{ title: "Behind the means", sentences: [...behind] }] : []),
    scorePart(scores, parts),
    ...(later.length > 0 ? [{ title: "Gone on from the states before misbehaviors", sentences: later }] : []),
  ];
}
