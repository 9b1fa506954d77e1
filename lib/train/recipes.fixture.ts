import { afterEach, beforeEach, vi } from "vitest";
import { type Db, openMemoryDb } from "@/db/client";
import { SUBMIT } from "@/lib/environment/suite/family";
import { openModels } from "@/lib/model/chat/open";
import { addPrice } from "@/lib/model/chat/price";
import { noSleep, type OpenAiBody, openAiServer, settingsFor } from "@/lib/model/chat/testing/openai";
import type { ScriptedServer } from "@/lib/model/chat/testing/server";
import { type Reply, type Row, type StepCame, stepOf, type World } from "./groups.fixture";
import { makeHome } from "./world.fixture";

/*
 * Every number of these tables was worked out by hand from the recipes (recipe 1, 4, 5). Tokens are sampled at 0.5; before
 * the update the first token of each rollout stands at 0.65, so with a positive advantage it is outside of the trust region
 * of 0.1 and one token fewer is kept. Weight: 1 / all trained tokens of the step. Seconds: 2 for the failing command, 4 for
 * the tests, 1 for any other command.
 */

/** The policy submits. */
export const end = (tokens: number): Reply => [SUBMIT, tokens];
/** A role that a model plays. */
export const MODEL = { use: "model", options: {} };

type Line = (number | null)[];
const COLUMNS = [
  "outcome",
  "behavior",
  "rating",
  "reward",
  "advantage",
  "tokens",
  "kept",
  "weight",
  "seconds",
] as const satisfies (keyof Row)[];
/** The rollouts of a group, a line each. */
export const table = (came: StepCame, start: number): Line[] | undefined =>
  came.groups.get(start)?.rows.map((row) => COLUMNS.map((column) => row[column]));
/** Why each group is dead, by start; null: it is not. */
export const deads = (came: StepCame) => [...came.groups].sort(([a], [b]) => a - b).map(([, { dead }]) => dead);
/** Rollouts, void ones, tokens of those that are not, sandboxes, sandbox seconds. */
export const spent = (came: StepCame) => {
  const rows = [...came.groups.values()].flatMap((g) => g.rows);
  const sum = (of: (row: Row) => number | null) => rows.reduce((n, row) => n + (of(row) ?? 0), 0);
  return [came.metrics.rollouts, came.metrics.void, sum((r) => r.tokens), came.sandboxes, sum((r) => r.seconds)];
};

/** For the tests of a file: a world of its own for each, with the ledger of its calls. */
export function recipeTests() {
  let db: Db;
  let removeHome: () => void;
  let server: ScriptedServer<OpenAiBody> | undefined;
  const clock = { ms: 0 };
  beforeEach(() => {
    removeHome = makeHome();
    db = openMemoryDb();
    clock.ms = 0;
    vi.spyOn(performance, "now").mockImplementation(() => clock.ms);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await server?.close();
    server = undefined;
    db.$client.close();
    removeHome();
  });

  const go = (world: Omit<World, "db" | "clock">) => stepOf({ db, clock, ...world });

  /** Models that say these things in turn, at 100 tokens in and 20 out for 2 and 10 USD a million: 0.0004 USD a call. */
  async function serving(answers: string[]) {
    addPrice(db, { model: "test", currency: "USD", input: 2, output: 10, validFrom: 0 }, "test");
    const usage = { input: 100, cached: 0, output: 20, reasoning: 0 };
    const asked: string[] = [];
    server = await openAiServer({
      answer({ number, texts }) {
        asked.push(texts.join("\n"));
        return { text: answers[number] ?? "", usage };
      },
    });
    const models = openModels(db, { settings: settingsFor(server), sleep: noSleep });
    return { models: () => models, asked };
  }

  /** The ledger by role: calls, how many could not be read, tokens in and out, billionths of a USD. */
  const ledger = () =>
    db.$client
      .prepare(
        `select role, count(*), sum(reading = 'unparsed'), sum(input_tokens), sum(output_tokens), sum(cost_nano)
         from usage group by role order by role`,
      )
      .raw()
      .all();

  return { go, serving, ledger };
}
