import type { Array as JaxArray } from "@jax-js/jax";
import type { Jax } from "@/lib/model/onnx/load";
import { nested } from "@/lib/model/policy/parameters";
import { tokenLogprobs } from "@/lib/model/policy/transformer";
import type { PolicyConfig } from "@/lib/model/policy/types";

/** A token sequence. */
export interface TokenRow {
  ids: readonly number[];
}

/** What is minimised: a function of the log-probabilities of a batch's tokens and of numbers that its rows give them. */
export interface Objective<Row extends TokenRow> {
  /** For each number, its value for the token at `at` (from 1) of a row. Padding gets 0 of every one. */
  readonly inputs: readonly ((row: Row, at: number) => number)[];
  /** Whether the token at `at` counts as trained, for the count that a step reports. */
  counts(row: Row, at: number): boolean;
  /**
   * The scalar loss. Traced: each array is moved, so every use but the last needs `.ref`, and all must be used.
   * @param logprobs log-probability [B, T] of each token given those before it
   * @param inputs the numbers, [B, T] each
   */
  loss(jax: Jax, logprobs: JaxArray, inputs: JaxArray[]): JaxArray;
}

/** The loss as a function of the parameters (a flat list): what is differentiated. */
export function lossOf<Row extends TokenRow>(jax: Jax, config: PolicyConfig, objective: Objective<Row>) {
  return (flat: JaxArray[], ids: JaxArray, targets: JaxArray, inputs: JaxArray[]): JaxArray =>
    objective.loss(jax, tokenLogprobs(jax, nested(config, flat), ids, targets, config), inputs);
}

/** The same with the log-probabilities [B, T] beside it, for what a step reports. */
export function lossWithLogprobs<Row extends TokenRow>(jax: Jax, config: PolicyConfig, objective: Objective<Row>) {
  return (flat: JaxArray[], ids: JaxArray, targets: JaxArray, inputs: JaxArray[]): [JaxArray, JaxArray] => {
    const logprobs = tokenLogprobs(jax, nested(config, flat), ids, targets, config);
    return [objective.loss(jax, logprobs.ref, inputs), logprobs];
  };
}
