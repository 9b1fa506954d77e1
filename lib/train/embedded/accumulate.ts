import type { Array as JaxArray } from "@jax-js/jax";
import { compile, type Program, type Tensor } from "@/lib/model/onnx/compile";
import { loadJax } from "@/lib/model/onnx/load";
import { exampleParameters } from "@/lib/model/policy/parameters";
import type { PolicyConfig, Weight } from "@/lib/model/policy/types";
import { type StepScalars, stepScalars, update } from "./adamw";
import { Batches } from "./batches";
import { lossWithLogprobs, type Objective, type TokenRow } from "./objective";
import { OptimiserState } from "./state";
import { numberOf, type StepReport, scalar, type TrainerOptions, TrainingDiverged } from "./trainer";

/** What a step over many rows did. */
export interface AccumulatedReport extends StepReport {
  /** For each row in the order given: the log-probability of the token at each place from 1, before the update. */
  logprobs: Float32Array[];
}

interface Part {
  loss: number;
  gradients: Tensor[];
  tokens: number;
  logprobs: Float32Array[];
}

/**
 * Trains on steps of more rows than memory holds at once: gradients of parts of `options.batch` rows are added up and
 * applied as one AdamW step. The objective must be a sum over rows, its denominators being in the rows. Runs on the
 * calling thread, which it blocks; it yields between parts.
 */
export class AccumulatingTrainer<Row extends TokenRow> {
  readonly state: OptimiserState;
  private readonly batches: Batches<Row>;
  private readonly gradientPrograms = new Map<number, Promise<Program>>();
  private updateProgram: Promise<Program> | null = null;

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

  /** One optimiser step over all rows. Throws RangeError for rows that fit no batch, and TrainingDiverged. */
  async train(rows: readonly Row[], { learningRate }: { learningRate: number }): Promise<AccumulatedReport> {
    if (rows.length === 0) throw new RangeError("a step over no rows");
    // Rows of like lengths together: less padding. The order decides the last bits, so it is the same every time.
    const order = rows.map((row, i) => ({ row, i })).sort((a, b) => a.row.ids.length - b.row.ids.length || a.i - b.i);
    const logprobs: Float32Array[] = new Array(rows.length);
    let total: Part | null = null;
    for (let from = 0; from < order.length; from += this.options.batch) {
      const chunk = order.slice(from, from + this.options.batch);
      const part = await this.part(chunk.map(({ row }) => row));
      for (const [k, { i }] of chunk.entries()) logprobs[i] = part.logprobs[k] as Float32Array;
      total = total === null ? part : add(total, part);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { loss, gradients, tokens } = total as Part;
    const program = await this.update();
    const scalars = stepScalars(this.state.step + 1, learningRate);
    const [norm, ...next] = await program.run([
      ...this.state.all(),
      ...gradients,
      ...[scalars.learningRate, scalars.correction1, scalars.correction2].map(scalar),
    ]);
    const report = { loss, tokens, gradNorm: numberOf(norm), logprobs };
    if (!Number.isFinite(report.loss) || !Number.isFinite(report.gradNorm))
      throw new TrainingDiverged(this.state.step + 1, report);
    this.state.advance(next);
    return report;
  }

  async close(): Promise<void> {
    const open = [...this.gradientPrograms.values(), ...(this.updateProgram ? [this.updateProgram] : [])];
    this.gradientPrograms.clear();
    this.updateProgram = null;
    for (const program of open) await (await program).close();
  }

  private async part(rows: readonly Row[]): Promise<Part> {
    const { length, tensors, tokens } = this.batches.make(rows);
    const program = await this.gradient(length);
    const [loss, all, ...gradients] = await program.run([...this.state.tensors, ...tensors]);
    const values = all?.data as Float32Array;
    const logprobs = rows.map(({ ids }, b) => values.slice(b * length, b * length + ids.length - 1));
    return { loss: numberOf(loss), gradients, tokens, logprobs };
  }

  private gradient(length: number): Promise<Program> {
    const known = this.gradientPrograms.get(length);
    if (known) return known;
    const made = this.compileGradient(length);
    this.gradientPrograms.set(length, made);
    made.catch(() => this.gradientPrograms.delete(length));
    return made;
  }

  private async compileGradient(length: number): Promise<Program> {
    const jax = await loadJax();
    const { numpy: np } = jax;
    const differentiated = jax.valueAndGrad(lossWithLogprobs(jax, this.config, this.objective), { hasAux: true });
    const step = (weights: JaxArray[], ids: JaxArray, targets: JaxArray, ...inputs: JaxArray[]): JaxArray[] => {
      const [[loss, logprobs], gradients] = differentiated(weights, ids, targets, inputs) as unknown as [
        [JaxArray, JaxArray],
        JaxArray[],
      ];
      return [loss, logprobs, ...gradients];
    };
    const shape = [this.options.batch, length];
    const integers = () => np.zeros(shape, { dtype: np.int32 });
    const floats = this.objective.inputs.map(() => np.zeros(shape));
    return compile(step, [exampleParameters(jax, this.config), integers(), integers(), ...floats], this.options);
  }

  private update(): Promise<Program> {
    this.updateProgram ??= this.compileUpdate();
    return this.updateProgram;
  }

  private async compileUpdate(): Promise<Program> {
    const jax = await loadJax();
    const { numpy: np } = jax;
    const step = (
      weights: JaxArray[],
      first: JaxArray[],
      second: JaxArray[],
      gradients: JaxArray[],
      scalars: StepScalars<JaxArray>,
    ): JaxArray[] => update(jax, { weights, first, second }, gradients, scalars);
    const parameters = () => exampleParameters(jax, this.config);
    const number = () => np.zeros([], { dtype: np.float32 });
    const scalars = { learningRate: number(), correction1: number(), correction2: number() };
    return compile(step, [parameters(), parameters(), parameters(), parameters(), scalars], this.options);
  }
}

/** Adds into the first part's gradients. */
function add(sum: Part, more: Part): Part {
  for (const [k, { data }] of sum.gradients.entries()) {
    const other = (more.gradients[k] as Tensor).data;
    for (let i = 0; i < data.length; i++) data[i] = (data[i] as number) + (other[i] as number);
  }
  return { ...sum, loss: sum.loss + more.loss, tokens: sum.tokens + more.tokens };
}
