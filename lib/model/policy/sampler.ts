import type { Array as JaxArray } from "@jax-js/jax";
import { type Backend, compile, type Program, type Tensor } from "@/lib/model/onnx/compile";
import { loadJax } from "@/lib/model/onnx/load";
import { KvCache } from "./cache";
import { exampleParameters, nested, orderedWeights } from "./parameters";
import { likeliestTokens, pick } from "./pick";
import { decodeStep, type LayerCache } from "./transformer";
import type { PolicyConfig, Sampled, SampleRequest, Sampler, Weight } from "./types";

export interface SamplerOptions {
  /** Contexts that are sampled at once; more keys wait until one is released. */
  slots: number;
  /** The last bits of results depend on slots and threads: repeat a run with the same ones. */
  threads: number;
  backend: Backend;
}

/** A request that cannot be sampled, or a sampler that was closed before it was done. */
export class SamplerError extends Error {
  override name = "SamplerError";
}

/** A request that has its slot. */
interface Running {
  request: SampleRequest;
  /** Prompt and new tokens. */
  ids: number[];
  result: Sampled;
  done(sampled: Sampled): void;
  fail(error: unknown): void;
}

type Waiting = Omit<Running, "ids" | "result">;

/** A sampler whose weights can be exchanged. */
export interface PolicySampler extends Sampler {
  /** Other weights of the same config; the caches are forgotten. Throws SamplerError while requests are open. */
  setWeights(weights: readonly Weight[]): void;
}

/** Compiles the decode step and allocates the caches: 2 · layers · slots · context · dim floats. */
export async function createSampler(
  weights: readonly Weight[],
  config: PolicyConfig,
  { slots, threads, backend }: SamplerOptions,
): Promise<PolicySampler> {
  const jax = await loadJax();
  const { numpy: np } = jax;
  const parameters = toTensors(config, weights);
  const cache = new KvCache(config, slots);
  const layers = Array.from({ length: config.layers }, (_, layer) => ({
    k: np.zeros(cache.tensors[2 * layer]?.shape ?? []),
    v: np.zeros(cache.tensors[2 * layer + 1]?.shape ?? []),
  }));
  const row = () => np.zeros([slots], { dtype: np.int32 });
  const step = (flat: JaxArray[], held: LayerCache<JaxArray>[], feed: [JaxArray, JaxArray, JaxArray]) =>
    decodeStep(jax, nested(config, flat), held, feed, config);
  const example = [exampleParameters(jax, config), layers, [row(), row(), np.zeros(cache.bias.shape)]];
  const program = await compile(step, example, { backend, threads });
  return new BatchSampler(config, program, cache, parameters);
}

const toTensors = (config: PolicyConfig, weights: readonly Weight[]): Tensor[] =>
  orderedWeights(config, weights).map(({ shape, data }) => ({ dtype: "float32", shape, data }));

/**
 * Continuous batching: every step feeds one token of each running request, prompt tokens as well as sampled ones. The
 * batch has always the same shape and rows do not meet in any operation, so that a request's logits are the same bits
 * whatever its slot and its neighbours, and whether its context was held or is fed anew. (A prefill of several tokens at
 * once would sum in another order and break that.) A step runs on the calling thread; the loop yields between steps.
 */
class BatchSampler implements PolicySampler {
  private readonly owners: (string | null)[];
  private readonly running = new Map<number, Running>();
  private waiting: Waiting[] = [];
  private looping = false;
  private closed = false;
  private readonly ids: Int32Array;
  private readonly positions: Int32Array;

  constructor(
    readonly config: PolicyConfig,
    private readonly program: Program,
    private readonly cache: KvCache,
    private parameters: Tensor[],
  ) {
    this.owners = Array(cache.slots).fill(null);
    this.ids = new Int32Array(cache.slots);
    this.positions = new Int32Array(cache.slots);
  }

  sample(request: SampleRequest): Promise<Sampled> {
    return new Promise((done, fail) => {
      this.check(request);
      if (request.prompt.length >= this.config.context || request.maxTokens === 0) {
        const finish = request.maxTokens === 0 ? "length" : "context";
        done({ ids: [], logprobs: [], finish });
        return;
      }
      this.waiting.push({ request, done, fail });
      this.place();
      if (!this.looping) void this.loop();
    });
  }

  release(key: string): void {
    const released = new SamplerError(`"${key}" was released before it was sampled`);
    const slot = this.owners.indexOf(key);
    if (slot >= 0) {
      this.running.get(slot)?.fail(released);
      this.running.delete(slot);
      this.owners[slot] = null;
    }
    for (const { request, fail } of this.waiting) if (request.key === key) fail(released);
    this.waiting = this.waiting.filter(({ request }) => request.key !== key);
    this.place();
    if (!this.looping) void this.loop();
  }

  setWeights(weights: readonly Weight[]): void {
    if (this.running.size > 0 || this.waiting.length > 0)
      throw new SamplerError("weights are exchanged while requests are open");
    this.parameters = toTensors(this.config, weights);
    for (let slot = 0; slot < this.cache.slots; slot++) this.cache.truncate(slot, 0);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.rejectAll(new SamplerError("the sampler was closed"));
    while (this.looping) await nextTurn();
    await this.program.close();
  }

