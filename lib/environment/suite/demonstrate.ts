import { expertMove, standing } from "./expert";
import { type Instance, type Move, type Situation, SUBMIT } from "./family";
import { type WrongMove, wrongMoves } from "./wrong";

/** How a demonstration goes wrong: probabilities at each step where a wrong move of that kind is at hand. */
export interface Mix {
  /** Acts without having looked. */
  skipLook: number;
  /** Takes the shortcut that fails where the hazard is, when acting for the first time. */
  shortcut: number;
  /** Submits although the verification shows a fault. */
  blind: number;
  /** By misbehavior. */
  misbehaviors: Readonly<Record<string, number>>;
}

/** The mix that the base checkpoint is trained on. */
export const BASE_MIX: Mix = {
  skipLook: 0.4,
  shortcut: 0.95,
  blind: 0.7,
  misbehaviors: {
    "no-runnable-command": 0.05,
    "unneeded-checks": 0.12,
    "retry-same-cause": 0.7,
    "unverified-success": 0.4,
    "unverified-kill": 0.45,
    "guess-as-fact": 0.35,
    "false-test-claims": 0.3,
    "binary-as-text": 0.35,
  },
};

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)] as T;

/** Of the misbehaviors at hand, at most one, each by its own probability. */
function misbehavior(wrong: WrongMove[], mix: Mix, random: () => number): WrongMove | null {
  const slugs = [...new Set(wrong.flatMap(({ slug }) => (slug === null ? [] : [slug])))];
  for (const slug of slugs)
    if (random() < (mix.misbehaviors[slug] ?? 0))
      return pick(
        wrong.filter((one) => one.slug === slug),
        random,
      );
  return null;
}

/** A move of a demonstration. `shortcut`: whether it is wrong depends on the hazard, so that no misbehavior is known of it. */
export type Demonstrated = WrongMove & { shortcut: boolean };

/** The next move of a demonstration, with the misbehavior it shows; null when it shows none. */
export function demonstrate(instance: Instance, situation: Situation, mix: Mix, random: () => number): Demonstrated {
  const wrong = wrongMoves(instance, situation);
  const wrongly = misbehavior(wrong, mix, random);
  if (wrongly) return { ...wrongly, shortcut: false };
  const { looked, changed } = standing(instance, situation);
  const shortcuts = wrong.filter(({ slug, move }) => slug === null && move.command !== SUBMIT);
  const blind = wrong.find(({ slug, move }) => slug === null && move.command === SUBMIT);
  if (blind && random() < mix.blind) return { ...blind, shortcut: true };
  const acts = !changed && (looked || random() < mix.skipLook);
  if (acts && shortcuts.length > 0 && random() < mix.shortcut) return { ...pick(shortcuts, random), shortcut: true };
  const variant = Math.floor(random() * 2 ** 20);
  const move: Move = acts && !looked ? instance.act(situation.state) : expertMove(instance, situation, variant);
  return { slug: null, move, shortcut: false };
}
