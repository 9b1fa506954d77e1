import { describe, expect, it } from "vitest";
import { getBlob } from "@/db/blobs";
import { askedWait, waitBefore } from "./retry";
import type { ServerFault } from "./testing/server";
import { ASK, FOR, failure, rows, start } from "./testing/started";

const SHORT = { timeoutSeconds: 0.25 };

describe("a fault that may pass is tried again", () => {
  const cases: [
    string,
    ServerFault,
    { status: number | null; error: RegExp; waits: number[] },
    Record<string, unknown>?,
  ][] = [
    ["429", { kind: "status", status: 429, message: "slow down" }, { status: 429, error: /slow down/, waits: [500] }],
    [
      "429 with seconds to wait",
      { kind: "status", status: 429, headers: { "retry-after": "7" } },
      { status: 429, error: /429/, waits: [7350] },
    ],
    [
      "429 with milliseconds to wait",
      { kind: "status", status: 429, headers: { "retry-after-ms": "40", "retry-after": "7" } },
      { status: 429, error: /429/, waits: [42] },
    ],
    ["408", { kind: "status", status: 408 }, { status: 408, error: /408/, waits: [500] }],
    ["500", { kind: "status", status: 500, body: "<h1>down</h1>" }, { status: 500, error: /<h1>down/, waits: [500] }],
    ["503", { kind: "status", status: 503, body: "" }, { status: 503, error: /no body/, waits: [500] }],
    ["529", { kind: "status", status: 529 }, { status: 529, error: /529/, waits: [500] }],
    [
      "a connection cut before the head",
      { kind: "cut", part: "head" },
      { status: null, error: /^no answer: /, waits: [500] },
    ],
    [
      "a connection cut in the body",
      { kind: "cut", part: "body" },
      { status: 200, error: /status 200\) was cut off/, waits: [500] },
    ],
    [
      "a body that is no JSON",
      { kind: "malformed" },
      { status: 200, error: /no JSON, begins with \{"choices/, waits: [500] },
    ],
    ["an empty body", { kind: "malformed", body: "" }, { status: 200, error: /it is empty/, waits: [500] }],
    ["an answer without a reply", { kind: "empty" }, { status: 200, error: /no reply of this protocol/, waits: [500] }],
    [
      "silence",
      { kind: "slow", ms: 5000 },
      { status: null, error: /no whole answer within 0.25 s/, waits: [500] },
      SHORT,
    ],
    [
      "a body that trickles",
      { kind: "slow", ms: 5000, part: "body" },
      { status: 200, error: /no whole answer within 0.25 s/, waits: [500] },
      SHORT,
    ],
  ];
  it.each(cases)("%s", async (_, fault, { status, error, waits }, endpoint = {}) => {
    const started = await start({ answer: () => "fine", script: [fault] }, { endpoint });
    const reply = await started.model.chat(ASK, FOR);
    expect(reply.text).toBe("fine");
    expect(started.waits).toEqual(waits);
    const [row, ...more] = rows(started.db);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ id: reply.callId, status: "done", error: null });
    expect(JSON.parse(row?.tries ?? "")).toEqual([
      { at: expect.any(Number), status, error: expect.stringMatching(error), waitedMs: waits[0] },
    ]);
  });

  it("but not for ever: then the call has failed, with the last answer kept", async () => {
    const script = Array.from({ length: 9 }, (): ServerFault => ({ kind: "status", status: 503, message: "full" }));
    const { server, db, model, waits } = await start({ script }, { endpoint: { tries: 4 } });
    expect(await failure(model.chat(ASK, FOR))).toEqual({
      status: 503,
      callId: 1,
      message: "local, test: status 503: full (4 tries)",
    });
    expect(server.requests).toHaveLength(4);
    expect(waits).toEqual([500, 1000, 2000]);
    const [row] = rows(db);
    expect(row).toMatchObject({ status: "failed", error: "status 503: full (4 tries)", output_tokens: null });
    expect(JSON.parse(row?.tries ?? "")).toHaveLength(3);
    expect(getBlob(db, row?.reply_hash ?? "").toString()).toContain("full");
  });
});

describe("a fault that will not pass fails at once", () => {
  it.each([400, 401, 403, 404, 413, 422])("status %i", async (status) => {
    const { server, db, model } = await start({ script: [{ kind: "status", status, message: "no such thing" }] });
    expect(await failure(model.chat(ASK, FOR))).toMatchObject({
      status,
      message: expect.stringMatching(/no such thing/),
    });
    expect(server.requests).toHaveLength(1);
    expect(rows(db)).toMatchObject([{ status: "failed", tries: "[]" }]);
  });

  it("a server that sends elsewhere: the key goes to no other host", async () => {
    const elsewhere = await start();
    const script: ServerFault[] = [
      { kind: "status", status: 307, headers: { location: `${elsewhere.server.origin}/v1/chat/completions` } },
    ];
    const { model } = await start({ script });
    expect(await failure(model.chat(ASK, FOR))).toMatchObject({
      status: 307,
      message: expect.stringMatching(/sends elsewhere/),
    });
    expect(elsewhere.server.requests).toEqual([]);
  });

  it("a server that wants to be left alone for an hour", async () => {
    const { model, waits } = await start({
      script: [{ kind: "status", status: 429, headers: { "retry-after": "3600" } }],
    });
    expect(await failure(model.chat(ASK, FOR))).toMatchObject({
      status: 429,
      message: expect.stringMatching(/asks to wait 3600 s/),
    });
    expect(waits).toEqual([]);
  });

  it("a port where nobody listens, after the tries", async () => {
    const { server, db, model } = await start({}, { endpoint: { tries: 2 } });
    await server.close();
    expect(await failure(model.chat(ASK, FOR))).toMatchObject({
      status: null,
      message: expect.stringMatching(/ECONNREFUSED/),
    });
    expect(rows(db)).toMatchObject([{ status: "failed", reply_hash: null }]);
  });
});

