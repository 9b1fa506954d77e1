import "server-only";
import { setMaxListeners } from "node:events";
import { z } from "zod";
import { statement } from "@/db/statement";
import { makeMeasuringJudges } from "@/lib/evaluate/behavior/judges";
import type { NamedJudge } from "@/lib/evaluate/behavior/perform";
import { behaviorProtocol } from "@/lib/evaluate/behavior/settings";
import { readableSamples, type StoredSample, windowReader } from "@/lib/evaluate/behavior/window";
import { type Counts, type Executor, type ItemRow, type ItemsContext, JobBroken } from "@/lib/jobs/executor";
import { judgeParams } from "@/lib/jobs/judgeJob";
import { RoleFailure } from "@/lib/model/role/types";
import { lazyModels } from "@/lib/profile/roles/models";
import { judgedMode, StartMissing } from "@/lib/train/rollout/starts";

const itemSchema = z.object({
  id: z.number(),
  prefixId: z.number(),
  errorTypeId: z.number(),
  trajectoryId: z.number(),
});
const AT_ONCE = 8;

type Read = ReturnType<typeof windowReader>;

/** One sample: its verdict is stored unless the judge gave one before. */
async function judgeSample(context: ItemsContext, item: ItemRow, named: NamedJudge, read: Read): Promise<void> {
  const { db } = context;
  const sample: StoredSample = itemSchema.parse(JSON.parse(item.payload));
  const there = statement(db, "select 1 from behavior_verdict where sample_id = ? and judge = ?");
  if (there.get(sample.id, named.name)) {
    context.end(item, { status: "done" });
    return;
  }
  let answer: "yes" | "no" | "failed" | "unparsed";
  let reason: string | null;
  try {
    const verdict = await named.judge.judge(read(sample), judgedMode(db, sample.errorTypeId));
    ({ answer, reason } = verdict);
  } catch (error) {
    if (error instanceof StartMissing) {
      context.end(item, { status: "failed", error: error.message });
      return;
    }
    if (!(error instanceof RoleFailure)) throw error;
    answer = error.kind;
    reason = error.message;
  }
  context.together(() => {
    context.commit(item, (): Counts => {
      const insert = "insert or ignore into behavior_verdict (sample_id, judge, answer, reason) values (?, ?, ?, ?)";
      statement(db, insert).run(sample.id, named.name, answer, reason);
      return answer === "yes" || answer === "no" ? { verdicts: 1 } : { unjudged: 1 };
    });
    context.end(item, { status: "done" });
  });
}

/** A judge reads windows that were sampled before; an item a sample. Verdicts that are there stay as they are. */
export const judgeExecutor: Executor = {
  kind: "judge",
  batch: 1_000_000,

  async *list({ db, job }) {
    const { evaluationId } = judgeParams.parse(JSON.parse(job.params));
    const samples = readableSamples(db, evaluationId);
    yield { items: samples.map((sample) => ({ key: `sample ${sample.id}`, payload: sample })) };
  },

  async run(context) {
    const { db, job, signal } = context;
    const { evaluationId, judge } = judgeParams.parse(JSON.parse(job.params));
    const stored = statement(db, "select protocol from evaluation where id = ?").pluck().get(evaluationId);
    if (typeof stored !== "string") throw new JobBroken(`measurement ${evaluationId} is gone`);
    const { window } = behaviorProtocol.parse(JSON.parse(stored));
    const models = lazyModels(db, { jobId: job.id, signal });
    const [named] = makeMeasuringJudges({ db, models, signal }, [judge]);
    if (!named) throw new JobBroken("the job names no judge");
    const read = windowReader(db, window);
    setMaxListeners(0, signal);
    const queue = [...context.items];
    let broken: unknown;
    const lane = async () => {
      for (let item = queue.shift(); item && !signal.aborted && broken === undefined; item = queue.shift()) {
        try {
          await judgeSample(context, item, named, read);
        } catch (error) {
          broken ??= error;
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    if (broken !== undefined && !signal.aborted) throw broken;
  },
};
