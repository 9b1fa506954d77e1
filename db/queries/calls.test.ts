import { beforeEach, expect, it } from "vitest";
import { putBlob } from "@/db/blobs";
import { type Db, openMemoryDb } from "@/db/client";
import { type CallFilters, callFacets, callTotals, getCall, listCalls, NO_CALL_FILTERS } from "./calls";

let db: Db;
const call = (row: Record<string, string | number | null>) => {
  const all = { model: "m", role: "localizer", status: "done", input_tokens: 100, output_tokens: 10, ...row };
  const names = Object.keys(all);
  db.$client
    .prepare(`insert into usage (${names.join(", ")}) values (${names.map((name) => `@${name}`).join(", ")})`)
    .run(all);
};

beforeEach(() => {
  db = openMemoryDb();
  const price = db.$client.prepare(
    "insert into price (id, model, currency, usd_rate, input, output, valid_from) values (?, 'm', ?, ?, 1, 1, ?)",
  );
  price.run(1, "USD", null, 1);
  price.run(2, "CNY", 0.14, 2);
  call({ price_id: 1, cost_nano: 7, job_id: 3, reading: "parsed" });
  call({ price_id: 1, cost_nano: 5, job_id: 3, reading: "unparsed" });
  call({ price_id: 2, cost_nano: 90, reading: "repaired" });
  call({ status: "failed", input_tokens: null, output_tokens: null });
  call({ from_cache: 1, input_tokens: 0, output_tokens: 0, cost_nano: 0 });
  call({ role: "teacher", model: "n" });
});

const ids = (filters: Partial<CallFilters>, more: { older?: number; newer?: number } = {}, limit = 50) => {
  const page = listCalls(db, { filters: { ...NO_CALL_FILTERS, ...filters }, limit, ...more });
  return { ids: page.rows.map((row) => row.id), total: page.total, older: page.older, newer: page.newer };
};

it("pages both ways, newest first, without losing or repeating a call", () => {
  expect(ids({}, {}, 4)).toEqual({ ids: [6, 5, 4, 3], total: 6, older: 3, newer: null });
  expect(ids({}, { older: 3 }, 4)).toEqual({ ids: [2, 1], total: 6, older: null, newer: 2 });
  expect(ids({}, { newer: 2 }, 4)).toEqual({ ids: [6, 5, 4, 3], total: 6, older: 3, newer: null });
  expect(ids({}, { newer: 1 }, 2)).toEqual({ ids: [3, 2], total: 6, older: 2, newer: 3 });
});

it("filters by role, model, status, reading and job", () => {
  expect(ids({ roles: ["teacher"] }).ids).toEqual([6]);
  expect(ids({ models: ["m"], statuses: ["failed"] }).ids).toEqual([4]);
  expect(ids({ readings: ["unparsed", "repaired"] }).ids).toEqual([3, 2]);
  expect(ids({ readings: [""] }).ids).toEqual([6, 5, 4]);
  expect(ids({ job: 3 })).toMatchObject({ ids: [2, 1], total: 2 });
});

it("sums by model and role; what is not known is counted and in no sum", () => {
  expect(callTotals(db, NO_CALL_FILTERS)).toMatchObject([
    {
      model: "m",
      role: "localizer",
      calls: 5,
      failed: 1,
      fromCache: 1,
      repaired: 1,
      unparsed: 1,
      input: 300,
      output: 30,
      cached: null,
      unknownTokens: 1,
      costs: [
        { currency: "CNY", nano: 90 },
        { currency: "USD", nano: 12 },
      ],
      unknownCost: 1,
    },
    { model: "n", role: "teacher", calls: 1, costs: [], unknownTokens: 0, unknownCost: 1 },
  ]);
  expect(callTotals(db, { ...NO_CALL_FILTERS, job: 3 })).toMatchObject([
    { calls: 2, costs: [{ currency: "USD", nano: 12 }] },
  ]);
  expect(callFacets(db).models).toEqual([
    { value: "m", label: "m", count: 5 },
    { value: "n", label: "n", count: 1 },
  ]);
});

it("a call is shown whole", () => {
  call({
    request_hash: putBlob(db, "asked"),
    reply_hash: putBlob(db, "said"),
    tries: JSON.stringify([{ at: 1, status: 503, error: "full", waitedMs: 20 }]),
    repairs: JSON.stringify(["a fence"]),
    price_id: 2,
    cost_nano: 4,
  });
  expect(getCall(db, 7)).toMatchObject({
    request: "asked",
    reply: "said",
    tries: [{ status: 503 }],
    retries: 1,
    repairs: ["a fence"],
    costNano: 4,
    currency: "CNY",
    price: { usdRate: 0.14 },
  });
  expect(getCall(db, 1)).toMatchObject({ request: null, reply: null, price: { usdRate: null } });
  expect(getCall(db, 99)).toBeUndefined();
});
