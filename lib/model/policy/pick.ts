import type { SampleRequest, TokenLogprob } from "./types";

/** Unnormalised probabilities of the token that is being drawn; one array for all draws. */
let weights = new Float64Array(0);

/**
 * Draws the next token from logits. Sums run over ids in ascending order, so that a result depends on nothing but the
 * arguments.
 * @param u uniform in [0, 1)
 */
export function pick(
  logits: Float32Array,
  { temperature, topP }: Pick<SampleRequest, "temperature" | "topP">,
  u: number,
): TokenLogprob {
  const best = likeliest(logits);
  const top = at(logits, best);
  const total = weigh(logits, top, 1);
  const normaliser = top + Math.log(total);
  let id = best;
  if (temperature !== 0 && topP < 1) id = fromNucleus(logits, temperature, topP, u);
  else if (temperature !== 0) id = fromAll(temperature === 1 ? total : weigh(logits, top, temperature), u);
  return { id, logprob: at(logits, id) - normaliser };
}

/** The `n` likeliest tokens at temperature 1, likeliest first; equals in order of id. */
export function likeliestTokens(logits: Float32Array, n: number): TokenLogprob[] {
  const ids = byLikelihood(logits);
  const top = at(logits, ids[0] ?? 0);
  const normaliser = top + Math.log(weigh(logits, top, 1));
  return ids.slice(0, n).map((id) => ({ id, logprob: at(logits, id) - normaliser }));
}

const at = (logits: Float32Array, id: number): number => logits[id] as number;

function likeliest(logits: Float32Array): number {
  let best = 0;
  for (let id = 1; id < logits.length; id++) if (at(logits, id) > at(logits, best)) best = id;
  return best;
}

/** Fills `weights`, the likeliest with 1; their sum. */
function weigh(logits: Float32Array, top: number, temperature: number): number {
  if (weights.length !== logits.length) weights = new Float64Array(logits.length);
  let total = 0;
  for (let id = 0; id < logits.length; id++) {
    const weight = Math.exp((at(logits, id) - top) / temperature);
    weights[id] = weight;
    total += weight;
  }
  return total;
}

/** The token of `weights` where `u` of their sum is reached. */
function fromAll(total: number, u: number): number {
  let rest = u * total;
  let last = 0;
  for (let id = 0; id < weights.length; id++) {
    const weight = weights[id] as number;
    if (weight === 0) continue;
    rest -= weight;
    if (rest < 0) return id;
    last = id;
  }
  // Only rounding leads here.
  return last;
}

const byLikelihood = (logits: Float32Array): number[] =>
  Array.from(logits, (_, id) => id).sort((a, b) => at(logits, b) - at(logits, a) || a - b);

/** The fewest likeliest tokens whose probability reaches `topP`; at least one. */
function fromNucleus(logits: Float32Array, temperature: number, topP: number, u: number): number {
  const order = byLikelihood(logits);
  const top = at(logits, order[0] as number);
  const shares = order.map((id) => Math.exp((at(logits, id) - top) / temperature));
  const total = shares.reduce((sum, share) => sum + share, 0);
  let kept = 0;
  let mass = 0;
  while (kept < order.length && (kept === 0 || mass < topP * total)) mass += shares[kept++] as number;
  let rest = u * mass;
  for (let i = 0; i < kept; i++) {
    rest -= shares[i] as number;
    if (rest < 0) return order[i] as number;
  }
  return order[kept - 1] as number;
}