describe("a stop by the caller", () => {
  it("before anything was sent leaves no row", async () => {
    const { server, db, model } = await start();
    await expect(model.chat(ASK, { ...FOR, signal: AbortSignal.abort("enough") })).rejects.toBe("enough");
    expect(server.requests).toEqual([]);
    expect(rows(db)).toEqual([]);
  });

  it("during a try ends it, and the row says so", async () => {
    const stop = new AbortController();
    const { server, db, model } = await start({
      answer: async () => {
        stop.abort("enough");
        return "late";
      },
      script: [{ kind: "slow", ms: 5000 }],
    });
    await expect(model.chat(ASK, { ...FOR, signal: stop.signal })).rejects.toBe("enough");
    expect(server.requests).toHaveLength(1);
    expect(rows(db)).toMatchObject([{ status: "failed", error: "stopped before an answer came" }]);
  });

  it("during the wait for the next try ends it too", async () => {
    const stop = new AbortController();
    const { db, model } = await start(
      { script: [{ kind: "status", status: 500 }] },
      {
        open: {
          sleep: async (_, signal) => {
            stop.abort("enough");
            signal?.throwIfAborted();
          },
        },
      },
    );
    await expect(model.chat(ASK, { ...FOR, signal: stop.signal })).rejects.toBe("enough");
    expect(rows(db)).toMatchObject([{ status: "failed", error: "stopped while waiting for the next try" }]);
  });
});

it("never has more tries on their way than the endpoint allows, over all callers", async () => {
  let now = 0;
  let most = 0;
  const { models, server } = await start(
    {
      answer: async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 5));
        now--;
        return "ok";
      },
      faults: { seed: 1, share: 0.3, kinds: [{ kind: "status", status: 500 }] },
    },
    { endpoint: { concurrency: 3, tries: 20 } },
  );
  await Promise.all(Array.from({ length: 30 }, (_, n) => models.model("test").chat({ ...ASK, seed: n }, FOR)));
  expect(server.requests.length).toBeGreaterThan(30);
  expect(most).toBe(3);
});

it("spaces its tries over the minute where a rate is set", async () => {
  let last = 0;
  const answer = () => {
    last = performance.now();
    return "ok";
  };
  const { model } = await start({ answer }, { endpoint: { requestsPerMinute: 1500 } });
  const began = performance.now();
  await Promise.all(Array.from({ length: 6 }, (_, n) => model.chat({ ...ASK, seed: n }, FOR)));
  // Five spaces of 40 ms from the first one's turn, however long its way to the server took; timers may fire a little early.
  expect(last - began).toBeGreaterThan(150);
});

it("a call that is stopped while it waits in line was never made", async () => {
  const stop = new AbortController();
  const { db, model, server } = await start(
    {
      answer: async () => {
        stop.abort("enough");
        return "ok";
      },
    },
    { endpoint: { concurrency: 1 } },
  );
  const first = model.chat(ASK, FOR);
  await expect(model.chat(ASK, { ...FOR, signal: stop.signal })).rejects.toBe("enough");
  expect((await first).text).toBe("ok");
  expect(server.requests).toHaveLength(1);
  expect(rows(db)).toHaveLength(1);
});

describe("what a server asks to wait", () => {
  const none = { retryAfter: null, retryAfterMs: null };
  it("is read as milliseconds, seconds or a date", () => {
    const now = Date.UTC(2026, 0, 1);
    expect(askedWait({ ...none, retryAfterMs: "250.5" }, now)).toBe(250.5);
    expect(askedWait({ ...none, retryAfter: "2.5" }, now)).toBe(2500);
    expect(askedWait({ ...none, retryAfter: new Date(now + 30_000).toUTCString() }, now)).toBe(30_000);
    expect(askedWait({ ...none, retryAfter: new Date(now - 30_000).toUTCString() }, now)).toBe(0);
    expect(askedWait({ ...none, retryAfter: "soon" }, now)).toBeNull();
    expect(askedWait({ retryAfter: "3", retryAfterMs: "-1" }, now)).toBe(3000);
    expect(askedWait(none, now)).toBeNull();
  });

  it("is never cut short; without it the wait grows, up to a minute, anywhere below", () => {
    for (const chance of [0, 0.5, 0.999]) expect(waitBefore(3, 9000, () => chance)).toBeGreaterThanOrEqual(9000);
    expect([1, 2, 3, 4].map((failed) => waitBefore(failed, null, () => 1))).toEqual([1000, 2000, 4000, 8000]);
    expect(waitBefore(30, null, () => 1)).toBe(60_000);
    expect(waitBefore(3, null, () => 0)).toBe(0);
  });
});
