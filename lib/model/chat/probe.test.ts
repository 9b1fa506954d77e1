import { expect, it } from "vitest";
import { openMemoryDb } from "@/db/client";
import { probe } from "./probe";
import { openAiServer, settingsFor } from "./testing/openai";
import { rows } from "./testing/started";

it("says what the model really said, or what really went wrong, after one try", async () => {
  const server = await openAiServer({
    answer: () => ({ text: "It works.", usage: { input: 20, cached: null, output: 4, reasoning: null } }),
    script: [null, { kind: "status", status: 503, message: "loading the model" }],
  });
  const db = openMemoryDb();
  const settings = settingsFor(server);
  expect(await probe(db, settings, "test")).toMatchObject({
    ok: true,
    text: "It works.",
    usage: { input: 20, output: 4, cached: null },
    callId: 1,
  });
  expect(await probe(db, settings, "test")).toMatchObject({
    ok: false,
    status: 503,
    error: "local, test: status 503: loading the model",
    reply: expect.stringContaining('"message":"loading the model"'),
    callId: 2,
  });
  expect(server.requests).toHaveLength(2);
  expect(rows(db)).toMatchObject([
    { role: "probe", status: "done" },
    { role: "probe", status: "failed" },
  ]);
  await server.close();
  expect(await probe(db, settings, "test")).toMatchObject({ ok: false, status: null, reply: null });
});
