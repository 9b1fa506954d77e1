import "server-only";
import { setMaxListeners } from "node:events";
import { z } from "zod";
import { makeMeasuringJudges } from "@/lib/evaluate/behavior/judges";
import { type StoredSample, windowReader } from "@/lib/evaluate/behavior/window";
import { type Counts, type ItemRow, type ItemsContext, JobBroken } from "@/lib/jobs/executor";
import { RoleFailure } from "@/lib/model/role/types";
import { lazyModels } from "@/lib/profile/roles/models";
import type { RoleSpec } from "@/lib/profile/settings";
import { judgedMode, StartMissing } from "@/lib/train/rollout/starts";

const itemSchema = z.object({
  id: z.number(),
  prefixId: z.number(),
  errorTypeId: z.number(),
  trajectoryId: z.number(),
});
const AT_ONCE = 8;

/** What a judge said of a window, or how it failed to. */
export interface StoredVerdict {
  answer: "yes" | "no" | "failed" | "unparsed";
  reason: string | null;
}

/** Where the verdicts of a job go. `id`: of a StoredSample. */
export interface VerdictStore {
  has: (id: number, judge: string) => boolean;
  /** Inside a transaction. */
  put: (id: number, judge: string, verdict: StoredVerdict) => void;
}

/**
 * A judge reads windows of `window` steps that were sampled before; items are StoredSamples. Verdicts that are there stay as
 * they are; a judge that fails is stored as failed; a window whose start is gone fails its item.
 */
export async function judgeWindows(
  context: ItemsContext,
  { judge, window, store }: { judge: RoleSpec; window: number; store: VerdictStore },
): Promise<void> {
  const { db, job, signal } = context;
  const models = lazyModels(db, { jobId: job.id, signal });
  const [named] = makeMeasuringJudges({ db, models, signal }, [judge]);
  if (!named) throw new JobBroken("the job names no judge");
  const read = windowReader(db, window);
  const verdictOf = async (sample: StoredSample): Promise<StoredVerdict> => {
    try {
      const { answer, reason } = await named.judge.judge(read(sample), judgedMode(db, sample.errorTypeId));
      return { answer, reason };
    } catch (error) {
      if (!(error instanceof RoleFailure)) throw error;
      return { answer: error.kind, reason: error.message };
    }
  };
  const one = async (item: ItemRow): Promise<void> => {
    const sample: StoredSample = itemSchema.parse(JSON.parse(item.payload));
    if (store.has(sample.id, named.name)) return context.end(item, { status: "done" });
    try {
      const verdict = await verdictOf(sample);
      context.together(() => {
        context.commit(item, (): Counts => {
          store.put(sample.id, named.name, verdict);
          return verdict.answer === "yes" || verdict.answer === "no" ? { verdicts: 1 } : { unjudged: 1 };
        });
        context.end(item, { status: "done" });
      });
    } catch (error) {
      if (!(error instanceof StartMissing)) throw error;
      context.end(item, { status: "failed", error: error.message });
    }
  };
  setMaxListeners(0, signal);
  const queue = [...context.items];
  let broken: unknown;
  const lane = async () => {
    for (let item = queue.shift(); item && !signal.aborted && broken === undefined; item = queue.shift()) {
      try {
        await one(item);
      } catch (error) {
        broken ??= error;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  if (broken !== undefined && !signal.aborted) throw broken;
}
