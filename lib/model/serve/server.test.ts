import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { initWeights } from "@/lib/model/policy/parameters";
import { createSampler } from "@/lib/model/policy/sampler";
import { contextTokens } from "@/lib/model/policy/turns";
import { policyServer, SERVE_HOST } from "./server";
import { ASK, ask, CHECKPOINT, CONFIG, type Json, post, REPLY, Scripted, serve, VOCABULARY } from "./testing";

describe("reads a conversation", () => {
  const call = (id: string, command: string) => ({
    role: "assistant",
    content: "look",
    tool_calls: [{ id, type: "function", function: { name: "bash", arguments: JSON.stringify({ command }) } }],
  });
  it("as the tokens that the policy was trained on", async () => {
    const sampler = new Scripted([REPLY]);
    const url = await serve(sampler, { ...CHECKPOINT, config: { ...CONFIG, context: 500 } });
    await ask(url, {
      messages: [
        { role: "system", content: "You are an agent." },
        {
          role: "user",
          content: [
            { type: "text", text: "look at" },
            { type: "text", text: " it" },
          ],
        },
        call("1", "cat file"),
        { role: "tool", tool_call_id: "1", content: "done\n\n(exit_code=0)" },
        { role: "assistant", content: null, reasoning_content: "done" },
        { role: "user", content: "Your reply has no command." },
        call("2", "cat"),
        { role: "tool", tool_call_id: "2", content: "(no output)\n\n(exit_code=1)" },
      ],
    });
    const turns = [
      { thought: "look", command: "cat file", output: "done", ok: true },
      { thought: "done", command: null, output: "", ok: false },
      { thought: "look", command: "cat", output: "", ok: false },
    ];
    expect(sampler.requests[0]!.prompt).toEqual(contextTokens(VOCABULARY, "look at it", turns));
  });

  const user = ASK.messages[0]!;
  const cases: [string, Json[], RegExp][] = [
    ["without a task", [{ role: "system", content: "x" }], /no user message/],
    ["that ends with a reply", [user, call("1", "cat")], /last message is the assistant's/],
    ["with an unanswered call", [user, call("1", "cat"), user], /no answer of role tool/],
    [
      "with another call's answer",
      [user, call("1", "cat"), { role: "tool", tool_call_id: "2", content: "" }],
      /answers the call "2"/,
    ],
    [
      "with a call of another tool",
      [
        user,
        { role: "assistant", tool_calls: [{ id: "1", type: "function", function: { name: "edit", arguments: "{}" } }] },
        user,
      ],
      /call of "edit"/,
    ],
    [
      "with broken arguments",
      [
        user,
        {
          role: "assistant",
          tool_calls: [{ id: "1", type: "function", function: { name: "bash", arguments: "{cat" } }],
        },
        user,
      ],
      /"command"/,
    ],
    ["with a picture", [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }], /messages\.0/],
  ];
  it.each(cases)("or says what is wrong with one %s", async (_, messages, fault) => {
    const response = await post(await serve(new Scripted([REPLY])), { ...ASK, messages });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as Json;
    expect(error).toMatchObject({ type: "invalid_request_error" });
    expect(error.param).toMatch(/^messages/);
    expect(error.message).toMatch(fault);
  });
});

describe("refuses, in OpenAI's shape,", () => {
  const cases: [string, object | string, number, Json][] = [
    ["another model", { ...ASK, model: "gpt" }, 404, { param: "model", code: "model_not_found" }],
    ["a body that is no JSON", "{", 400, { param: null }],
    ["a missing field", { model: "test-policy" }, 400, { param: "messages" }],
    ["a temperature out of range", { ...ASK, temperature: 3 }, 400, { param: "temperature" }],
    ["a forced call", { ...ASK, tool_choice: "required" }, 400, { param: "tool_choice" }],
    ["other tools", { ...ASK, tools: [{ type: "function", function: { name: "edit" } }] }, 400, { param: "tools" }],
    ["penalties", { ...ASK, presence_penalty: 1 }, 400, { param: "presence_penalty" }],
    [
      "formats of the reply",
      { ...ASK, response_format: { type: "json_object" } },
      400,
      { param: "response_format.type" },
    ],
    ["alternatives without log-probabilities", { ...ASK, top_logprobs: 2 }, 400, { param: "top_logprobs" }],
    [
      "a context that is full",
      { ...ASK, messages: [{ role: "user", content: "look ".repeat(80) }] },
      400,
      { code: "context_length_exceeded" },
    ],
  ];
  it.each(cases)("%s", async (_, body, status, error) => {
    const response = await post(await serve(new Scripted([REPLY])), body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error", ...error } });
  });

  it("other paths, methods, content types and hosts", async () => {
    const url = await serve(new Scripted([REPLY]));
    expect((await fetch(`${url}/completions`)).status).toBe(404);
    expect((await fetch(`${url}/chat/completions`)).status).toBe(405);
    expect((await post(url, ASK, { "content-type": "text/plain" })).status).toBe(415);
    const { port } = new URL(url);
    const status = await new Promise((resolve) =>
      http.get({ host: SERVE_HOST, port, path: "/v1/models", headers: { host: "evil.example" } }, (res) => {
        res.resume();
        resolve(res.statusCode);
      }),
    );
    expect(status).toBe(403);
  });

  it("a failure of the sampler, told to the operator only", async () => {
    const errors: unknown[] = [];
    const sampler = new Scripted([REPLY]);
    sampler.sample = () => Promise.reject(new Error("secret detail"));
    const server = policyServer({ checkpoint: CHECKPOINT, sampler, onError: (error) => errors.push(error) });
    await new Promise<void>((resolve) => server.listen(0, SERVE_HOST, resolve));
    const response = await post(`http://${SERVE_HOST}:${(server.address() as AddressInfo).port}/v1`, ASK);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
    expect(String(errors[0])).toContain("secret detail");
    server.close();
  });
});

it("lists its model", async () => {
  const url = await serve(new Scripted([REPLY]));
  expect(await (await fetch(`${url}/models`)).json()).toMatchObject({ data: [{ id: "test-policy", object: "model" }] });
  expect(await (await fetch(`${url}/models/test-policy`)).json()).toMatchObject({ id: "test-policy" });
  expect((await fetch(`${url}/models/other`)).status).toBe(404);
});

it("samples from a real policy: the same seed gives the same answer", async () => {
  const weights = await initWeights(CONFIG, 1);
  const sampler = await createSampler(weights, CONFIG, { slots: 3, threads: 1, backend: "onnxruntime" });
  const url = await serve(sampler, { ...CHECKPOINT, weights });
  const rest = { seed: 9, n: 5, max_tokens: 8, logprobs: true, top_logprobs: 3 };
  const [one, two] = await Promise.all([ask(url, rest), ask(url, rest)]);
  expect(one.choices).toHaveLength(5);
  expect(one.usage.completion_tokens).toBeGreaterThan(5);
  const drawn = (answer: Json) => answer.choices.map((choice: Json) => choice.logprobs);
  expect(drawn(two)).toEqual(drawn(one));
  expect(one.choices[0].logprobs.content[0].top_logprobs).toHaveLength(3);
});
