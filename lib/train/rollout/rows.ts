import type { SampledTokens } from "@/lib/profile/roles";

/** Tokens of a rollout that are fed in one piece, and which of them the policy sampled. */
export interface TokenPiece {
  ids: number[];
  mask: number[];
  /** Natural log-probability of the sampled tokens; 0 for the others. */
  sampled: number[];
}

const begins = (whole: readonly number[], start: readonly number[]): boolean =>
  whole.length >= start.length && start.every((id, i) => whole[i] === id);

/**
 * The sampled turns of a rollout as training rows. A turn whose context goes on where the one before it ended joins its
 * row; one whose context reads otherwise (a reply that is not read back as the tokens it was sampled as) starts another,
 * so that every token is trained on in exactly the context it was sampled in.
 */
export function piecesOf(turns: readonly SampledTokens[]): TokenPiece[] {
  const pieces: TokenPiece[] = [];
  for (const { prompt, ids, logprobs } of turns) {
    let piece = pieces.at(-1);
    if (!piece || !begins(prompt, piece.ids)) {
      piece = { ids: [], mask: [], sampled: [] };
      pieces.push(piece);
    }
    const shown = prompt.slice(piece.ids.length);
    piece.ids.push(...shown, ...ids);
    piece.mask.push(...shown.map(() => 0), ...ids.map(() => 1));
    piece.sampled.push(...shown.map(() => 0), ...logprobs);
  }
  return pieces;
}

/** Tokens that the policy sampled. */
export const sampledCount = (turns: readonly SampledTokens[]): number =>
  turns.reduce((n, { ids }) => n + ids.length, 0);

/** Mean of -ln probability of the sampled tokens; null when there are none. */
export function surpriseOf(turns: readonly SampledTokens[]): number | null {
  const all = turns.flatMap(({ logprobs }) => logprobs);
  return all.length === 0 ? null : -all.reduce((sum, l) => sum + l, 0) / all.length;
}
