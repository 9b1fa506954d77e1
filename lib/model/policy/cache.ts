import type { Tensor } from "@/lib/model/onnx/compile";
import { MASKED } from "./transformer";
import type { PolicyConfig } from "./types";

/** Rows of the mask begin at the same alignment everywhere, so that no kernel sums a row in another order. */
const ALIGN = 16;

/**
 * Keys and values of `slots` contexts, as the decode program reads them: per layer a key and a value tensor
 * [slots, heads, size, width]. A slot knows the tokens whose columns it holds.
 */
export class KvCache {
  /** Columns a slot has room for. */
  readonly size: number;
  /** Key and value of layer 0, then of layer 1 … */
  readonly tensors: Tensor[];
  /** [slots, size]: 0 where a column is held, MASKED elsewhere. */
  readonly bias: Tensor;
  private readonly held: number[][];
  private readonly width: number;

  constructor(
    private readonly config: PolicyConfig,
    readonly slots: number,
  ) {
    this.size = Math.ceil(config.context / ALIGN) * ALIGN;
    this.width = config.dim / config.heads;
    const shape = [slots, config.heads, this.size, this.width];
    const floats = slots * this.size * config.dim;
    this.tensors = Array.from({ length: 2 * config.layers }, () => ({
      dtype: "float32",
      shape,
      data: new Float32Array(floats),
    }));
    const bias = new Float32Array(slots * this.size).fill(MASKED);
    this.bias = { dtype: "float32", shape: [slots, this.size], data: bias };
    this.held = Array.from({ length: slots }, () => []);
  }

  /** Tokens held by a slot. */
  length(slot: number): number {
    return this.ids(slot).length;
  }

  /** How many tokens from the start a slot shares with a context. */
  shared(slot: number, context: readonly number[]): number {
    const ids = this.ids(slot);
    const most = Math.min(ids.length, context.length);
    let n = 0;
    while (n < most && ids[n] === context[n]) n++;
    return n;
  }

  /** Forgets all but the first `length` tokens. */
  truncate(slot: number, length: number): void {
    this.ids(slot).length = Math.min(length, this.length(slot));
    this.bias.data.fill(MASKED, slot * this.size + this.length(slot), (slot + 1) * this.size);
  }

  /** Takes over the first `length` tokens of another slot. */
  copy(from: number, to: number, length: number): void {
    const { heads } = this.config;
    const row = this.size * this.width;
    for (const { data } of this.tensors) {
      for (let head = 0; head < heads; head++) {
        const start = (from * heads + head) * row;
        data.copyWithin((to * heads + head) * row, start, start + length * this.width);
      }
    }
    this.held[to] = this.ids(from).slice(0, length);
    this.bias.data.fill(0, to * this.size, to * this.size + length);
    this.truncate(to, length);
  }

  /** Adds the column of a token that the program has just computed: the slot's rows of [slots, heads, 1, width]. */
  append(slot: number, id: number, columns: readonly Tensor[]): void {
    const { size, width } = this;
    const { heads } = this.config;
    const at = this.length(slot);
    for (const [i, { data }] of this.tensors.entries()) {
      const column = (columns[i] as Tensor).data;
      for (let head = 0; head < heads; head++) {
        const from = (slot * heads + head) * width;
        const to = ((slot * heads + head) * size + at) * width;
        for (let k = 0; k < width; k++) data[to + k] = column[from + k] as number;
      }
    }
    this.bias.data[slot * size + at] = 0;
    this.ids(slot).push(id);
  }

  private ids(slot: number): number[] {
    const ids = this.held[slot];
    if (!ids) throw new RangeError(`no slot ${slot} of ${this.slots}`);
    return ids;
  }
}
