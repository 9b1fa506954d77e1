import "server-only";
import { statement } from "@/db/statement";
import { behaviorProtocol } from "@/lib/evaluate/behavior/settings";
import { readableSamples } from "@/lib/evaluate/behavior/window";
import { type Executor, JobBroken } from "@/lib/jobs/executor";
import { judgeParams } from "@/lib/jobs/judgeJob";
import { judgeWindows } from "./judging";

/** A judge reads the windows of a measurement that were sampled before; an item a sample. */
export const judgeExecutor: Executor = {
  kind: "judge",
  batch: 1_000_000,

  async *list({ db, job }) {
    const { evaluationId } = judgeParams.parse(JSON.parse(job.params));
    const samples = readableSamples(db, evaluationId);
    yield { items: samples.map((sample) => ({ key: `sample ${sample.id}`, payload: sample })) };
  },

  async run(context) {
    const { db, job } = context;
    const { evaluationId, judge } = judgeParams.parse(JSON.parse(job.params));
    const stored = statement(db, "select protocol from evaluation where id = ?").pluck().get(evaluationId);
    if (typeof stored !== "string") throw new JobBroken(`measurement ${evaluationId} is gone`);
    const { window } = behaviorProtocol.parse(JSON.parse(stored));
    const there = statement(db, "select 1 from behavior_verdict where sample_id = ? and judge = ?");
    const insert = statement(
      db,
      "insert or ignore into behavior_verdict (sample_id, judge, answer, reason) values (?, ?, ?, ?)",
    );
    await judgeWindows(context, {
      judge,
      window,
      store: {
        has: (id, name) => there.get(id, name) !== undefined,
        put: (id, name, { answer, reason }) => insert.run(id, name, answer, reason),
      },
    });
  },
};
