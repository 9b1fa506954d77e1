import { afterEach, describe, expect, it } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { openModels } from "./open";
import { type EndpointKind, settingsSchema } from "./settings";
import { anthropicServer } from "./testing/anthropic";
import { googleServer } from "./testing/google";
import { noSleep } from "./testing/openai";
import type { Answer, ScriptedServer, ServerFault } from "./testing/server";
import { FOR, failure, rows } from "./testing/started";
import type { ChatMessage, ChatRequest, Thinking } from "./types";

const KEY = "a-key-for-the-wire-tests";
const TOOLS = [
  {
    name: "bash",
    description: "runs a command",
    parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
  },
];
const TALK: ChatMessage[] = [
  { role: "system", content: "you are careful" },
  { role: "user", content: "count the files" },
  { role: "assistant", content: "I look.", calls: [{ id: "c0", name: "bash", arguments: '{"command": "ls"}' }] },
  { role: "tool", callId: "c0", name: "bash", content: "a b\n\n(exit_code=0)" },
];
const ASK: ChatRequest = { messages: TALK, tools: TOOLS, temperature: 0.7, maxOutputTokens: 500, stop: ["END"] };

// Each protocol's own type of body; tests here look at the JSON.
const open: ScriptedServer<unknown>[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const START = { anthropic: anthropicServer, google: googleServer };
const BASE = { anthropic: "/v1", google: "/v1beta" };

async function start(
  kind: Exclude<EndpointKind, "openai">,
  id: string,
  options: { answer?: (n: number) => Answer; script?: (ServerFault | null)[] } = {},
) {
  const server = (await START[kind]({
    script: options.script,
    answer: ({ number }) => options.answer?.(number) ?? "ok",
  })) as unknown as ScriptedServer<Record<string, unknown>>;
  open.push(server);
  const settings = settingsSchema.parse({
    endpoints: [{ name: "hosted", kind, baseUrl: server.origin + BASE[kind], keyEnv: "HOSTED_KEY", tries: 3 }],
    models: [{ name: "m", endpoint: "hosted", id }],
  });
  const db: Db = openMemoryDb();
  const models = openModels(db, { settings, env: { HOSTED_KEY: KEY }, sleep: noSleep });
  return { server, db, model: models.model("m") };
}

const RIGHT: Answer = {
  text: "two",
  thinking: "a and b",
  calls: [{ id: "c1", name: "bash", arguments: '{"command":"ls -a"}' }],
  usage: { input: 120, cached: 20, output: 30, reasoning: 12 },
};

describe("Anthropic, on the wire", () => {
  it("gets version, key, system, tools and results in its form, and its reply is read", async () => {
    const { server, db, model } = await start("anthropic", "claude-sonnet-4-5", { answer: () => RIGHT });
    const reply = await model.chat(ASK, FOR);
    expect(server.refused).toEqual([]);
    const [request] = server.requests;
    expect(request?.headers).toMatchObject({ "x-api-key": KEY, "anthropic-version": "2023-06-01" });
    expect(request?.body).toEqual({
      model: "claude-sonnet-4-5",
      max_tokens: 500,
      temperature: 0.7,
      stop_sequences: ["END"],
      system: [{ type: "text", text: "you are careful" }],
      tools: [{ name: "bash", description: "runs a command", input_schema: TOOLS[0]?.parameters }],
      tool_choice: { type: "auto" },
      messages: [
        { role: "user", content: [{ type: "text", text: "count the files" }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "tool_use", id: "c0", name: "bash", input: { command: "ls" } },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c0", content: "a b\n\n(exit_code=0)" }] },
      ],
    });
    // Anthropic does not say how many tokens were thought.
    const usage = { input: 120, cached: 20, output: 30, reasoning: null };
    expect(reply).toMatchObject({ text: "two", thinking: "a and b", finish: "tool-calls", usage });
    expect(reply.calls).toEqual([{ id: "c1", name: "bash", arguments: '{"command":"ls -a"}' }]);
    expect(rows(db)).toMatchObject([{ status: "done", input_tokens: 120, cached_tokens: 20, reasoning_tokens: null }]);
  });

  const levels: [string, Thinking, Record<string, unknown>][] = [
    ["claude-sonnet-4-5", "default", { max_tokens: 500, temperature: 0.7 }],
    ["claude-sonnet-4-5", "off", { thinking: { type: "disabled" }, max_tokens: 500, temperature: 0.7 }],
    ["claude-sonnet-4-5", "low", { thinking: { type: "enabled", budget_tokens: 2048 }, max_tokens: 2548 }],
    ["claude-opus-4-20250514", "high", { thinking: { type: "enabled", budget_tokens: 24_576 }, max_tokens: 25_076 }],
    [
      "claude-opus-5",
      "medium",
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "medium" }, max_tokens: 500 },
    ],
  ];
  it.each(levels)("%s thinks %s", async (id, thinking, sent) => {
    const { server, db, model } = await start("anthropic", id);
    await model.chat({ ...ASK, messages: TALK.slice(0, 2), thinking }, FOR);
    expect(server.refused).toEqual([]);
    const { temperature, thinking: thought, output_config, max_tokens } = server.requests[0]?.body ?? {};
    const found = { temperature, thinking: thought, output_config, max_tokens };
    expect(JSON.parse(JSON.stringify(found))).toEqual(sent);
    // A temperature that may not be sent is not dropped in silence.
    expect(JSON.stringify(rows(db)[0]?.repairs).includes("request: temperature")).toBe(!("temperature" in sent));
  });

  it("gets its thinking back with its signature when the chat goes on after a call", async () => {
    const { server, model } = await start("anthropic", "claude-sonnet-4-5", { answer: () => RIGHT });
    const asked = { ...ASK, messages: TALK.slice(0, 2), thinking: "low" as const };
    const { text, thinking, calls } = await model.chat(asked, FOR);
    await model.chat(
      {
        ...asked,
        messages: [
          ...asked.messages,
          { role: "assistant", content: text, thinking: thinking ?? undefined, calls },
          { role: "tool", callId: "c1", name: "bash", content: ". .. a b" },
        ],
      },
      FOR,
    );
    expect(server.refused).toEqual([]);
    const messages = server.requests[1]?.body.messages as { content: unknown[] }[];
    expect(messages[1]?.content[0]).toEqual({ type: "thinking", thinking: "a and b", signature: "signed:a and b" });
  });

  it("is tried again when it is overloaded, and refusals come back in its words", async () => {
    const { db, model, server } = await start("anthropic", "claude-sonnet-4-5", {
      script: [
        { kind: "status", status: 529, message: "Overloaded" },
        { kind: "empty" },
        null,
        { kind: "status", status: 400, message: "max_tokens: too many" },
      ],
    });
    expect((await model.chat(ASK, FOR)).text).toBe("ok");
    expect(JSON.parse(rows(db)[0]?.tries ?? "")).toMatchObject([{ status: 529 }, { status: 200 }]);
    expect(await failure(model.chat(ASK, FOR))).toMatchObject({
      status: 400,
      message: "hosted, m: status 400: max_tokens: too many",
    });
    expect(server.requests).toHaveLength(4);
  });
});

