import type { Tensor } from "@/lib/model/onnx/compile";
import { orderedWeights, parameterSpecs } from "@/lib/model/policy/parameters";
import type { PolicyConfig, Weight } from "@/lib/model/policy/types";
import { readWeights, WeightsFileError, writeWeights } from "@/lib/model/policy/weights";

const KIND = "misstep trainer";
const PARTS = ["weights", "first", "second"] as const;
type Part = (typeof PARTS)[number];

/** Weights, AdamW moments and step of a training run: what a step changes and a file keeps. */
export class OptimiserState {
  private readonly names: readonly string[];
  private parts: Record<Part, Tensor[]>;
  private steps = 0;

  /** Throws PolicyShapeError when the weights do not fit the config. */
  constructor(
    private readonly config: PolicyConfig,
    weights: readonly Weight[],
  ) {
    this.names = parameterSpecs(config).map((spec) => spec.name);
    this.parts = this.fresh(weights);
  }

  /** Steps done. */
  get step(): number {
    return this.steps;
  }

  /** The weights as programs take them, in order. */
  get tensors(): Tensor[] {
    return this.parts.weights;
  }

  /** Weights, first and second moments, in the order that update programs take and give back. */
  all(): Tensor[] {
    return PARTS.flatMap((part) => this.parts[part]);
  }

  /** Takes over what an update program gave back, and counts the step. */
  advance(next: readonly Tensor[]): void {
    const n = this.names.length;
    this.parts = { weights: next.slice(0, n), first: next.slice(n, 2 * n), second: next.slice(2 * n) };
    this.steps++;
  }

  /** The weights now; later steps do not change them. */
  weights(): Weight[] {
    return this.named("weights", "");
  }

  /** Forgets the moments and the step, and goes on from other weights. */
  reset(weights: readonly Weight[]): void {
    this.parts = this.fresh(weights);
    this.steps = 0;
  }

  /** Writes weights, moments and step into one safetensors file, whole or not at all, with strings of the caller's. */
  save(file: string, metadata: Record<string, string> = {}): void {
    const own = { kind: KIND, step: String(this.steps), config: JSON.stringify(this.config) };
    writeWeights(
      file,
      PARTS.flatMap((part) => this.named(part, `${part}/`)),
      { ...metadata, ...own },
    );
  }

  /**
   * Goes on where a file of `save` was written: the same rows give the same bits as without the interruption. Returns
   * the strings that were saved. Throws WeightsFileError when the file is none of `save` or of another config.
   */
  async restore(file: string): Promise<Record<string, string>> {
    const { weights, metadata } = await readWeights(file);
    const step = Number(metadata.step);
    if (metadata.kind !== KIND || !Number.isInteger(step))
      throw new WeightsFileError(file, "is no saved training (weights alone have no moments)");
    if (metadata.config !== JSON.stringify(this.config))
      throw new WeightsFileError(
        file,
        `was trained with the config ${metadata.config}, not ${JSON.stringify(this.config)}`,
      );
    const part = (name: Part) => {
      const prefix = `${name}/`;
      const own = weights.filter((weight) => weight.name.startsWith(prefix));
      return this.read(own.map((weight) => ({ ...weight, name: weight.name.slice(prefix.length) })));
    };
    try {
      this.parts = { weights: part("weights"), first: part("first"), second: part("second") };
    } catch (error) {
      throw new WeightsFileError(file, error instanceof Error ? error.message : String(error), error);
    }
    this.steps = step;
    return metadata;
  }

  private fresh(weights: readonly Weight[]): Record<Part, Tensor[]> {
    const tensors = this.read(weights);
    const zeros = () => tensors.map((tensor) => ({ ...tensor, data: new Float32Array(tensor.data.length) }));
    return { weights: tensors, first: zeros(), second: zeros() };
  }

  private read(weights: readonly Weight[]): Tensor[] {
    return orderedWeights(this.config, weights).map(({ shape, data }) => ({ dtype: "float32", shape, data }));
  }

  private named(part: Part, prefix: string): Weight[] {
    return this.names.map((name, i) => {
      const { shape, data } = this.parts[part][i] as Tensor;
      return { name: `${prefix}${name}`, shape, data: Float32Array.from(data) };
    });
  }
}
