/** Shape of a decoder-only transformer: pre-RMSNorm, ReLU, learned positions, untied head. */
export interface PolicyConfig {
  /** Entries of the vocabulary. */
  vocab: number;
  /** Width of the residual stream. */
  dim: number;
  layers: number;
  heads: number;
  /** Width of the feed-forward part. */
  hidden: number;
  /** Most tokens of a rollout. */
  context: number;
}

/** A named float32 tensor. */
export interface Weight {
  name: string;
  shape: number[];
  data: Float32Array;
}

/** A token and its natural log-probability at temperature 1. */
export interface TokenLogprob {
  id: number;
  logprob: number;
}

/** A token as it was drawn. */
export interface SampledToken extends TokenLogprob {
  /** The likeliest tokens of its place, likeliest first; as many as were asked for. */
  top: TokenLogprob[];
}

/** What is sampled, from which context. */
export interface SampleRequest {
  /** Whoever asks again with the same key keeps its place in the cache: only what differs from before is fed. */
  key: string;
  /** The whole context. At least one token. */
  prompt: readonly number[];
  /** Sampling ends after one of these. */
  stop: ReadonlySet<number>;
  maxTokens: number;
  /** 0 takes the likeliest token. */
  temperature: number;
  /** Nucleus; 1 keeps all. */
  topP: number;
  /** Uniform in [0, 1): one call a token, so that a rollout does not depend on its neighbours. */
  random: () => number;
  /** Likeliest tokens that `onToken` is given; 0 when absent. */
  top?: number;
  /** Told every new token at once, the stop token included; true ends the sampling there, as a stop token does. */
  onToken?: (token: SampledToken) => boolean;
}

export interface Sampled {
  /** The new tokens, the stop token included. */
  ids: number[];
  /** Natural log-probability of each new token under the policy at temperature 1, as the sampler saw it. */
  logprobs: number[];
  /** `length`: maxTokens reached; `context`: the context is full. */
  finish: "stop" | "length" | "context";
}

/** Samples many contexts at once. A request's tokens are the same whatever else is in the batch. */
export interface Sampler {
  readonly config: PolicyConfig;
  sample(request: SampleRequest): Promise<Sampled>;
  /** Gives the place of `key` in the cache to others. */
  release(key: string): void;
  /** Frees the program; open requests are rejected. */
  close(): Promise<void>;
}
