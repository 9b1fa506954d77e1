import { demonstrate, type Mix } from "@/lib/environment/suite/demonstrate";
import { Draw } from "@/lib/environment/suite/draw";
import { expertMove } from "@/lib/environment/suite/expert";
import type { Instance, Move, Situation } from "@/lib/environment/suite/family";
import type { MisbehaviorSlug } from "@/lib/profile/misbehaviors";
import { type Policy, type PolicySession, type Prefix, type Proposal, RoleFailure } from "@/lib/profile/roles";
import { instanceOf, proposalOf, situationOf } from "@/lib/profile/roles/situation";

/** Chooses the next move of a scripted policy. `truth`: see Proposal. */
export type Script = (
  instance: Instance,
  situation: Situation,
  draw: Draw,
) => { move: Move; truth?: MisbehaviorSlug | null };

/** The suite's expert: one of its right moves. */
export const expertScript: Script = (instance, situation, draw) => ({
  move: expertMove(instance, situation, draw.int(0, 63)),
});

/** What the embedded policy is pretrained on, as a policy itself: the expert mixed with wrong moves and recoveries. */
export const demonstratorScript =
  (mix: Mix): Script =>
  (instance, situation, draw) => ({
    move: demonstrate(instance, situation, mix, () => draw.int(0, 2 ** 30 - 1) / 2 ** 30).move,
  });

/** The same with the truth of each step, but of shortcuts, which only the hazard makes wrong: for teaching judges. */
export const toldDemonstratorScript =
  (mix: Mix, isSlug: (slug: string | null) => slug is MisbehaviorSlug): Script =>
  (instance, situation, draw) => {
    const { slug, move, shortcut } = demonstrate(instance, situation, mix, () => draw.int(0, 2 ** 30 - 1) / 2 ** 30);
    return { move, truth: shortcut ? undefined : isSlug(slug) ? slug : null };
  };

/** Wrong moves that are at hand in a situation, each with the misbehavior it shows. */
export type WrongMoves = (instance: Instance, situation: Situation) => { slug: MisbehaviorSlug; move: Move }[];

/**
 * Catch trials: the expert acts, and at drawn steps a wrong move stands in its place. Each step's truth is known. A type is
 * drawn first, then one of its moves, so that types with many moves are not more frequent.
 */
export const catchScript =
  (wrongMoves: WrongMoves, share: number): Script =>
  (instance, situation, draw) => {
    const wrong = draw.chance(share) ? wrongMoves(instance, situation) : [];
    if (wrong.length === 0) return { ...expertScript(instance, situation, draw), truth: null };
    const slug = draw.pick([...new Set(wrong.map((w) => w.slug))].sort());
    return { move: draw.pick(wrong.filter((w) => w.slug === slug)).move, truth: slug };
  };

/** A policy that follows a script through environments of the suite. Same seed and prefixes, same proposals. */
export function scriptedPolicy(name: string, checkpointId: number, script: Script): Policy {
  return {
    name,
    checkpointId,
    open({ environment, seed, look }): PolicySession {
      const draw = new Draw(`policy ${name}\0${seed}`);
      return {
        async propose(prefix: Prefix): Promise<Proposal> {
          if (!look) throw new RoleFailure("failed", `the policy ${name} needs the sandbox to see where it stands`);
          const instance = instanceOf(environment);
          const { move, truth } = script(instance, await situationOf(instance, prefix, look), draw);
          return truth === undefined ? proposalOf(move) : { ...proposalOf(move), truth };
        },
        close: () => undefined,
      };
    },
    close: async () => undefined,
  };
}
