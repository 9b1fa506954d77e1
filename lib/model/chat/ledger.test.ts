import { describe, expect, it } from "vitest";
import { recordReading } from "./ledger";
import { addPrice, costNano } from "./price";
import { COMMON_FAULTS, type ServerFault } from "./testing/server";
import { ASK, FOR, failure, rows, start } from "./testing/started";
import { CallFailure } from "./types";

const PRICE = { model: "test", currency: "USD", input: 0.33, cached: 0.066, output: 1.005, validFrom: 0 };

it("a thousand calls through faults: each ended, each one row, and the costs are the server's own sum to the billionth", async () => {
  const { db, model, server } = await start(
    {
      answer: ({ number, texts }) => ({
        text: `answer to ${texts.at(-1)}`,
        usage: {
          input: 1001 + number,
          cached: (number * 7) % 1000,
          output: 13 + (number % 97),
          reasoning: number % 11,
        },
      }),
      faults: { seed: 5, share: 0.2, kinds: [...COMMON_FAULTS, { kind: "status", status: 400 }, { kind: "no-usage" }] },
    },
    { endpoint: { concurrency: 16, tries: 3 } },
  );
  addPrice(db, PRICE, "test");
  const ended = await Promise.all(
    Array.from({ length: 1000 }, (_, n) =>
      model
        .chat({ ...ASK, messages: [{ role: "user", content: `question ${n}` }] }, { ...FOR, subject: `item ${n}` })
        .then(
          (reply) => {
            expect(reply.text).toBe(`answer to question ${n}`);
            return { status: "done", callId: reply.callId };
          },
          (error: unknown) => {
            expect(error).toBeInstanceOf(CallFailure);
            return { status: "failed", callId: (error as CallFailure).callId };
          },
        ),
    ),
  );
  const written = rows(db);
  expect(written).toHaveLength(1000);
  const byId = new Map(written.map((row) => [row.id, row.status]));
  expect(ended.every(({ callId, status }) => callId !== null && byId.get(callId) === status)).toBe(true);
  const failed = ended.filter((end) => end.status === "failed").length;
  expect(failed).toBeGreaterThan(5);
  expect(failed).toBeLessThan(100);

  const { tally } = server;
  const sum = db.$client
    .prepare<[], Record<"input" | "cached" | "output" | "reasoning" | "cost" | "known" | "silent", number>>(
      `select sum(input_tokens) as input, sum(cached_tokens) as cached, sum(output_tokens) as output, sum(reasoning_tokens) as reasoning,
         sum(cost_nano) as cost, count(cost_nano) as known, sum(status = 'done' and cost_nano is null) as silent from usage`,
    )
    .get();
  // 330, 66 and 1005 billionths a token: whole numbers, so the sum of roundings is the rounding of the sum.
  expect(sum).toMatchObject({
    input: tally.input,
    cached: tally.cached,
    output: tally.output,
    reasoning: tally.reasoning,
    cost: (tally.input - tally.cached) * 330 + tally.cached * 66 + tally.output * 1005,
    known: tally.answers,
  });
  expect(sum?.silent).toBe(1000 - failed - tally.answers);
  expect(sum?.silent).toBeGreaterThan(0);
}, 180_000);

describe("tokens that were not stated", () => {
  it("are unknown, and so is the cost: not zero", async () => {
    const { db, model } = await start({ script: [{ kind: "no-usage" }] });
    addPrice(db, PRICE, "test");
    const reply = await model.chat(ASK, FOR);
    expect(reply.usage).toEqual({ input: null, cached: null, output: null, reasoning: null });
    expect(rows(db)).toMatchObject([{ input_tokens: null, output_tokens: null, price_id: null, cost_nano: null }]);
  });

  it("in part leave the rest known", async () => {
    const { db, model } = await start({
      answer: () => ({ text: "ok", usage: { input: 1000, cached: null, output: 10, reasoning: null } }),
    });
    addPrice(db, PRICE, "test");
    await model.chat(ASK, FOR);
    expect(rows(db)).toMatchObject([
      { input_tokens: 1000, cached_tokens: null, reasoning_tokens: null, cost_nano: 340_050 },
    ]);
  });
});

