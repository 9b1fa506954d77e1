import { expect, it } from "vitest";
import { openMemoryDb } from "@/db/client";
import { CHECKPOINT, REPLY, Scripted, serve } from "@/lib/model/serve/testing";
import { openModels } from "./open";
import { settingsSchema } from "./settings";
import { failure, rows } from "./testing/started";
import type { ChatMessage, ChatRequest } from "./types";

const TOOLS = [{ name: "bash", description: "runs a command", parameters: { type: "object", properties: {} } }];
const ASK: ChatRequest = {
  messages: [{ role: "user", content: "look at it" }],
  tools: TOOLS,
  temperature: 1,
  maxOutputTokens: 20,
  seed: 4,
};

it("our own policy server is an endpoint like any other: calls, tokens, turns and refusals", async () => {
  const url = await serve(new Scripted([REPLY]), { ...CHECKPOINT, config: { ...CHECKPOINT.config, context: 60 } });
  const settings = settingsSchema.parse({
    endpoints: [{ name: "own", kind: "openai", baseUrl: url }],
    models: [{ name: "tiny", endpoint: "own", id: "test-policy" }],
    roles: { policy: { model: "tiny" } },
  });
  const db = openMemoryDb();
  const policy = openModels(db, { settings, env: {}, keysFile: "/nonexistent" }).forRole("policy");
  if (!policy) throw new Error("no policy");
  const purpose = { role: "policy" as const, promptVersion: null, subject: "rollout 1" };
  const reply = await policy.model.chat({ ...ASK, temperature: policy.temperature }, purpose);
  expect(reply).toMatchObject({ finish: "tool-calls", calls: [{ name: "bash" }], fromCache: false });
  expect(JSON.parse(reply.calls[0]?.arguments ?? "")).toEqual({ command: "cat file" });
  expect(reply.usage).toMatchObject({ input: expect.any(Number), output: REPLY.length });

  const turn: ChatMessage[] = [
    { role: "assistant", content: reply.text, thinking: reply.thinking ?? undefined, calls: reply.calls },
    { role: "tool", callId: reply.calls[0]?.id ?? "", name: "bash", content: "done\n\n(exit_code=0)" },
  ];
  const second = await policy.model.chat({ ...ASK, messages: [...ASK.messages, ...turn] }, purpose);
  expect(second.usage.input).toBeGreaterThan(reply.usage.input ?? 0);

  const long = { ...ASK, messages: [{ role: "user" as const, content: "look ".repeat(80) }] };
  expect(await failure(policy.model.chat(long, purpose))).toMatchObject({
    status: 400,
    message: expect.stringMatching(/own, tiny: status 400: the messages are \d+ tokens; the context .* is 60/),
  });
  expect(rows(db).map((row) => row.status)).toEqual(["done", "done", "failed"]);
});
