import type { SampleRequest, TokenLogprob } from "./types";

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
  const id =
    temperature === 0
      ? likeliest(logits)
      : topP < 1
        ? fromNucleus(logits, temperature, topP, u)
        : fromAll(logits, temperature, u);
  return { id, logprob: logprobOf(logits, id) };
}

/** The `n` likeliest tokens at temperature 1, likeliest first; equals in order of id. */
export function likeliestTokens(logits: Float32Array, n: number): TokenLogprob[] {
  const ids = byLikelihood(logits).slice(0, n);
  return ids.map((id) => ({ id, logprob: logprobOf(logits, id) }));
}

const at = (logits: Float32Array, id: number): number => logits[id] as number;

function likeliest(logits: Float32Array): number {
  let best = 0;
  for (let id = 1; id < logits.length; id++) if (at(logits, id) > at(logits, best)) best = id;
  return best;
}

function logprobOf(logits: Float32Array, id: number): number {
  const top = at(logits, likeliest(logits));
  let total = 0;
  for (let i = 0; i < logits.length; i++) total += Math.exp(at(logits, i) - top);
  return at(logits, id) - top - Math.log(total);
}

function fromAll(logits: Float32Array, temperature: number, u: number): number {
  const top = at(logits, likeliest(logits));
  const weights = new Float64Array(logits.length);
  let total = 0;
  for (let id = 0; id < logits.length; id++) {
    const weight = Math.exp((at(logits, id) - top) / temperature);
    weights[id] = weight;
    total += weight;
  }
  let rest = u * total;
  let last = 0;
  for (let id = 0; id < logits.length; id++) {
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
  const weights = order.map((id) => Math.exp((at(logits, id) - top) / temperature));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let kept = 0;
  let mass = 0;
  while (kept < order.length && (kept === 0 || mass < topP * total)) mass += weights[kept++] as number;
  let rest = u * mass;
  for (let i = 0; i < kept; i++) {
    rest -= weights[i] as number;
    if (rest < 0) return order[i] as number;
  }
  return order[kept - 1] as number;
}
