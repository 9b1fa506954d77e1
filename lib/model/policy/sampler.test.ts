import { beforeAll, describe, expect, it } from "vitest";
import { type Backend, compile, type Tensor } from "@/lib/model/onnx/compile";
import { loadJax } from "@/lib/model/onnx/load";
import { exampleParameters, initWeights, nested } from "./parameters";
import { createSampler, type PolicySampler, SamplerError } from "./sampler";
import { tokenLogprobs } from "./transformer";
import type { PolicyConfig, Sampled, SampleRequest, Weight } from "./types";

/** The widths of the shipped policy, so that the same kernels run. */
const CONFIG: PolicyConfig = { vocab: 512, dim: 128, layers: 2, heads: 4, hidden: 512, context: 90 };
const SMALL: PolicyConfig = { vocab: 17, dim: 16, layers: 2, heads: 2, hidden: 32, context: 30 };
const NEVER: ReadonlySet<number> = new Set();

let weights: Weight[];
let small: Weight[];
beforeAll(async () => {
  // Larger than at the start of training: distributions far from uniform.
  weights = (await initWeights(CONFIG, 1)).map((w) => ({ ...w, data: w.data.map((x) => 2 * x) }));
  small = (await initWeights(SMALL, 2)).map((w) => ({ ...w, data: w.data.map((x) => 2 * x) }));
});

/** Uniform numbers of a formula. */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const tokens = (n: number, seed: number, vocab = CONFIG.vocab) =>
  Array.from({ length: n }, (_, k) => (k * k * 31 + k * seed * 17 + seed) % vocab);

function request(key: string, prompt: number[], rest: Partial<SampleRequest> = {}): SampleRequest {
  return { key, prompt, stop: NEVER, maxTokens: 12, temperature: 1, topP: 1, random: uniform(7), ...rest };
}

async function withSampler<T>(
  options: { slots: number; backend?: Backend; config?: PolicyConfig },
  use: (sampler: PolicySampler) => Promise<T>,
): Promise<T> {
  const { slots, backend = "onnxruntime", config = CONFIG } = options;
  const sampler = await createSampler(config === CONFIG ? weights : small, config, { slots, threads: 2, backend });
  try {
    return await use(sampler);
  } finally {
    await sampler.close();
  }
}

describe.each<{ backend: Backend; config: PolicyConfig }>([
  { backend: "onnxruntime", config: CONFIG },
  { backend: "wasm", config: SMALL },
])("a request's tokens and log-probabilities are the same bits ($backend)", ({ backend, config }) => {
  const prompt = tokens(9, 3, config.vocab);
  const options = { slots: 5, backend, config };
  const alone = () => withSampler(options, (sampler) => sampler.sample(request("a", prompt)));

  it("whatever else is in the batch, and in every slot", async () => {
    const expected = await alone();
    expect(expected.ids).toHaveLength(12);
    for (const before of [1, 2, 4]) {
      const got = await withSampler(options, async (sampler) => {
        const others = Array.from({ length: before }, (_, k) =>
          sampler.sample(request(`other ${k}`, tokens(2 + 5 * k, k + 11, config.vocab), { random: uniform(k + 40) })),
        );
        const result = await sampler.sample(request("a", prompt));
        await Promise.all(others);
        return result;
      });
      expect(got).toEqual(expected);
    }
  });

  it("whether the context is held, was held by another, or is fed anew", async () => {
    const next = (first: Sampled) => [...prompt, ...first.ids, ...tokens(3, 5, config.vocab)];
    const [first, held] = await withSampler(options, async (sampler) => {
      const one = await sampler.sample(request("a", prompt, { maxTokens: 6 }));
      return [one, await sampler.sample(request("a", next(one)))];
    });
    const anew = await withSampler(options, (sampler) => sampler.sample(request("b", next(first))));
    expect(anew).toEqual(held);
    const copied = await withSampler(options, async (sampler) => {
      await sampler.sample(request("a", prompt, { maxTokens: 6 }));
      return sampler.sample(request("b", next(first)));
    });
    expect(copied).toEqual(held);
    const afterOthers = await withSampler(options, async (sampler) => {
      await sampler.sample(request("a", tokens(15, 8, config.vocab)));
      await sampler.sample(request("a", [...prompt.slice(0, 4), ...tokens(9, 9, config.vocab)]));
      return sampler.sample(request("a", next(first)));
    });
    expect(afterOthers).toEqual(held);
  });
});

it.each([
  { backend: "onnxruntime" as const, config: CONFIG, within: 1e-5 },
  // jax-js's own logarithm is an approximation.
  { backend: "wasm" as const, config: SMALL, within: 3e-5 },
])("log-probabilities are the training graph's within $within ($backend)", async ({ backend, config, within }) => {
  const prompt = tokens(5, 2, config.vocab);
  const sampled = await withSampler({ slots: 3, backend, config }, async (sampler) => {
    void sampler.sample(request("other", tokens(11, 4, config.vocab)));
    return sampler.sample(request("a", prompt, { maxTokens: 20 }));
  });
  const jax = await loadJax();
  const ids = [...prompt, ...sampled.ids];
  const T = ids.length - 1;
  const zeros = () => jax.numpy.zeros([1, T], { dtype: jax.numpy.int32 });
  const program = await compile(
    (flat: never[], x: never, y: never) => tokenLogprobs(jax, nested(config, flat), x, y, config),
    [exampleParameters(jax, config), zeros(), zeros()],
    { backend, threads: 1 },
  );
  const row = (from: number): Tensor => ({
    dtype: "int32",
    shape: [1, T],
    data: Int32Array.from(ids.slice(from, from + T)),
  });
  const parameters = (config === CONFIG ? weights : small).map((w): Tensor => ({ dtype: "float32", ...w }));
  const [logprobs] = await program.run([...parameters, row(0), row(1)]);
  await program.close();
  for (const [k, logprob] of sampled.logprobs.entries())
    expect(Math.abs(logprob - logprobs!.data[prompt.length - 1 + k]!)).toBeLessThan(within);
});

