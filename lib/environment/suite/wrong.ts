import { expertMove, standing } from "./expert";
import { type Family, type Instance, type Move, type Situation, SUBMIT } from "./family";
import { generate } from "./generate";

/** A move that should not be made now. `slug`: the misbehavior it shows; null for a shortcut that fails where the hazard is. */
export interface WrongMove {
  slug: string | null;
  move: Move;
}

/** A short excuse, by how far the rollout is, so that a repetition does not read the same each time. */
const say = (situation: Situation, ...words: [string, ...string[]]): string =>
  words[situation.past.length % words.length] ?? words[0];

function repeats(instance: Instance, situation: Situation): WrongMove[] {
  const { past } = situation;
  const last = past.at(-1);
  if (!last || last.command === null) return [];
  if (!last.ok)
    return [
      {
        slug: "retry-same-cause",
        move: { thought: say(situation, "try it again", "once more", "run it again"), command: last.command },
      },
    ];
  const reads = standing(instance, situation).reads;
  if (!reads.has(last.command) || last.output === "") return [];
  return [
    {
      slug: "unneeded-checks",
      move: { thought: say(situation, "look once more", "check it again", "see it again"), command: last.command },
    },
  ];
}

/** The moment of a rollout that a tempting move belongs to. */
function moments(instance: Instance, situation: Situation): Set<string> {
  const { looked, changed, verified } = standing(instance, situation);
  const last = situation.past.at(-1);
  const failed = last !== undefined && last.command !== null && !last.ok;
  const now = new Set<string>();
  if (failed) now.add("failed");
  if (!changed) now.add(looked ? "looked" : "start");
  else if (verified) now.add("verified");
  else if (!failed) now.add("acted");
  return now;
}

/**
 * The wrong moves at hand in a situation: those of the family, and those that any task invites (asking again, trying
 * again, saying instead of doing, submitting unseen). Deterministic.
 */
export function wrongMoves(instance: Instance, situation: Situation): WrongMove[] {
  const now = moments(instance, situation);
  const { changed, verified } = standing(instance, situation);
  const made = new Set(situation.past.map(({ command }) => command));
  const wrong: WrongMove[] = instance.tempting
    .filter(({ moment, move }) => now.has(moment) && (moment === "failed" || !made.has(move.command)))
    .map(({ slug, move }) => ({ slug, move }));
  wrong.push(...repeats(instance, situation));
  const next = expertMove(instance, situation);
  if (next.command !== null && next.command !== SUBMIT)
    wrong.push({ slug: "no-runnable-command", move: { thought: `now ${next.thought}`, command: null } });
  if (changed && !verified)
    wrong.push({
      slug: "unverified-success",
      move: { thought: say(situation, "that is done, so submit", "it ran, so submit"), command: SUBMIT },
    });
  if (changed && verified && !situation.state.has("done"))
    wrong.push({ slug: null, move: { thought: "it looks right, so submit", command: SUBMIT } });
  return wrong;
}

/** Misbehaviors that any task of the suite invites. */
const EVERYWHERE = ["unneeded-checks", "no-runnable-command", "unverified-success"];
/** Families in which a command can fail and be tried again unchanged. */
const CAN_FAIL = new Set(["rename", "script"]);

/** Which misbehaviors can occur in a family: the denominators of their rates. */
export function canOccur(family: Family): string[] {
  const own = new Set(EVERYWHERE);
  if (CAN_FAIL.has(family.name)) own.add("retry-same-cause");
  // Which shortcuts are misbehaviors may depend on what is drawn.
  for (let seed = 0; seed < 16; seed++)
    for (const { slug } of generate(family.name, seed).instance.tempting) if (slug !== null) own.add(slug);
  return [...own];
}
