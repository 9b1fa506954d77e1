import { expect, test } from "vitest";
import { z } from "zod";
import { openMemoryDb } from "@/db/client";
import { BudgetReached, CallFailure, type ChatModel, type ChatReply, type ChatRequest } from "@/lib/model/chat/types";
import { askRole } from "./ask";
import { readJson } from "./json";
import { recorderOf } from "./record";
import type { ModelRole } from "./types";

const role: ModelRole<string, { verdict: "good" | "bad" }> = {
  role: "localizer",
  version: "t1",
  messages: (input) => [{ role: "user", content: input }],
  parse: (reply) => readJson(reply, z.object({ verdict: z.enum(["good", "bad"]) })),
};
const usage = { input: null, cached: null, output: null, reasoning: null };

/** A model that gives what it is told to, in order, and keeps what it was asked. */
function scripted(...replies: (string | Error | Partial<ChatReply>)[]) {
  const asked: ChatRequest[] = [];
  const model: ChatModel = {
    name: "m",
    async chat(request) {
      const next = replies[asked.push(request) - 1];
      if (next === undefined) throw new Error("asked too often");
      if (next instanceof Error) throw next;
      const over = typeof next === "string" ? { text: next } : next;
      return {
        text: "",
        thinking: null,
        calls: [],
        finish: "stop",
        usage,
        callId: asked.length,
        fromCache: false,
        ...over,
      };
    },
  };
  return { model, asked };
}
const ask = (model: ChatModel, record?: ReturnType<typeof recorderOf>) =>
  askRole(model, role, "is it?", { temperature: 0.7, subject: "s", record });
const GOOD = '{"verdict":"good"}';

test("an unreadable reply is asked once more, with what was wrong, and its call is the answer's", async () => {
  const { model, asked } = scripted("well, good", GOOD);
  await expect(ask(model)).resolves.toMatchObject({ output: { verdict: "good" }, callId: 2, repairs: [] });
  expect(asked[0]?.messages).toHaveLength(1);
  expect(asked[1]?.messages.slice(1)).toMatchObject([
    { role: "assistant", content: "well, good" },
    { role: "user", content: expect.stringContaining("no JSON") },
  ]);
  expect(asked[1]?.temperature).toBe(0.7);
});

test("twice unreadable is unparsed with the reply; a reply that was cut says nothing", async () => {
  const { model, asked } = scripted("good", { text: `${GOOD} no, wait`, finish: "length" });
  await expect(ask(model)).rejects.toMatchObject({
    kind: "unparsed",
    callId: 2,
    reply: expect.stringContaining("wait"),
    message: expect.stringContaining("cut"),
  });
  expect(asked).toHaveLength(2);
});

test("a failed call is failed, also when it is the second; a budget and an abort are no failure of the role", async () => {
  await expect(ask(scripted(new CallFailure("HTTP 500", 500, 7)).model)).rejects.toMatchObject({
    kind: "failed",
    callId: 7,
  });
  await expect(ask(scripted("?", new CallFailure("HTTP 500", 500, 8)).model)).rejects.toMatchObject({
    kind: "failed",
    callId: 8,
    reply: "?",
  });
  await expect(ask(scripted(new BudgetReached("no more")).model)).rejects.toBeInstanceOf(BudgetReached);
  await expect(ask(scripted(new DOMException("stop", "AbortError")).model)).rejects.toThrow(DOMException);
});

test("how each reply was read is in its row of the ledger", async () => {
  const db = openMemoryDb();
  const row = db.$client.prepare("insert into usage (model, role) values ('m', 'localizer')");
  for (let i = 0; i < 3; i++) row.run();
  await ask(scripted("what?", `So: ${GOOD}`).model, recorderOf(db));
  const readings = db.$client.prepare("select reading, repairs from usage order by id").all();
  expect(readings).toEqual([
    { reading: "unparsed", repairs: '["the reply holds no JSON"]' },
    { reading: "repaired", repairs: '["text around the JSON left out"]' },
    { reading: null, repairs: "[]" },
  ]);
});
