import { describe, expect, it } from "vitest";
import { getBlob } from "@/db/blobs";
import { ASK, FOR, failure, rows, start } from "./testing/started";

describe("a call", () => {
  it("comes back with text, thinking, calls and tokens, and is one row of the ledger", async () => {
    const odd = '{"command": "ls';
    const { db, model, server } = await start({
      answer: () => ({
        text: "look",
        thinking: "hm",
        calls: [{ id: "c1", name: "bash", arguments: odd }],
        usage: { input: 100, cached: 40, output: 9, reasoning: 4 },
      }),
    });
    const tools = [{ name: "bash", description: "runs it", parameters: { type: "object", properties: {} } }];
    const reply = await model.chat({ ...ASK, tools, seed: 3, stop: ["END"], maxOutputTokens: 50, topP: 0.9 }, FOR);
    expect(reply).toMatchObject({
      text: "look",
      thinking: "hm",
      calls: [{ id: "c1", name: "bash", arguments: odd }],
      finish: "tool-calls",
      usage: { input: 100, cached: 40, output: 9, reasoning: 4 },
      fromCache: false,
    });
    expect(server.requests[0]?.body).toMatchObject({
      model: "test-model",
      temperature: 0.7,
      top_p: 0.9,
      max_tokens: 50,
      seed: 3,
      stop: ["END"],
      tools: [{ function: { name: "bash", description: "runs it" } }],
    });
    const [row, ...more] = rows(db);
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      id: reply.callId,
      model: "test",
      endpoint: "local",
      role: "localizer",
      prompt_version: "p1",
      subject: "trajectory 1 step 2",
      status: "done",
      tries: "[]",
      error: null,
      finish: "tool-calls",
      input_tokens: 100,
      cached_tokens: 40,
      output_tokens: 9,
      reasoning_tokens: 4,
      price_id: null,
      cost_nano: null,
    });
    expect(JSON.parse(getBlob(db, row?.request_hash ?? "").toString()).request.messages).toEqual(ASK.messages);
    expect(getBlob(db, row?.reply_hash ?? "").toString()).toContain('"finish_reason":"tool_calls"');
  });

  it("that is refused fails at once, with the server's words", async () => {
    const { db, model, waits } = await start({ script: [{ kind: "status", status: 400, message: "too long by 3" }] });
    expect(await failure(model.chat(ASK, FOR))).toEqual({
      status: 400,
      callId: 1,
      message: "local, test: status 400: too long by 3",
    });
    expect(waits).toEqual([]);
    expect(rows(db)).toMatchObject([{ status: "failed", error: "status 400: too long by 3", input_tokens: null }]);
  });
});
