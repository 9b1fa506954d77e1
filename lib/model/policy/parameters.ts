import type { Array as JaxArray } from "@jax-js/jax";
import { type Jax, loadJax } from "@/lib/model/onnx/load";
import type { PolicyConfig, Weight } from "./types";

/** Matrices and gains of one block; the projections stand left, so that y = x @ w. */
export interface Block<T> {
  /** Gain before attention, [dim]. */
  norm1: T;
  /** Queries, keys and values side by side, [dim, 3 dim]. */
  qkv: T;
  /** [dim, dim] */
  proj: T;
  /** Gain before the feed-forward part, [dim]. */
  norm2: T;
  /** [dim, hidden] */
  up: T;
  /** [hidden, dim] */
  down: T;
}

export interface Parameters<T> {
  /** [vocab, dim] */
  tok: T;
  /** [context, dim] */
  pos: T;
  blocks: Block<T>[];
  /** Gain before the head, [dim]. */
  norm: T;
  /** [dim, vocab] */
  head: T;
}

export interface ParameterSpec {
  name: string;
  shape: number[];
  /** Standard deviation at the start; null is a gain, which starts at 1. */
  std: number | null;
}

/** A config that no transformer has, or weights that do not fit one. */
export class PolicyShapeError extends Error {
  override name = "PolicyShapeError";
}

const EMBEDDING_STD = 0.02;

/** Every parameter, in the order of files and programs. Throws PolicyShapeError for an impossible config. */
export function parameterSpecs(config: PolicyConfig): ParameterSpec[] {
  checkConfig(config);
  const { vocab, dim, layers, hidden, context } = config;
  // Matrices that write into the residual stream start smaller, so that depth does not blow it up.
  const [inner, residual] = [0.5 / Math.sqrt(dim), 0.25 / Math.sqrt(dim)];
  const block = (i: number): ParameterSpec[] => [
    { name: `blocks.${i}.norm1`, shape: [dim], std: null },
    { name: `blocks.${i}.qkv`, shape: [dim, 3 * dim], std: inner },
    { name: `blocks.${i}.proj`, shape: [dim, dim], std: residual },
    { name: `blocks.${i}.norm2`, shape: [dim], std: null },
    { name: `blocks.${i}.up`, shape: [dim, hidden], std: inner },
    { name: `blocks.${i}.down`, shape: [hidden, dim], std: residual },
  ];
  return [
    { name: "tok", shape: [vocab, dim], std: EMBEDDING_STD },
    { name: "pos", shape: [context, dim], std: EMBEDDING_STD },
    ...Array.from({ length: layers }, (_, i) => block(i)).flat(),
    { name: "norm", shape: [dim], std: null },
    { name: "head", shape: [dim, vocab], std: EMBEDDING_STD },
  ];
}

function checkConfig(config: PolicyConfig): void {
  for (const [key, value] of Object.entries(config)) {
    if (!Number.isInteger(value) || value < 1) throw new PolicyShapeError(`${key} of a policy is ${value}`);
  }
  if (config.dim % config.heads !== 0)
    throw new PolicyShapeError(`${config.heads} heads do not share a width of ${config.dim} evenly`);
}

/** Gives a flat list, in the order of `parameterSpecs`, its structure. */
export function nested<T>(config: PolicyConfig, flat: readonly T[]): Parameters<T> {
  const names = parameterSpecs(config).map((spec) => spec.name);
  if (names.length !== flat.length) throw new PolicyShapeError(`${flat.length} tensors for ${names.length} parameters`);
  const byName = new Map(names.map((name, i) => [name, flat[i] as T]));
  const get = (name: string) => byName.get(name) as T;
  return {
    tok: get("tok"),
    pos: get("pos"),
    blocks: Array.from({ length: config.layers }, (_, i) => ({
      norm1: get(`blocks.${i}.norm1`),
      qkv: get(`blocks.${i}.qkv`),
      proj: get(`blocks.${i}.proj`),
      norm2: get(`blocks.${i}.norm2`),
      up: get(`blocks.${i}.up`),
      down: get(`blocks.${i}.down`),
    })),
    norm: get("norm"),
    head: get("head"),
  };
}

/** Weights in the order of programs. Throws PolicyShapeError when one is missing, superfluous or of another shape. */
export function orderedWeights(config: PolicyConfig, weights: readonly Weight[]): Weight[] {
  const byName = new Map(weights.map((weight) => [weight.name, weight]));
  const specs = parameterSpecs(config);
  const ordered = specs.map(({ name, shape }) => {
    const weight = byName.get(name);
    if (!weight) throw new PolicyShapeError(`no weight "${name}"`);
    if (weight.shape.join() !== shape.join())
      throw new PolicyShapeError(
        `"${name}" is [${weight.shape.join(", ")}], the config asks for [${shape.join(", ")}]`,
      );
    byName.delete(name);
    return weight;
  });
  const [extra] = byName.keys();
  if (extra !== undefined || weights.length !== specs.length)
    throw new PolicyShapeError(`the config has no parameter "${extra ?? "twice"}"`);
  return ordered;
}

/** Random weights of a seed (an integer from 0); the same on every machine. */
export async function initWeights(config: PolicyConfig, seed: number): Promise<Weight[]> {
  const jax = await loadJax();
  const specs = parameterSpecs(config);
  const keys = jax.random.split(jax.random.key(seed), specs.length);
  const weights = specs.map(({ name, shape, std }, i): Weight => {
    const array = std === null ? jax.numpy.ones(shape) : jax.random.normal(keys.ref.slice(i), shape).mul(std);
    return { name, shape, data: Float32Array.from(array.dataSync()) };
  });
  keys.dispose();
  return weights;
}

/** Arrays shaped like the parameters, to trace programs with. */
export function exampleParameters(jax: Jax, config: PolicyConfig): JaxArray[] {
  return parameterSpecs(config).map(({ shape }) => jax.numpy.zeros(shape));
}
