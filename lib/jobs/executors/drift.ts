import "server-only";
import { statement } from "@/db/statement";
import { Draw } from "@/lib/environment/suite/draw";
import { groupBy } from "@/lib/evaluate/groupBy";
import { driftParams, judgedRollouts, judgedWindowOf } from "@/lib/jobs/driftJob";
import type { Executor } from "@/lib/jobs/executor";
import { judgeWindows } from "./judging";

/** Another judge reads rollouts of a training that were paid by one; an item a rollout, drawn by step. */
export const driftExecutor: Executor = {
  kind: "drift",
  batch: 1_000_000,

  async *list({ db, job }) {
    const { trainingId, perStep, seed } = driftParams.parse(JSON.parse(job.params));
    const steps = groupBy(judgedRollouts(db, trainingId), (r) => r.step);
    for (const [step, rows] of steps) {
      const drawn = new Draw(`misstep drift\0${trainingId}\0${step}\0${seed}`).shuffle(rows).slice(0, perStep);
      yield {
        items: drawn.map(({ step: at, ...sample }) => ({ key: `step ${at}/rollout ${sample.id}`, payload: sample })),
      };
    }
  },

  async run(context) {
    const { db, job } = context;
    const { trainingId, judge } = driftParams.parse(JSON.parse(job.params));
    const there = statement(db, "select 1 from rollout_verdict where rollout_id = ? and judge = ?");
    const insert = statement(
      db,
      "insert or ignore into rollout_verdict (rollout_id, judge, answer, reason) values (?, ?, ?, ?)",
    );
    await judgeWindows(context, {
      judge,
      window: judgedWindowOf(db, trainingId),
      store: {
        has: (id, name) => there.get(id, name) !== undefined,
        put: (id, name, { answer, reason }) => insert.run(id, name, answer, reason),
      },
    });
  },
};
