import { describe, expect, it } from "vitest";
import { spentBy } from "./budget";
import { openModels } from "./open";
import { addPrice } from "./price";
import { settingsFor } from "./testing/openai";
import { ASK, FOR, failure, rows, start } from "./testing/started";
import { BudgetReached } from "./types";

const USAGE = { input: 100, cached: 0, output: 10, reasoning: 0 };
const asked = (n: number) => ({ ...ASK, seed: n });

describe("a budget of a job", () => {
  it("of calls is kept by calls at the same time", async () => {
    const { model, server, db } = await start({}, { open: { jobId: 7, budget: { calls: 5 } } });
    const ended = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => model.chat(asked(n), FOR)));
    expect(ended.filter((end) => end.status === "fulfilled")).toHaveLength(5);
    for (const end of ended) if (end.status === "rejected") expect(end.reason).toBeInstanceOf(BudgetReached);
    expect(server.requests).toHaveLength(5);
    expect(rows(db)).toHaveLength(5);
    await expect(model.chat(ASK, FOR)).rejects.toThrow(
      /budget of 5 calls is used up: 5 made, 0 under way.*then resume/,
    );
  });

  it("counts failed calls, and no replies from the cache", async () => {
    const { model } = await start(
      { script: [{ kind: "status", status: 400 }] },
      { open: { jobId: 7, budget: { calls: 2 } } },
    );
    await failure(model.chat(ASK, FOR));
    const cached = { ...FOR, cache: true };
    await model.chat(ASK, cached);
    await model.chat(ASK, cached);
    await expect(model.chat(ASK, FOR)).rejects.toBeInstanceOf(BudgetReached);
  });

  it("of tokens and of money", async () => {
    const answer = () => ({ text: "ok", usage: USAGE });
    const tokens = await start({ answer }, { open: { jobId: 7, budget: { tokens: 220 } } });
    await tokens.model.chat(asked(1), FOR);
    await tokens.model.chat(asked(2), FOR);
    await expect(tokens.model.chat(asked(3), FOR)).rejects.toThrow(/220 tokens is used up: 220 used in 2 calls/);

    const money = await start({ answer }, { open: { jobId: 7, budget: { usd: 0.001 } } });
    await expect(money.model.chat(ASK, FOR)).rejects.toThrow(/model "test" has no price/);
    // 100 x 4 + 10 x 10 CNY per million at half a dollar: $0.00025 a call.
    addPrice(money.db, { model: "test", currency: "CNY", usdRate: 0.5, input: 4, output: 10, validFrom: 0 }, "test");
    for (let n = 0; n < 4; n++) await money.model.chat(asked(n), FOR);
    await expect(money.model.chat(ASK, FOR)).rejects.toThrow(/\$0.001 is used up: \$0.0010 spent in 4 calls/);
  });

  it("of tokens or money ends with a reply that does not state its tokens, not with a failure that has none", async () => {
    const answer = ({ number }: { number: number }) => ({ text: "ok", usage: number === 1 ? USAGE : null });
    for (const budget of [{ tokens: 1000 }, { usd: 1 }]) {
      const script = [{ kind: "status" as const, status: 400 }];
      const { model, db } = await start({ answer, script }, { open: { jobId: 7, budget } });
      addPrice(db, { model: "test", currency: "USD", input: 1, output: 1, validFrom: 0 }, "test");
      await failure(model.chat(asked(1), FOR));
      await model.chat(asked(2), FOR);
      await model.chat(asked(3), FOR);
      await expect(model.chat(asked(4), FOR)).rejects.toThrow(/cannot be kept: 1 of 3 calls.*budget of calls/);
      // The ledger says so too, after a restart.
      expect(spentBy(db, 7)).toMatchObject({ calls: 3, unknown: 2, unstated: 1 });
    }
  });

  it("goes on from the ledger when the job is resumed with a higher one, and is each job's own", async () => {
    const { model, server, db } = await start({}, { open: { jobId: 7, budget: { calls: 1 } } });
    await model.chat(ASK, FOR);
    await expect(model.chat(ASK, FOR)).rejects.toBeInstanceOf(BudgetReached);
    const open = (jobId: number, calls: number) =>
      openModels(db, {
        settings: settingsFor(server),
        env: {},
        keysFile: "/nonexistent",
        jobId,
        budget: { calls },
      }).model("test");
    const higher = open(7, 2);
    await higher.chat(ASK, FOR);
    await expect(higher.chat(ASK, FOR)).rejects.toThrow(/budget of 2 calls is used up: 2 made/);
    expect((await open(8, 1).chat(ASK, FOR)).text).toBe("ok");
  });
});
