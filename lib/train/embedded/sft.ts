import type { Objective, TokenRow } from "./objective";

/** A sequence and which of its tokens are learnt: 1 for those of the policy, 0 for what it was told. */
export interface SupervisedRow extends TokenRow {
  mask: readonly number[];
}

const maskOf = (row: SupervisedRow, at: number): number => row.mask[at] ?? 0;

/** Supervised fine-tuning: mean cross-entropy of the masked tokens, natural logarithm. 0 when none is masked. */
export const SUPERVISED: Objective<SupervisedRow> = {
  inputs: [maskOf],
  counts: (row, at) => maskOf(row, at) !== 0,
  loss(jax, logprobs, inputs) {
    const [mask] = inputs;
    if (!mask) throw new RangeError("supervised training has a mask");
    const total = jax.numpy.maximum(mask.ref.sum(), 1);
    return logprobs.mul(mask).sum().neg().div(total);
  },
};