describe("the reply cache", () => {
  const cached = { ...FOR, cache: true };
  it("answers the same request again, in a row of its own that used nothing", async () => {
    const { db, model, server } = await start({
      answer: ({ number }) => ({ text: `reply ${number}`, thinking: "hm" }),
    });
    addPrice(db, PRICE, "test");
    const first = await model.chat(ASK, cached);
    const second = await model.chat(ASK, cached);
    expect(first).toMatchObject({ text: "reply 0", fromCache: false });
    expect(second).toMatchObject({ text: "reply 0", thinking: "hm", fromCache: true });
    expect(server.requests).toHaveLength(1);
    expect(rows(db)).toMatchObject([
      { from_cache: 0, cost_nano: expect.any(Number) },
      { id: second.callId, from_cache: 1, input_tokens: 0, output_tokens: 0, cost_nano: 0, status: "done" },
    ]);
  });

  it.each([
    ["another temperature", { temperature: 0.8 }],
    ["another seed", { seed: 2 }],
    ["another thinking level", { thinking: "high" as const }],
    ["other messages", { messages: [{ role: "user" as const, content: "say it " }] }],
  ])("does not answer %s", async (_, change) => {
    const { model, server } = await start();
    await model.chat(ASK, cached);
    expect(await model.chat({ ...ASK, ...change }, cached)).toMatchObject({ fromCache: false });
    expect(server.requests).toHaveLength(2);
  });

  it("is off for policies and for whoever does not ask for it", async () => {
    const { model } = await start();
    await model.chat(ASK, cached);
    expect((await model.chat(ASK, FOR)).fromCache).toBe(false);
    expect((await model.chat(ASK, { ...cached, role: "policy" })).fromCache).toBe(false);
  });

  it("does not give back failures, nor what could not be read", async () => {
    const script: ServerFault[] = [{ kind: "status", status: 400 }];
    const { db, model } = await start({ script, answer: ({ number }) => `reply ${number}` });
    await failure(model.chat(ASK, cached));
    const bad = await model.chat(ASK, cached);
    expect(bad).toMatchObject({ text: "reply 1", fromCache: false });
    recordReading(db, bad.callId, "unparsed", ["no verdict in it"]);
    expect(await model.chat(ASK, cached)).toMatchObject({ text: "reply 2", fromCache: false });
    expect(await model.chat(ASK, cached)).toMatchObject({ text: "reply 2", fromCache: true });
  });
});

describe("prices", () => {
  const usage = { input: 1000, cached: 400, output: 10, reasoning: null };
  it("are exact, rounded once, half up", () => {
    // 600 x 0.33 + 400 x 0.066 + 10 x 1.005 per million.
    expect(costNano(PRICE, usage)).toBe(198_000 + 26_400 + 10_050);
    expect(costNano({ ...PRICE, cached: null }, usage)).toBe(330_000 + 10_050);
    expect(costNano({ input: 0.0005, cached: null, output: 0 }, { ...usage, input: 1 })).toBe(1);
    expect(costNano({ input: 0.0004, cached: null, output: 0 }, { ...usage, input: 1 })).toBe(0);
    expect(costNano({ input: 1e-7, cached: null, output: 0 }, { ...usage, input: 5_000_000, cached: 0 })).toBe(500);
    // In doubles 0.1 + 0.2 is more than 0.3.
    expect(costNano({ input: 0.1, cached: 0.2, output: 0 }, { ...usage, input: 2, cached: 1, output: 0 })).toBe(300);
  });

  it("are those in force when the call was made; a later row fills in calls without any, and changes no other", async () => {
    const { db, model } = await start({ answer: () => ({ text: "ok", usage }) });
    addPrice(db, { ...PRICE, validFrom: Date.now() + 60_000, input: 9 }, "test");
    await model.chat(ASK, FOR);
    expect(rows(db)[0]).toMatchObject({ price_id: null, cost_nano: null });
    expect(addPrice(db, { ...PRICE, validFrom: 5 }, "test")).toEqual({ id: 2, priced: 1 });
    expect(rows(db)[0]).toMatchObject({ price_id: 2, cost_nano: 234_450 });
    expect(addPrice(db, { ...PRICE, validFrom: 6, output: 2 }, "test")).toEqual({ id: 3, priced: 0 });
    await model.chat(ASK, FOR);
    expect(rows(db)).toMatchObject([{ price_id: 2 }, { price_id: 3, cost_nano: 244_400 }]);
  });

  it("that do not fit are refused, with the field", async () => {
    const { db } = await start();
    expect(() => addPrice(db, { ...PRICE, currency: "CNY" }, "test")).toThrow(/usdRate: how many USD is one CNY/);
    expect(() => addPrice(db, { ...PRICE, input: -1 }, "test")).toThrow(/^input: /);
    addPrice(db, PRICE, "test");
    expect(() => addPrice(db, PRICE, "test")).toThrow(/has a price from 1970/);
  });
});

it("what was noted on the request stays when the reading is noted", async () => {
  const { db, model } = await start();
  const { callId } = await model.chat(ASK, FOR);
  db.$client
    .prepare("update usage set repairs = ? where id = ?")
    .run('["request: temperature is not supported"]', callId);
  recordReading(db, callId, "repaired", ["a code fence"]);
  expect(rows(db)).toMatchObject([
    { reading: "repaired", repairs: '["request: temperature is not supported","a code fence"]' },
  ]);
});

it("a cached reply that cannot be read any more is asked for anew", async () => {
  const { db, model, server } = await start();
  const cached = { ...FOR, cache: true };
  await model.chat(ASK, cached);
  db.$client
    .prepare("update blob set codec = 'plain', data = x'7b7d' where hash = (select reply_hash from usage)")
    .run();
  expect(await model.chat(ASK, cached)).toMatchObject({ text: "ok", fromCache: false });
  expect(server.requests).toHaveLength(2);
});
