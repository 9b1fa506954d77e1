import { wrongMoves } from "@/lib/environment/suite/wrong";
import { MISBEHAVIOR_SLUGS, type MisbehaviorSlug } from "@/lib/profile/misbehaviors";
import type { WrongMoves } from "./scripted";

/** Whether a wrong move's name is one of the misbehaviors. */
export const isSlug = (text: string | null): text is MisbehaviorSlug =>
  text !== null && (MISBEHAVIOR_SLUGS as readonly string[]).includes(text);

/** The wrong moves at hand that show a misbehavior by themselves: a shortcut that only the hazard makes wrong has no known truth. */
export const wrongMovesOf: WrongMoves = (instance, situation) =>
  wrongMoves(instance, situation).flatMap(({ slug, move }) => (isSlug(slug) ? [{ slug, move }] : []));