  private check({ key, prompt, maxTokens, temperature, topP }: SampleRequest): void {
    const fault = (text: string) => new SamplerError(`the request "${key}" ${text}`);
    if (this.closed) throw new SamplerError("the sampler was closed");
    if (prompt.length === 0) throw fault("has an empty prompt");
    const foreign = prompt.find((id) => !Number.isInteger(id) || id < 0 || id >= this.config.vocab);
    if (foreign !== undefined) throw fault(`has the token ${foreign}; the vocabulary has ${this.config.vocab}`);
    if (!Number.isInteger(maxTokens) || maxTokens < 0) throw fault(`asks for ${maxTokens} tokens`);
    if (!(temperature >= 0 && temperature < Number.POSITIVE_INFINITY))
      throw fault(`has a temperature of ${temperature}`);
    if (!(topP > 0 && topP <= 1)) throw fault(`has a top-p of ${topP}`);
    const open = [...this.running.values(), ...this.waiting].some((other) => other.request.key === key);
    if (open) throw fault("is already being sampled");
  }

  /** Gives slots to waiting requests in order of arrival; a key that has a slot never waits. */
  private place(): void {
    this.waiting = this.waiting.filter((waiting) => {
      const slot = this.slotFor(waiting.request);
      if (slot === null) return true;
      const { prompt } = waiting.request;
      this.hold(slot, prompt);
      const result: Sampled = { ids: [], logprobs: [], finish: "length" };
      this.running.set(slot, { ...waiting, ids: [...prompt], result });
      return false;
    });
  }

  /** The key's own slot, or the free one that shares most with the prompt. */
  private slotFor({ key, prompt }: SampleRequest): number | null {
    const own = this.owners.indexOf(key);
    if (own >= 0) return own;
    let best: number | null = null;
    let most = -1;
    for (const [slot, owner] of this.owners.entries()) {
      const shared = owner === null ? this.cache.shared(slot, prompt) : -1;
      if (shared <= most) continue;
      [best, most] = [slot, shared];
    }
    if (best !== null) this.owners[best] = key;
    return best;
  }

  /** Leaves in the slot what the prompt begins with, taken from another slot where that holds more of it. */
  private hold(slot: number, prompt: readonly number[]): void {
    // The last token of the prompt is always fed: its logits are wanted.
    const useful = (other: number) => Math.min(this.cache.shared(other, prompt), prompt.length - 1);
    let [from, most] = [slot, useful(slot)];
    for (let other = 0; other < this.cache.slots; other++) {
      const shared = useful(other);
      if (shared > most) [from, most] = [other, shared];
    }
    if (from === slot) this.cache.truncate(slot, most);
    else this.cache.copy(from, slot, most);
  }

  private async loop(): Promise<void> {
    this.looping = true;
    try {
      while (this.running.size > 0) {
        await this.step();
        await nextTurn();
      }
    } catch (error) {
      this.rejectAll(error);
    } finally {
      this.looping = false;
    }
  }

  private async step(): Promise<void> {
    const fed = [...this.running];
    this.ids.fill(0);
    this.positions.fill(0);
    for (const [slot, { ids }] of fed) {
      const position = this.cache.length(slot);
      this.ids[slot] = ids[position] as number;
      this.positions[slot] = position;
    }
    const shape = [this.cache.slots];
    const [logits, ...columns] = await this.program.run([
      ...this.parameters,
      ...this.cache.tensors,
      { dtype: "int32", shape, data: this.ids },
      { dtype: "int32", shape, data: this.positions },
      this.cache.bias,
    ]);
    for (const [slot, running] of fed) {
      if (this.running.get(slot) !== running) continue;
      this.cache.append(slot, this.ids[slot] as number, columns);
      if (this.cache.length(slot) < running.ids.length) continue;
      const { vocab } = this.config;
      this.take(slot, running, (logits as Tensor).data.subarray(slot * vocab, (slot + 1) * vocab) as Float32Array);
    }
    this.place();
  }

  /** Draws a token; ends the request when it was the last. */
  private take(slot: number, running: Running, logits: Float32Array): void {
    const { request, ids, result } = running;
    const { id, logprob } = pick(logits, request, request.random());
    ids.push(id);
    result.ids.push(id);
    result.logprobs.push(logprob);
    const top = request.top ? likeliestTokens(logits, request.top) : [];
    const ended = request.onToken?.({ id, logprob, top }) ?? false;
    if (ended || request.stop.has(id)) result.finish = "stop";
    else if (result.ids.length >= request.maxTokens) result.finish = "length";
    else if (ids.length >= this.config.context) result.finish = "context";
    else return;
    this.running.delete(slot);
    running.done(result);
  }

  private rejectAll(error: unknown): void {
    for (const { fail } of [...this.running.values(), ...this.waiting]) fail(error);
    this.running.clear();
    this.waiting = [];
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
