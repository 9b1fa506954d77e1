/**
 * The policy: a decoder-only transformer with pre-RMSNorm, ReLU, learned positions and an untied head. Everything here is
 * traced, never run: functions take the jax module and move their arrays (each use but the last needs `.ref`).
 */
import type { Array as JaxArray } from "@jax-js/jax";
import type { Jax } from "@/lib/model/onnx/load";
import type { Block, Parameters } from "./parameters";
import type { PolicyConfig } from "./types";

const NORM_EPSILON = 1e-5;
/** Added to scores of positions that must not be seen: their weight becomes exactly 0. */
export const MASKED = -1e9;

/** Logits [B, T, vocab] of ids [B, T] (int32). Position t sees ids 0 … t. */
export function forward(jax: Jax, p: Parameters<JaxArray>, ids: JaxArray, config: PolicyConfig): JaxArray {
  const { numpy: np, nn } = jax;
  const [batch, time] = ids.shape as [number, number];
  const { dim, heads } = config;
  const width = dim / heads;
  let x = np.take(p.tok, ids, 0).add(p.pos.slice([0, time]));
  const causal = np
    .tril(np.ones([time, time]))
    .sub(1)
    .mul(-MASKED);
  for (const block of p.blocks) {
    const qkv = np
      .matmul(rmsNorm(jax, x.ref, block.norm1), block.qkv)
      .reshape([batch, time, 3, heads, width])
      .transpose([2, 0, 3, 1, 4]);
    const [q, k, v] = [qkv.ref.slice(0), qkv.ref.slice(1), qkv.slice(2)];
    const scores = np
      .matmul(q, k.transpose([0, 1, 3, 2]))
      .mul(1 / Math.sqrt(width))
      .add(causal.ref);
    const seen = np.matmul(nn.softmax(scores, -1), v).transpose([0, 2, 1, 3]).reshape([batch, time, dim]);
    x = feedForward(jax, x.add(np.matmul(seen, block.proj)), block);
  }
  causal.dispose();
  return np.matmul(rmsNorm(jax, x, p.norm), p.head);
}

/** Natural log-probability [B, T] of the token `targets[b, t]` (int32) after ids 0 … t of row b. */
export function tokenLogprobs(
  jax: Jax,
  p: Parameters<JaxArray>,
  ids: JaxArray,
  targets: JaxArray,
  config: PolicyConfig,
): JaxArray {
  const all = jax.nn.logSoftmax(forward(jax, p, ids, config), -1);
  return all.mul(jax.nn.oneHot(targets, config.vocab)).sum(-1);
}

/** Keys and values of one layer, [B, heads, C, width]. */
export type LayerCache<T> = { k: T; v: T };

/**
 * One token of each row: logits [B, vocab], and per layer the token's own key and value [B, heads, 1, width].
 * The cache is only read. Whoever owns it writes the new columns: a graph that returned the whole cache would copy it at
 * every token.
 * @param ids the token, [B] int32
 * @param positions its place, [B] int32
 * @param bias [B, C]: 0 where the cache holds a token before this one, MASKED elsewhere
 */
export function decodeStep(
  jax: Jax,
  p: Parameters<JaxArray>,
  cache: LayerCache<JaxArray>[],
  [ids, positions, bias]: [JaxArray, JaxArray, JaxArray],
  config: PolicyConfig,
): [JaxArray, LayerCache<JaxArray>[]] {
  const { numpy: np } = jax;
  const [batch, size] = bias.shape as [number, number];
  const { dim, heads } = config;
  const width = dim / heads;
  const hidden = bias.reshape([batch, 1, 1, size]);
  const columns: LayerCache<JaxArray>[] = [];
  let x = np.take(p.tok, ids, 0).add(np.take(p.pos, positions, 0));
  for (const [layer, block] of p.blocks.entries()) {
    const held = cache[layer] as LayerCache<JaxArray>;
    const qkv = np.matmul(rmsNorm(jax, x.ref, block.norm1), block.qkv).reshape([batch, 3, heads, 1, width]);
    const q = qkv.ref.slice([], 0).mul(1 / Math.sqrt(width));
    const [k, v] = [qkv.ref.slice([], 1), qkv.slice([], 2)];
    const before = np.matmul(q.ref, held.k.transpose([0, 1, 3, 2])).add(hidden.ref);
    const own = q.mul(k.ref).sum(-1, { keepdims: true });
    const highest = np.maximum(np.max(before.ref, -1, { keepdims: true }), own.ref);
    const [weights, ownWeight] = [np.exp(before.sub(highest.ref)), np.exp(own.sub(highest))];
    const total = weights.ref.sum(-1, { keepdims: true }).add(ownWeight.ref);
    const seen = np.matmul(weights, held.v).add(ownWeight.mul(v.ref)).div(total).reshape([batch, dim]);
    x = feedForward(jax, x.add(np.matmul(seen, block.proj)), block);
    columns.push({ k, v });
  }
  hidden.dispose();
  return [np.matmul(rmsNorm(jax, x, p.norm), p.head), columns];
}

function feedForward(jax: Jax, x: JaxArray, block: Block<JaxArray>): JaxArray {
  const up = jax.numpy.matmul(rmsNorm(jax, x.ref, block.norm2), block.up);
  return x.add(jax.numpy.matmul(jax.nn.relu(up), block.down));
}

function rmsNorm({ numpy: np }: Jax, x: JaxArray, gain: JaxArray): JaxArray {
  const power = np.mean(np.square(x.ref), -1, { keepdims: true });
  return x.mul(np.reciprocal(np.sqrt(power.add(NORM_EPSILON)))).mul(gain);
}
