import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { decimal, roundedDivide } from "./decimal";
import type { CallUsage, ModelName } from "./types";

/** A row of `price`: money per million tokens, in force from `validFrom` until a later row of the same model. */
export interface Price {
  id: number;
  /** Name in the model settings. */
  model: ModelName;
  currency: string;
  /** Units of USD for one unit of `currency`; null when that is USD. */
  usdRate: number | null;
  input: number;
  /** null: cached input costs as much as other input. */
  cached: number | null;
  output: number;
  /** UTC epoch milliseconds. */
  validFrom: number;
}

const money = z.number().nonnegative().max(1e9);

export const newPriceSchema = z
  .strictObject({
    model: z.string().trim().min(1),
    currency: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{3}$/, "is a code of three letters, as USD"),
    usdRate: z.number().positive().max(1e9).nullish(),
    input: money,
    cached: money.nullish(),
    output: money,
    validFrom: z.number().int().nonnegative(),
  })
  .check(({ value, issues }) => {
    if ((value.currency === "USD") === (value.usdRate != null))
      issues.push({
        code: "custom",
        path: ["usdRate"],
        message: value.currency === "USD" ? "USD needs no rate" : `how many USD is one ${value.currency}?`,
        input: value,
      });
  });
export type NewPrice = z.input<typeof newPriceSchema>;

const COLUMNS = "id, model, currency, usd_rate as usdRate, input, cached, output, valid_from as validFrom";

/** The row in force for a model at a time; null: no price is known for it. */
export function priceAt(db: Db, model: ModelName, at: number): Price | null {
  return (
    (statement(
      db,
      `select ${COLUMNS} from price where model = ? and valid_from <= ? order by valid_from desc limit 1`,
    ).get(model, at) as Price | undefined) ?? null
  );
}

/** All rows, by model, newest first. */
export function listPrices(db: Db): Price[] {
  return statement(db, `select ${COLUMNS} from price order by model, valid_from desc`).all() as Price[];
}

/**
 * Cost of a call in billionths of the price's currency: exact, rounded once at the end (half up). null when tokens are
 * not stated. Cached tokens that are not stated count as none, so the cost is then the highest it can be.
 */
export function costNano(price: Pick<Price, "input" | "cached" | "output">, usage: CallUsage): number | null {
  if (usage.input === null || usage.output === null) return null;
  const cached = Math.min(usage.cached ?? 0, usage.input);
  const rates = [price.input, price.cached ?? price.input, price.output].map(decimal);
  const scale = Math.max(...rates.map((rate) => rate.scale));
  const counts = [usage.input - cached, cached, usage.output];
  let sum = 0n;
  rates.forEach((rate, at) => {
    sum += BigInt(counts[at] ?? 0) * rate.digits * 10n ** BigInt(scale - rate.scale);
  });
  // Per million tokens, in billionths: x 1e9 / 1e6.
  return Number(roundedDivide(sum * 1000n, 10n ** BigInt(scale)));
}

/** An amount in billionths of a currency, in billionths of USD. */
export function usdNano(nano: number | bigint, usdRate: number | null): bigint {
  if (usdRate === null) return BigInt(nano);
  const rate = decimal(usdRate);
  return roundedDivide(BigInt(nano) * rate.digits, 10n ** BigInt(rate.scale));
}

/** Adding a price twice, or one that does not fit. */
export class PriceRefused extends Error {}

/**
 * Adds a price row, with an audit row, and prices the calls it covers that had no price: what is priced already stays
 * as it is. Returns the row's id and how many calls got a cost. Throws PriceRefused.
 */
export function addPrice(db: Db, input: NewPrice, actor: string): { id: number; priced: number } {
  const read = newPriceSchema.safeParse(input);
  if (!read.success) {
    const issue = read.error.issues[0];
    throw new PriceRefused(`${issue?.path.join(".") || "price"}: ${issue?.message ?? "does not fit"}`);
  }
  const row = read.data;
  return db.$client
    .transaction(() => {
      const there = statement(db, "select id from price where model = ? and valid_from = ?").get(
        row.model,
        row.validFrom,
      );
      if (there)
        throw new PriceRefused(`${row.model} has a price from ${new Date(row.validFrom).toISOString()} on already`);
      const id = Number(
        statement(
          db,
          "insert into price (model, currency, usd_rate, input, cached, output, valid_from) values (?, ?, ?, ?, ?, ?, ?)",
        ).run(row.model, row.currency, row.usdRate ?? null, row.input, row.cached ?? null, row.output, row.validFrom)
          .lastInsertRowid,
      );
      statement(db, "insert into audit (actor, verb, subject, details) values (?, 'add', ?, ?)").run(
        actor,
        `price:${id}`,
        JSON.stringify(row),
      );
      return {
        id,
        priced: priceOpenCalls(db, { ...row, id, usdRate: row.usdRate ?? null, cached: row.cached ?? null }),
      };
    })
    .immediate();
}

function priceOpenCalls(db: Db, price: Price): number {
  const next = statement(db, "select min(valid_from) as at from price where model = ? and valid_from > ?").get(
    price.model,
    price.validFrom,
  ) as { at: number | null };
  const open = statement(
    db,
    `select id, input_tokens as input, cached_tokens as cached, output_tokens as output from usage
     where model = ? and price_id is null and from_cache = 0 and created_at >= ? and created_at < ?`,
  ).all(price.model, price.validFrom, next.at ?? Number.MAX_SAFE_INTEGER) as ({ id: number } & CallUsage)[];
  const set = statement(db, "update usage set price_id = ?, cost_nano = ? where id = ?");
  let priced = 0;
  for (const call of open) {
    const cost = costNano(price, { ...call, reasoning: null });
    if (cost === null) continue;
    set.run(price.id, cost, call.id);
    priced++;
  }
  return priced;
}
