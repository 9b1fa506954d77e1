import { describe, expect, it } from "vitest";
import { contextTokens } from "@/lib/model/policy/turns";
import { MARK } from "@/lib/model/policy/vocabulary";
import {
  ASK,
  ask,
  CHECKPOINT,
  CONFIG,
  chunks,
  contentOf,
  type Json,
  REPLY,
  Scripted,
  serve,
  tokens,
  VOCABULARY,
} from "./testing";

describe("answers", () => {
  it("a call of bash with the thought as content, and usage", async () => {
    const answer = await ask(await serve(new Scripted([REPLY])));
    expect(answer).toMatchObject({ object: "chat.completion", model: "test-policy" });
    const [choice] = answer.choices;
    expect(choice.finish_reason).toBe("tool_calls");
    expect(choice.message).toMatchObject({ role: "assistant", content: "look at it" });
    expect(choice.message.tool_calls).toHaveLength(1);
    expect(choice.message.tool_calls[0].function).toEqual({ name: "bash", arguments: '{"command":"cat file"}' });
    const prompt = contextTokens(VOCABULARY, "look at it", []).length;
    const completion = REPLY.length;
    expect(answer.usage).toEqual({
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    });
  });

  it("the command as text where there are no tools", async () => {
    const url = await serve(new Scripted([REPLY]));
    for (const rest of [{ tools: undefined }, { tool_choice: "none" }]) {
      const { message, finish_reason } = (await ask(url, rest)).choices[0];
      expect(message.content).toBe("look at it\n\n```bash\ncat file\n```");
      expect(message.tool_calls).toBeUndefined();
      expect(finish_reason).toBe("stop");
      expect(contentOf(await chunks(url, rest))).toBe(message.content);
    }
  });

  it("text alone for a reply without command, and for one that is malformed or cut", async () => {
    const cases: [number[], string, string, number?][] = [
      [[...tokens("done"), MARK.end], "done", "stop"],
      [
        [...tokens("look"), MARK.run, ...tokens("cat"), MARK.run, ...tokens(" file"), MARK.end],
        "look<run>cat<run> file",
        "stop",
      ],
      [REPLY, "look at it<run>cat", "length", 5],
    ];
    for (const [reply, content, finish, max] of cases) {
      const url = await serve(new Scripted([reply]));
      const { message, finish_reason } = (await ask(url, { max_tokens: max })).choices[0];
      expect(message).toMatchObject({ content });
      expect(message.tool_calls).toBeUndefined();
      expect(finish_reason).toBe(finish);
      const parts = await chunks(url, { max_tokens: max });
      expect(contentOf(parts)).toBe(content);
      expect(parts.at(-1).choices[0].finish_reason).toBe(finish);
    }
  });

  it("several choices with draws of their own, repeatable by seed", async () => {
    const sampler = new Scripted([REPLY, [...tokens("done"), MARK.end]]);
    const url = await serve(sampler);
    const answer = await ask(url, { n: 2, seed: 4 });
    expect(answer.choices.map((c: Json) => [c.index, c.finish_reason])).toEqual([
      [0, "tool_calls"],
      [1, "stop"],
    ]);
    await ask(url, { n: 2, seed: 4 });
    await ask(url, { n: 1, seed: 5 });
    const first = sampler.requests.map((request) => request.random());
    expect(first[0]).not.toBe(first[1]);
    expect(first.slice(2, 4)).toEqual(first.slice(0, 2));
    expect(first[4]).not.toBe(first[0]);
    expect(new Set(sampler.requests.map((request) => request.key)).size).toBe(5);
    expect(new Set(sampler.released)).toEqual(new Set(sampler.requests.map((request) => request.key)));
  });

  it("passes the sampling parameters on", async () => {
    const sampler = new Scripted([REPLY]);
    const url = await serve(sampler);
    await ask(url, { temperature: 0.5, top_p: 0.9, max_completion_tokens: 7, logprobs: true, top_logprobs: 2 });
    expect(sampler.requests[0]).toMatchObject({ temperature: 0.5, topP: 0.9, maxTokens: 7, top: 2 });
    await ask(url);
    expect(sampler.requests[1]).toMatchObject({ temperature: 1, topP: 1, top: 0 });
    const room = CONFIG.context - sampler.requests[1]!.prompt.length;
    expect(sampler.requests[1]!.maxTokens).toBe(room);
  });

  it("log-probabilities of every token, decoded, with alternatives", async () => {
    const reply = [...tokens("look é"), MARK.end];
    const url = await serve(new Scripted([reply]));
    const { logprobs } = (await ask(url, { logprobs: true, top_logprobs: 2 })).choices[0];
    const bytes = [...Buffer.from(" é")].map((byte) => [byte]);
    expect(logprobs.content.map((t: Json) => t.bytes)).toEqual([[...Buffer.from("look")], ...bytes, null]);
    expect(logprobs.content[0]).toMatchObject({ token: "look", logprob: -0.25 });
    expect(logprobs.content[0].top_logprobs.map((t: Json) => t.token)).toEqual(["look", "<end>"]);
    const parts = await chunks(url, { logprobs: true, top_logprobs: 2 });
    const streamed = parts.flatMap((part) => part.choices[0].logprobs?.content ?? []);
    expect(streamed).toEqual(logprobs.content);
    expect((await ask(url)).choices[0].logprobs).toBeNull();
  });

  it("ends before a stop text, streamed or not", async () => {
    const url = await serve(new Scripted([[...tokens("look at it END done"), MARK.run, ...tokens("cat"), MARK.end]]));
    for (const [stop, content] of [
      ["it", "look at "],
      ["t E", "look at i"],
      [["zzz", " END"], "look at it"],
    ]) {
      const { message, finish_reason } = (await ask(url, { stop })).choices[0];
      expect(message.content).toBe(content);
      expect(message.tool_calls).toBeUndefined();
      expect(finish_reason).toBe("stop");
      expect(contentOf(await chunks(url, { stop }))).toBe(content);
    }
  });
});

