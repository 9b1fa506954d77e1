/** A scripted sampler behind a policy server, for tests. */
import type { AddressInfo } from "node:net";
import { afterEach, expect } from "vitest";
import type { Checkpoint } from "@/lib/model/policy/checkpoint";
import type { Sampled, SampleRequest, Sampler } from "@/lib/model/policy/types";
import { MARK, Vocabulary } from "@/lib/model/policy/vocabulary";
import { policyServer, SERVE_HOST } from "./server";

export const VOCABULARY = new Vocabulary(["look", " at", " it", "cat", " file", "done", " END"]);
export const CONFIG = { vocab: VOCABULARY.size, dim: 16, layers: 1, heads: 2, hidden: 16, context: 64 };
export const CHECKPOINT = {
  name: "test-policy",
  config: CONFIG,
  weights: [],
  vocabulary: VOCABULARY,
} as unknown as Checkpoint;
export const tokens = (text: string) => VOCABULARY.encode(text);
export const REPLY = [...tokens("look at it"), MARK.run, ...tokens("cat file"), MARK.end];

/** Says one reply per request, and keeps what it was asked. */
export class Scripted implements Sampler {
  readonly config = CONFIG;
  readonly requests: SampleRequest[] = [];
  readonly released: string[] = [];
  constructor(private readonly replies: number[][]) {}

  async sample(request: SampleRequest): Promise<Sampled> {
    const reply = this.replies[this.requests.length % this.replies.length] ?? [];
    this.requests.push(request);
    const sampled: Sampled = { ids: [], logprobs: [], finish: "length" };
    for (const id of reply.slice(0, request.maxTokens)) {
      await new Promise((resolve) => setImmediate(resolve));
      sampled.ids.push(id);
      sampled.logprobs.push(-0.25);
      const top = [
        { id, logprob: -0.25 },
        { id: MARK.end, logprob: -3 },
      ].slice(0, request.top ?? 0);
      if (request.onToken?.({ id, logprob: -0.25, top }) || request.stop.has(id)) return { ...sampled, finish: "stop" };
    }
    return sampled;
  }
  release(key: string): void {
    this.released.push(key);
  }
  async close(): Promise<void> {
    return;
  }
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Serves until the test ends; the address of its API. */
export async function serve(sampler: Sampler, checkpoint = CHECKPOINT): Promise<string> {
  const server = policyServer({ checkpoint, sampler });
  await new Promise<void>((resolve) => server.listen(0, SERVE_HOST, resolve));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await sampler.close();
  });
  return `http://${SERVE_HOST}:${(server.address() as AddressInfo).port}/v1`;
}

const TOOLS = [{ type: "function", function: { name: "bash", parameters: { type: "object" } } }];
export const ASK = { model: "test-policy", messages: [{ role: "user", content: "look at it" }], tools: TOOLS };

export const post = (
  url: string,
  body: unknown,
  headers: Record<string, string> = { "content-type": "application/json" },
) =>
  fetch(`${url}/chat/completions`, {
    method: "POST",
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a client without our types would.
export type Json = any;
export const ask = async (url: string, rest: object = {}): Promise<Json> =>
  (await post(url, { ...ASK, ...rest })).json();

/** Parts of a streamed answer. */
export async function chunks(url: string, rest: object = {}): Promise<Json[]> {
  const text = await (await post(url, { ...ASK, stream: true, ...rest })).text();
  const parts = text.split("\n\n").filter((part) => part !== "");
  expect(parts.pop()).toBe("data: [DONE]");
  return parts.map((part) => JSON.parse(part.replace(/^data: /, "")));
}

export const contentOf = (parts: Json[]) => parts.map((part) => part.choices[0]?.delta.content ?? "").join("");
