import type { Tensor } from "@/lib/model/onnx/compile";
import { parameterSpecs } from "@/lib/model/policy/parameters";
import type { PolicyConfig } from "@/lib/model/policy/types";
import type { Objective, TokenRow } from "./objective";

/** Rows as a program takes them. */
export interface Batch {
  /** T: the length that was padded to. */
  length: number;
  /** ids and targets (int32) and the objective's inputs, [batch, T] each. */
  tensors: Tensor[];
  /** Tokens that count as trained. */
  tokens: number;
}

const QUARTERS = 4;

/** Pads rows to shapes that programs exist for. */
export class Batches<Row extends TokenRow> {
  /** Names of the parameters, in order. */
  readonly names: readonly string[];
  private readonly lengths: readonly number[];

  constructor(
    private readonly config: PolicyConfig,
    private readonly objective: Objective<Row>,
    private readonly batch: number,
    lengths?: readonly number[],
  ) {
    this.names = parameterSpecs(config).map((spec) => spec.name);
    if (!Number.isInteger(batch) || batch < 1) throw new RangeError(`a batch of ${batch} rows`);
    const { context } = config;
    const quarters = Array.from({ length: QUARTERS }, (_, k) => Math.ceil((context * (k + 1)) / QUARTERS));
    this.lengths = [...new Set([...(lengths ?? quarters)])].sort((a, b) => a - b);
    const wrong = this.lengths.find((length) => !Number.isInteger(length) || length < 1 || length > context);
    if (wrong !== undefined || this.lengths.length === 0)
      throw new RangeError(`programs of length ${wrong} for a context of ${context}`);
  }

  /** Throws RangeError when there are no rows, too many, or one is too short, too long or of foreign tokens. */
  make(rows: readonly Row[]): Batch {
    if (rows.length === 0 || rows.length > this.batch)
      throw new RangeError(`${rows.length} rows for a batch of ${this.batch}`);
    for (const [i, { ids }] of rows.entries()) this.check(i, ids);
    // The last token is only predicted, never fed.
    const longest = Math.max(...rows.map((row) => row.ids.length - 1));
    const length = this.lengths.find((one) => one >= longest);
    if (length === undefined)
      throw new RangeError(`a row of ${longest + 1} tokens; programs go to ${(this.lengths.at(-1) ?? 0) + 1}`);
    const size = this.batch * length;
    const [ids, targets] = [new Int32Array(size), new Int32Array(size)];
    const inputs = this.objective.inputs.map(() => new Float32Array(size));
    let tokens = 0;
    for (const [b, row] of rows.entries()) {
      for (let at = 1; at < row.ids.length; at++) {
        const cell = b * length + at - 1;
        ids[cell] = row.ids[at - 1] as number;
        targets[cell] = row.ids[at] as number;
        for (const [k, value] of this.objective.inputs.entries()) (inputs[k] as Float32Array)[cell] = value(row, at);
        if (this.objective.counts(row, at)) tokens++;
      }
    }
    const shape = [this.batch, length];
    return {
      length,
      tensors: [
        { dtype: "int32", shape, data: ids },
        { dtype: "int32", shape, data: targets },
        ...inputs.map((data): Tensor => ({ dtype: "float32", shape, data })),
      ],
      tokens,
    };
  }

  private check(row: number, ids: readonly number[]): void {
    if (ids.length < 2)
      throw new RangeError(`row ${row} has ${ids.length} tokens; nothing follows from fewer than two`);
    const { vocab } = this.config;
    const foreign = ids.find((id) => !Number.isInteger(id) || id < 0 || id >= vocab);
    if (foreign !== undefined) throw new RangeError(`row ${row} has the token ${foreign}; the vocabulary has ${vocab}`);
  }
}
