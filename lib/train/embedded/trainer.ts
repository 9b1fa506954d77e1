import type { Array as JaxArray } from "@jax-js/jax";
import { type Backend, compile, type Program, type Tensor } from "@/lib/model/onnx/compile";
import { loadJax } from "@/lib/model/onnx/load";
import { exampleParameters } from "@/lib/model/policy/parameters";
import type { PolicyConfig, Weight } from "@/lib/model/policy/types";
import { type StepScalars, stepScalars, update } from "./adamw";
import { Batches } from "./batches";
import { lossOf, type Objective, type TokenRow } from "./objective";
import { OptimiserState } from "./state";

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

/**
 * Weights, AdamW moments and step of one training run. A step runs forward, backward and update as one program on the
 * calling thread, which it blocks.
 */
export class Trainer<Row extends TokenRow> {
  private readonly programs = new Map<number, Promise<Program>>();
  private readonly batches: Batches<Row>;
  private readonly state: OptimiserState;

  /** Throws PolicyShapeError when the weights do not fit the config. */
  constructor(
    weights: readonly Weight[],
    readonly config: PolicyConfig,
    private readonly objective: Objective<Row>,
    private readonly options: TrainerOptions,
  ) {
    this.batches = new Batches(config, objective, options.batch, options.lengths);
    this.state = new OptimiserState(config, weights);
  }

  /** Steps done. */
  get step(): number {
    return this.state.step;
  }

  /** One optimiser step over all rows. Throws RangeError for rows that fit no batch, and TrainingDiverged. */
  async train(rows: readonly Row[], { learningRate }: { learningRate: number }): Promise<StepReport> {
    const { length, tensors, tokens } = this.batches.make(rows);
    const program = await this.program(length);
    const scalars = stepScalars(this.state.step + 1, learningRate);
    const [loss, norm, ...next] = await program.run([
      ...this.state.all(),
      ...[scalars.learningRate, scalars.correction1, scalars.correction2].map(scalar),
      ...tensors,
    ]);
    const report = { loss: numberOf(loss), tokens, gradNorm: numberOf(norm) };
    if (!Number.isFinite(report.loss) || !Number.isFinite(report.gradNorm))
      throw new TrainingDiverged(this.state.step + 1, report);
    this.state.advance(next);
    return report;
  }

  /** The weights now; later steps do not change them. */
  weights(): Weight[] {
    return this.state.weights();
  }

  /** Forgets the moments and the step, and goes on from other weights. */
  reset(weights: readonly Weight[]): void {
    this.state.reset(weights);
  }

  /** OptimiserState.save */
  save(file: string, metadata: Record<string, string> = {}): void {
    this.state.save(file, metadata);
  }

  /** OptimiserState.restore */
  restore(file: string): Promise<Record<string, string>> {
    return this.state.restore(file);
  }

  async close(): Promise<void> {
    const open = [...this.programs.values()];
    this.programs.clear();
    for (const program of open) await (await program).close();
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
      const [norm, ...next] = update(jax, { weights, first, second }, raw, scalars);
      return [loss, norm as JaxArray, ...next];
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

export const scalar = (value: number): Tensor => ({ dtype: "float32", shape: [], data: Float32Array.of(value) });

export const numberOf = (tensor: Tensor | undefined): number => tensor?.data[0] ?? Number.NaN;