describe("Google, on the wire", () => {
  it("gets key, system instruction, tools and results in its form, and its reply is read", async () => {
    const { server, db, model } = await start("google", "gemini-2.5-flash", { answer: () => RIGHT });
    const reply = await model.chat({ ...ASK, topP: 0.95, seed: 7 }, FOR);
    expect(server.refused).toEqual([]);
    const [request] = server.requests;
    expect(request?.path).toBe("/v1beta/models/gemini-2.5-flash:generateContent");
    expect(request?.headers).toMatchObject({ "x-goog-api-key": KEY });
    expect(request?.body).toMatchObject({
      systemInstruction: { parts: [{ text: "you are careful" }] },
      generationConfig: { temperature: 0.7, topP: 0.95, seed: 7, maxOutputTokens: 500, stopSequences: ["END"] },
      tools: [{ functionDeclarations: [{ name: "bash", description: "runs a command" }] }],
      contents: [
        { role: "user", parts: [{ text: "count the files" }] },
        { role: "model", parts: [{ text: "I look." }, { functionCall: { name: "bash", args: { command: "ls" } } }] },
        {
          role: "user",
          parts: [{ functionResponse: { name: "bash", response: { content: "a b\n\n(exit_code=0)" } } }],
        },
      ],
    });
    expect(reply).toMatchObject({ text: "two", thinking: "a and b", finish: "tool-calls", usage: RIGHT.usage });
    expect(reply.calls).toMatchObject([{ name: "bash", arguments: '{"command":"ls -a"}' }]);
    expect(rows(db)).toMatchObject([{ input_tokens: 120, cached_tokens: 20, output_tokens: 30, reasoning_tokens: 12 }]);
  });

  const levels: [string, Thinking, object | undefined][] = [
    ["gemini-2.5-flash", "default", undefined],
    ["gemini-2.5-flash", "off", { thinkingBudget: 0 }],
    ["gemini-2.5-flash", "medium", { includeThoughts: true, thinkingBudget: 8192 }],
    ["gemini-3.8-flash", "off", { thinkingLevel: "minimal" }],
    ["gemini-3.8-flash", "medium", { includeThoughts: true, thinkingLevel: "medium" }],
  ];
  it.each(levels)("%s thinks %s", async (id, thinking, sent) => {
    const { server, model } = await start("google", id);
    await model.chat({ ...ASK, messages: TALK.slice(0, 2), thinking }, FOR);
    expect(server.refused).toEqual([]);
    expect((server.requests[0]?.body.generationConfig as Record<string, unknown>)?.thinkingConfig).toEqual(sent);
  });

  it("gets the signature of a call back when the chat goes on", async () => {
    const { server, model } = await start("google", "gemini-3.8-flash", { answer: () => RIGHT });
    const messages = TALK.slice(0, 2);
    const { text, thinking, calls } = await model.chat({ ...ASK, messages }, FOR);
    const id = calls[0]?.id ?? "";
    await model.chat(
      {
        ...ASK,
        messages: [
          ...messages,
          { role: "assistant", content: text, thinking: thinking ?? undefined, calls },
          { role: "tool", callId: id, name: "bash", content: ". .. a b" },
        ],
      },
      FOR,
    );
    expect(server.refused).toEqual([]);
    expect(JSON.stringify(server.requests[1]?.body.contents)).toContain('"thoughtSignature":"signed:c1"');
  });

  it("is tried again when it is full, and refusals come back in its words", async () => {
    const { db, model } = await start("google", "gemini-2.5-flash", {
      script: [
        { kind: "status", status: 503 },
        { kind: "empty" },
        { kind: "no-usage" },
        { kind: "status", status: 403, message: "no right" },
      ],
    });
    const reply = await model.chat(ASK, FOR);
    expect(reply.usage).toEqual({ input: null, cached: null, output: null, reasoning: null });
    expect(JSON.parse(rows(db)[0]?.tries ?? "")).toMatchObject([{ status: 503 }, { status: 200 }]);
    expect((await failure(model.chat(ASK, FOR))).message).toBe("hosted, m: status 403: no right");
  });
});
