import type { Array as JaxArray } from "@jax-js/jax";
import type { Jax } from "@/lib/model/onnx/load";

/** Decoupled weight decay acts on matrices and embeddings, not on gains. */
export const ADAMW = { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, decay: 0.01 } as const;
/** Gradients of a larger global norm are scaled down to it. */
export const MAX_NORM = 1;
const NORM_EPSILON = 1e-6;

/** Scalars that change from step to step; inputs of the program, which so contains no power. */
export interface StepScalars<T> {
  learningRate: T;
  /** 1 - beta1^step */
  correction1: T;
  /** 1 - beta2^step */
  correction2: T;
}

/** The scalars of a step, counted from 1. */
export function stepScalars(step: number, learningRate: number): StepScalars<number> {
  return {
    learningRate,
    correction1: 1 - ADAMW.beta1 ** step,
    correction2: 1 - ADAMW.beta2 ** step,
  };
}

/** Scales gradients to a global norm of at most MAX_NORM; also returns the norm they had. */
export function clip({ numpy: np }: Jax, gradients: JaxArray[]): [JaxArray[], JaxArray] {
  const squares = gradients.map((gradient) => np.square(gradient.ref).sum());
  const norm = np.sqrt(squares.reduce((sum, square) => sum.add(square)));
  const scale = np.minimum(np.reciprocal(norm.ref.add(NORM_EPSILON)).mul(MAX_NORM), 1);
  const scaled = gradients.map((gradient) => gradient.mul(scale.ref));
  scale.dispose();
  return [scaled, norm];
}

/** State of one parameter. */
interface Moments {
  parameter: JaxArray;
  first: JaxArray;
  second: JaxArray;
}

/** AdamW (Loshchilov & Hutter 2019) of one parameter, as PyTorch computes it. Moves all but the scalars. */
export function adamw(
  { numpy: np }: Jax,
  { parameter, first, second }: Moments,
  gradient: JaxArray,
  { learningRate, correction1, correction2 }: StepScalars<JaxArray>,
): Moments {
  const { beta1, beta2, epsilon, decay } = ADAMW;
  const m = first.mul(beta1).add(gradient.ref.mul(1 - beta1));
  const v = second.mul(beta2).add(np.square(gradient).mul(1 - beta2));
  const direction = m.ref.div(correction1.ref).div(np.sqrt(v.ref.div(correction2.ref)).add(epsilon));
  const decayed = parameter.ndim > 1 ? direction.add(parameter.ref.mul(decay)) : direction;
  return { parameter: parameter.sub(decayed.mul(learningRate.ref)), first: m, second: v };
}

/**
 * One clipped AdamW step of all parameters: the norm the gradient had, then weights, first and second moments. Moves
 * everything, the scalars included.
 */
export function update(
  jax: Jax,
  { weights, first, second }: { weights: JaxArray[]; first: JaxArray[]; second: JaxArray[] },
  raw: JaxArray[],
  scalars: StepScalars<JaxArray>,
): JaxArray[] {
  const [gradients, norm] = clip(jax, raw);
  const next = weights.map((parameter, i) =>
    adamw(
      jax,
      { parameter, first: first[i] as JaxArray, second: second[i] as JaxArray },
      gradients[i] as JaxArray,
      scalars,
    ),
  );
  jax.tree.dispose({ ...scalars });
  return [
    norm,
    ...next.map((moments) => moments.parameter),
    ...next.map((moments) => moments.first),
    ...next.map((moments) => moments.second),
  ];
}
