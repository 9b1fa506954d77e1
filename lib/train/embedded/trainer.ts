import type { Array as JaxArray } from "@jax-js/jax";
import { type Backend, compile, type Program, type Tensor } from "@/lib/model/onnx/compile";
import { loadJax } from "@/lib/model/onnx/load";
import { exampleParameters, orderedWeights } from "@/lib/model/policy/parameters";
import type { PolicyConfig, Weight } from "@/lib/model/policy/types";
import { readWeights, WeightsFileError, writeWeights } from "@/lib/model/policy/weights";
import { adamw, clip, type StepScalars, stepScalars } from "./adamw";
import { Batches } from "./batches";
import { lossOf, type Objective, type TokenRow } from "./objective";

export interface TrainerOptions {
  backend: Backend;
  /** The last bits of results depend on the number of threads: repeat a run with the same one. */
  threads: number;
  /** Rows of a step; a step of fewer is padded with rows that nothing is learnt from. */
  batch: number;
  /**
   * Lengths that programs are compiled for; a step takes the shortest that fits. Default: quarters of the context. Each
   * program that was used keeps its memory: a quarter of a megabyte a token of its batch for a million parameters.
   */
  lengths?: readonly number[];
}

/** What a step did. */
export interface StepReport {
  /** Before the update. */
  loss: number;
  /** Tokens that were learnt from. */
  tokens: number;
  /** Global norm of the gradient before it was clipped. */
  gradNorm: number;
}

/** Loss or gradient of a step is no finite number; weights and moments are those before the step. */
export class TrainingDiverged extends Error {
  constructor(
    readonly step: number,
    readonly report: StepReport,
  ) {
    super(
      `training step ${step} has a loss of ${report.loss} and a gradient norm of ${report.gradNorm}; restart from a saved step with a lower learning rate`,
    );
    this.name = "TrainingDiverged";
  }
}

const KIND = "misstep trainer";
const PARTS = ["weights", "first", "second"] as const;
type Part = (typeof PARTS)[number];
type State = Record<Part, Tensor[]>;

/**
 * Weights, AdamW moments and step of one training run. A step runs forward, backward and update as one program on the
 * calling thread, which it blocks.
 */
export class Trainer<Row extends TokenRow> {
  private readonly programs = new Map<number, Promise<Program>>();
  private readonly batches: Batches<Row>;
  private state: State;
  private steps = 0;

  /** Throws PolicyShapeError when the weights do not fit the config. */
  constructor(
    weights: readonly Weight[],
    readonly config: PolicyConfig,
    private readonly objective: Objective<Row>,
    private readonly options: TrainerOptions,
  ) {
    this.batches = new Batches(config, objective, options.batch, options.lengths);
    this.state = this.fresh(weights);
  }

  /** Steps done. */
  get step(): number {
    return this.steps;
  }

  /** One optimiser step over all rows. Throws RangeError for rows that fit no batch, and TrainingDiverged. */
  async train(rows: readonly Row[], { learningRate }: { learningRate: number }): Promise<StepReport> {
    const { length, tensors, tokens } = this.batches.make(rows);
    const program = await this.program(length);
    const scalars = stepScalars(this.steps + 1, learningRate);
    const [loss, norm, ...next] = await program.run([
      ...PARTS.flatMap((part) => this.state[part]),
      ...[scalars.learningRate, scalars.correction1, scalars.correction2].map(scalar),
      ...tensors,
    ]);
    const report = { loss: numberOf(loss), tokens, gradNorm: numberOf(norm) };
    if (!Number.isFinite(report.loss) || !Number.isFinite(report.gradNorm))
      throw new TrainingDiverged(this.steps + 1, report);
    const n = this.state.weights.length;
    this.state = { weights: next.slice(0, n), first: next.slice(n, 2 * n), second: next.slice(2 * n) };
    this.steps++;
    return report;
  }

  /** The weights now; later steps do not change them. */
  weights(): Weight[] {
    return this.named("weights", "");
  }

  /** Forgets the moments and the step, and goes on from other weights. */
  reset(weights: readonly Weight[]): void {
    this.state = this.fresh(weights);
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
      return this.tensors(own.map((weight) => ({ ...weight, name: weight.name.slice(prefix.length) })));
    };
    try {
      this.state = { weights: part("weights"), first: part("first"), second: part("second") };
    } catch (error) {
      throw new WeightsFileError(file, error instanceof Error ? error.message : String(error), error);
    }
    this.steps = step;
    return metadata;
  }

  async close(): Promise<void> {
    const open = [...this.programs.values()];
    this.programs.clear();
    for (const program of open) await (await program).close();
  }

  private fresh(weights: readonly Weight[]): State {
    const tensors = this.tensors(weights);
    const zeros = () => tensors.map((tensor) => ({ ...tensor, data: new Float32Array(tensor.data.length) }));
    return { weights: tensors, first: zeros(), second: zeros() };
  }

  private tensors(weights: readonly Weight[]): Tensor[] {
    return orderedWeights(this.config, weights).map(({ shape, data }) => ({ dtype: "float32", shape, data }));
  }

  private named(part: Part, prefix: string): Weight[] {
    return this.batches.names.map((name, i) => {
      const { shape, data } = this.state[part][i] as Tensor;
      return { name: `${prefix}${name}`, shape, data: Float32Array.from(data) };
    });
  }

  private program(length: number): Promise<Program> {
    const known = this.programs.get(length);
    if (known) return known;
    const made = this.compile(length);
    this.programs.set(length, made);
    // A failure is the caller's; the next step may try again.
    made.catch(() => this.programs.delete(length));
    return made;
  }

  private async compile(length: number): Promise<Program> {
    const jax = await loadJax();
    const { numpy: np, tree } = jax;
    const { config, objective, options } = this;
    const gradient = jax.valueAndGrad(lossOf(jax, config, objective));
    const step = (
      weights: JaxArray[],
      first: JaxArray[],
      second: JaxArray[],
      scalars: StepScalars<JaxArray>,
      [ids, targets, ...inputs]: [JaxArray, JaxArray, ...JaxArray[]],
    ): JaxArray[] => {
      const [loss, raw] = gradient(tree.ref(weights), ids, targets, inputs) as [JaxArray, JaxArray[]];
      const [gradients, norm] = clip(jax, raw);
      const next = weights.map((parameter, i) =>
        adamw(
          jax,
          { parameter, first: first[i] as JaxArray, second: second[i] as JaxArray },
          gradients[i] as JaxArray,
          scalars,
        ),
      );
      tree.dispose({ ...scalars });
      return [
        loss,
        norm,
        ...next.map((moments) => moments.parameter),
        ...next.map((moments) => moments.first),
        ...next.map((moments) => moments.second),
      ];
    };
    const parameters = () => exampleParameters(jax, config);
    const number = () => np.zeros([], { dtype: np.float32 });
    const scalars = { learningRate: number(), correction1: number(), correction2: number() };
    const shape = [options.batch, length];
    const integers = () => np.zeros(shape, { dtype: np.int32 });
    const floats = objective.inputs.map(() => np.zeros(shape));
    const example = [parameters(), parameters(), parameters(), scalars, [integers(), integers(), ...floats]];
    return compile(step, example, options);
  }
}

const scalar = (value: number): Tensor => ({ dtype: "float32", shape: [], data: Float32Array.of(value) });

const numberOf = (tensor: Tensor | undefined): number => tensor?.data[0] ?? Number.NaN;