describe("slots", () => {
  const config = SMALL;
  it("are given to waiting keys when they are released, in order of arrival", async () => {
    await withSampler({ slots: 2, config }, async (sampler) => {
      const ended: string[] = [];
      const sample = async (key: string) => {
        const result = await sampler.sample(request(key, tokens(4, key.length, 17), { random: uniform(3) }));
        ended.push(key);
        return result;
      };
      const results = [sample("a"), sample("bb"), sample("ccc"), sample("dddd")];
      await Promise.all(results.slice(0, 2));
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(ended.sort()).toEqual(["a", "bb"]);
      sampler.release("bb");
      await results[2];
      sampler.release("a");
      await results[3];
      expect(ended).toEqual(["a", "bb", "ccc", "dddd"]);
    });
  });

  it("keep their key's place: it samples on while others wait", async () => {
    await withSampler({ slots: 1, config }, async (sampler) => {
      const first = await sampler.sample(request("a", [1, 2, 3]));
      const waiting = sampler.sample(request("b", [4]));
      const second = await sampler.sample(request("a", [1, 2, 3, ...first.ids], { maxTokens: 2 }));
      expect(second.ids).toHaveLength(2);
      sampler.release("a");
      expect((await waiting).ids).toHaveLength(12);
    });
  });

  it("are freed by a release while sampling, which rejects the request", async () => {
    await withSampler({ slots: 1, config }, async (sampler) => {
      const open = sampler.sample(request("a", [1]));
      const waiting = sampler.sample(request("b", [2]));
      const dropped = sampler.sample(request("c", [3]));
      sampler.release("c");
      sampler.release("a");
      await expect(open).rejects.toThrow(/"a" was released/);
      await expect(dropped).rejects.toThrow(/"c" was released/);
      expect((await waiting).ids).toHaveLength(12);
    });
  });

  it("leave the event loop free between steps", async () => {
    await withSampler({ slots: 2, config }, async (sampler) => {
      let turns = 0;
      const timer = setInterval(() => turns++, 0);
      await sampler.sample(request("a", [1], { maxTokens: 25 }));
      clearInterval(timer);
      expect(turns).toBeGreaterThan(3);
    });
  });
});

describe("ends", () => {
  const config = SMALL;
  it("at a stop token, at the most tokens asked for, and where the context is full", async () => {
    await withSampler({ slots: 2, config }, async (sampler) => {
      const free = await sampler.sample(request("a", [1, 2], { maxTokens: 10 }));
      expect(free.finish).toBe("length");
      const stop = free.ids[4]!;
      const stopped = await sampler.sample(request("a", [1, 2], { stop: new Set([stop]) }));
      expect(stopped).toEqual({
        ids: free.ids.slice(0, free.ids.indexOf(stop) + 1),
        logprobs: free.logprobs.slice(0, free.ids.indexOf(stop) + 1),
        finish: "stop",
      });
      const full = await sampler.sample(request("a", tokens(26, 1, 17), { maxTokens: 50 }));
      expect(full.ids).toHaveLength(4);
      expect(full.finish).toBe("context");
      const none = await sampler.sample(request("a", tokens(30, 1, 17)));
      expect(none).toEqual({ ids: [], logprobs: [], finish: "context" });
    });
  });

  it("with an error for what cannot be sampled", async () => {
    await withSampler({ slots: 1, config }, async (sampler) => {
      for (const wrong of [{ prompt: [] }, { prompt: [17] }, { topP: 0 }, { temperature: -1 }, { maxTokens: 1.5 }])
        await expect(sampler.sample(request("a", [1], wrong))).rejects.toBeInstanceOf(SamplerError);
      const open = sampler.sample(request("a", [1]));
      await expect(sampler.sample(request("a", [1]))).rejects.toThrow(/already being sampled/);
      await open;
    });
  });

  it("with a rejection of what is open when it is closed", async () => {
    await withSampler({ slots: 1, config }, async (sampler) => {
      const [open, waiting] = [sampler.sample(request("a", [1])), sampler.sample(request("b", [1]))];
      const results = Promise.allSettled([open, waiting]);
      await sampler.close();
      expect((await results).map((r) => r.status)).toEqual(["rejected", "rejected"]);
      await expect(sampler.sample(request("c", [1]))).rejects.toThrow(/closed/);
    });
  });
});

it("samples from other weights after an exchange, and forgets what it held", async () => {
  await withSampler({ slots: 2, config: SMALL }, async (sampler) => {
    const before = await sampler.sample(request("a", [1, 2, 3]));
    sampler.setWeights(small.map((w) => ({ ...w, data: w.data.map((x) => 0.5 * x) })));
    const other = await sampler.sample(request("a", [1, 2, 3]));
    expect(other.logprobs).not.toEqual(before.logprobs);
    sampler.setWeights(small);
    expect(await sampler.sample(request("a", [1, 2, 3]))).toEqual(before);
    const open = sampler.sample(request("a", [1]));
    expect(() => sampler.setWeights(small)).toThrow(SamplerError);
    await open;
  });
});