describe("streams", () => {
  it("the thought as it comes and the call at its end", async () => {
    const parts = await chunks(await serve(new Scripted([REPLY])), { stream_options: { include_usage: true } });
    expect(new Set(parts.map((part) => part.object))).toEqual(new Set(["chat.completion.chunk"]));
    expect(new Set(parts.map((part) => part.id)).size).toBe(1);
    expect(parts[0].choices[0].delta).toEqual({ role: "assistant", content: "" });
    const texts = parts.map((part) => part.choices[0]?.delta.content).filter((text) => text);
    expect(texts).toEqual(["look", " at", " it"]);
    const call = parts.flatMap((part) => part.choices[0]?.delta.tool_calls ?? []);
    expect(call).toHaveLength(1);
    expect(call[0]).toMatchObject({ index: 0, type: "function", function: { arguments: '{"command":"cat file"}' } });
    expect(parts.at(-2).choices[0].finish_reason).toBe("tool_calls");
    expect(parts.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: REPLY.length } });
  });

  it("never half a character", async () => {
    const url = await serve(new Scripted([[...tokens("look é it"), MARK.end]]));
    const texts = (await chunks(url)).map((part) => part.choices[0].delta.content).filter((text) => text);
    expect(texts.join("")).toBe("look é it");
    expect(texts.some((text) => text.includes("\ufffd"))).toBe(false);
  });

  it("stops drawing for a client that hangs up", async () => {
    const sampler = new Scripted([Array(1e6).fill(tokens("look")[0])]);
    const config = { ...CONFIG, context: 1e7 };
    const url = await serve(sampler, { ...CHECKPOINT, config });
    const control = new AbortController();
    const body = JSON.stringify({ ...ASK, stream: true, max_tokens: 3000 });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/chat/completions`, { method: "POST", headers, body, signal: control.signal });
    await answer.body!.getReader().read();
    expect(sampler.released).toEqual([]);
    control.abort();
    await expect.poll(() => sampler.released).toContain(sampler.requests[0]!.key);
  });
});
