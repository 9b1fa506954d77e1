import { expect, test } from "vitest";
import { openMemoryDb } from "@/db/client";
import { openModels } from "@/lib/model/chat/open";
import type { Budget } from "@/lib/model/chat/settings";
import { noSleep, openAiServer, settingsFor } from "@/lib/model/chat/testing/openai";
import type { Executor } from "./executor";
import { claimJob, enqueue, getJob, resumeJob } from "./queue";
import { runJob } from "./run";

test("a job of ten calls with a budget of four pauses, and after a higher one has made each call once", async () => {
  const server = await openAiServer({ answer: ({ texts }) => `judged ${texts.at(-1)}` });
  const db = openMemoryDb();
  db.$client.exec("create table said (item text not null, said text not null)");
  const budget: Budget = { calls: 4 };
  const executor: Executor = {
    kind: "toy",
    batch: 10,
    async *list() {
      yield { items: Array.from({ length: 10 }, (_, n) => ({ key: `step ${n}`, payload: {} })) };
    },
    async run(context) {
      const settings = { ...settingsFor(server), budgets: { ...budget } };
      const { signal, job } = context;
      const model = openModels(db, { settings, jobId: job.id, signal, sleep: noSleep }).model("test");
      // Three lanes, as executors have them.
      const queue = [...context.items];
      const lane = async () => {
        for (let item = queue.shift(); item; item = queue.shift()) {
          const { key } = item;
          const { text } = await model.chat(
            { messages: [{ role: "user", content: key }], temperature: 0 },
            { role: "localizer", promptVersion: "1", subject: key },
          );
          context.together(() => {
            context.commit(item, () => {
              db.$client.prepare("insert into said values (?, ?)").run(key, text);
              return { judged: 1 };
            });
            context.end(item, { status: "done" });
          });
        }
      };
      const ended = await Promise.allSettled([lane(), lane(), lane()]);
      for (const end of ended) if (end.status === "rejected") throw end.reason;
    },
  };
  const id = enqueue(db, { kind: "toy", title: "Toy", params: {}, requestedBy: "test" });
  const never = new AbortController().signal;
  const run = async () => {
    const job = claimJob(db, "w", id);
    if (!job) throw new Error("nothing to claim");
    await runJob(db, job, executor, "w", never);
  };
  await run();
  expect(getJob(db, id)).toMatchObject({ status: "paused", items_done: 4, items_failed: 0 });
  expect(getJob(db, id)?.error).toMatch(/budget of 4 calls is used up/);
  budget.calls = 20;
  resumeJob(db, id, "test");
  await run();
  expect(getJob(db, id)).toMatchObject({ status: "done", items_done: 10, items_failed: 0 });
  const said = db.$client.prepare("select said from said order by item").pluck().all();
  expect(said).toEqual(Array.from({ length: 10 }, (_, n) => `judged step ${n}`));
  expect(server.requests).toHaveLength(10);
  expect(db.$client.prepare("select count(*) from usage where job_id = ?").pluck().get(id)).toBe(10);
  await server.close();
});
