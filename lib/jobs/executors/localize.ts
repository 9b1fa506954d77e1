import "server-only";
import { setMaxListeners } from "node:events";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import type { Counts, Executor, ItemRow, ItemsContext, NewItem } from "@/lib/jobs/executor";
import { localizeParams, trajectoriesOf } from "@/lib/jobs/localizeJob";
import type { Models } from "@/lib/model/chat/open";
import { asProposed, isJudged } from "@/lib/profile/posthoc";
import { type Localizer, type RoleEnvironment, RoleFailure } from "@/lib/profile/roles";
import { lazyModels } from "@/lib/profile/roles/models";
import { makeLocalizer } from "@/lib/profile/roles/registry";
import type { Verdict } from "@/lib/profile/rolloutLog";
import { storeVerdict, verdictsOf } from "@/lib/profile/storeVerdict";
import { loadSteps } from "@/lib/trajectory/load";
import type { Step } from "@/lib/trajectory/types";
import { Slots } from "./slots";

/** Steps of an item: what a lost worker has to look at again. */
const STEPS_OF_ITEM = 20;
const TRAJECTORIES_AT_ONCE = 100;
const itemSchema = z.object({ trajectoryId: z.number(), entries: z.array(z.number()) });

/** Indices of the entries of a trajectory that are judged. */
function judgedEntries(db: Db, trajectoryId: number): number[] {
  return loadSteps(db, trajectoryId).flatMap((step, index) => (isJudged(step) ? [index] : []));
}

function environmentOf(db: Db, trajectoryId: number): RoleEnvironment {
  const row = statement(
    db,
    `select t.environment_id as id, ifnull(t.task, t.name) as name, v.family, v.seed from trajectory t
     left join environment v on v.id = t.environment_id where t.id = ?`,
  ).get(trajectoryId) as { id: number | null; name: string | null; family: string | null; seed: number | null };
  return {
    id: row.id ?? 0,
    name: row.name ?? `trajectory ${trajectoryId}`,
    family: row.family,
    seed: row.seed,
    instruction: "",
  };
}

interface Asking {
  /** Answers may come from the cache. */
  localizer: Localizer;
  /** For steps that got no verdict before: an unreadable reply must not come from the cache again. */
  anew: Localizer;
  slots: Slots;
}

/** One step; its verdict and its count are one transaction. */
async function judgeStep(
  context: ItemsContext,
  item: ItemRow,
  about: { trajectoryId: number; environment: RoleEnvironment; steps: readonly Step[]; index: number },
  localizer: Localizer,
): Promise<"judged" | "failed" | "unparsed"> {
  const { trajectoryId, environment, steps, index } = about;
  const { prefix, proposal } = asProposed(environment, steps, index);
  const number = steps
    .slice(0, index + 1)
    .filter((step) => step.kind === "agent" && !step.copied && step.note !== "correction");
  let verdict: Verdict;
  try {
    verdict = {
      judgement: await localizer.judge(prefix, proposal, `trajectory ${trajectoryId} step ${number.length}`),
    };
  } catch (error) {
    if (!(error instanceof RoleFailure)) throw error;
    const { kind, message, reply, callId } = error;
    verdict = { failure: { kind, message, reply, callId } };
  }
  const word = "judgement" in verdict ? verdict.judgement.verdict : verdict.failure.kind;
  context.commit(item, () => {
    storeVerdict(context.db, trajectoryId, index, localizer, verdict);
    return { steps: 1, [word]: 1 };
  });
  return word === "good" || word === "bad" ? "judged" : word;
}

/** Judges the steps of an item that have no verdict of this localizer yet, several at once. */
async function runItem(context: ItemsContext, item: ItemRow, { localizer, anew, slots }: Asking): Promise<void> {
  const { db, signal } = context;
  const { trajectoryId, entries } = itemSchema.parse(JSON.parse(item.payload));
  const there = statement(db, "select superseded_by as by from trajectory where id = ?").get(trajectoryId) as
    | { by: number | null }
    | undefined;
  if (!there || there.by !== null) {
    // Nobody would see the verdicts; a model is not paid for them.
    const why = there ? `was replaced by trajectory ${there.by} since; localize that one` : "is gone";
    context.end(item, { status: "failed", error: `trajectory ${trajectoryId} ${why}` });
    return;
  }
  const steps = loadSteps(db, trajectoryId);
  const environment = environmentOf(db, trajectoryId);
  const before = verdictsOf(db, trajectoryId, localizer);
  const missing = { failed: 0, unparsed: 0 };
  const open = entries.filter((index) => !["good", "bad"].includes(before.get(index) ?? ""));
  const judged = entries.filter((index) => !open.includes(index));
  if (judged.length > 0)
    context.commit(item, () => {
      const counts: Counts = { steps: judged.length };
      for (const index of judged) counts[before.get(index) ?? ""] = (counts[before.get(index) ?? ""] ?? 0) + 1;
      return counts;
    });
  const asked = open.map(async (index) => {
    const giveBack = await slots.take(signal);
    try {
      const who = before.has(index) ? anew : localizer;
      const came = await judgeStep(context, item, { trajectoryId, environment, steps, index }, who);
      if (came !== "judged") missing[came]++;
    } finally {
      giveBack();
    }
  });
  // Every verdict that comes is stored, also when another step of the item cannot be asked about any more.
  const broken = (await Promise.allSettled(asked)).find((one) => one.status === "rejected");
  if (broken) throw broken.reason;
  const none = missing.failed + missing.unparsed;
  if (none === 0) context.end(item, { status: "done" });
  else {
    const what = [
      missing.failed > 0 && `${missing.failed} failed`,
      missing.unparsed > 0 && `${missing.unparsed} unparsed`,
    ];
    const error = `${none} of ${entries.length} steps have no verdict: ${what.filter(Boolean).join(", ")}; a retry asks about these alone`;
    context.end(item, { status: "failed", error });
  }
}

/**
 * Judges steps of stored trajectories by a model, each from what its agent had seen (post hoc, without a teacher). Every
 * verdict is stored as it comes, so a killed worker and a retry ask only about steps without one. An item with steps that
 * got no verdict is failed, and the job partial.
 */
export function makeLocalizeExecutor(
  open: (db: Db, job: { jobId: number; signal: AbortSignal }) => () => Models,
): Executor {
  return {
    kind: "localize",
    batch: 100_000,

    async *list({ db, job, signal }) {
      const ids = trajectoriesOf(db, localizeParams.parse(JSON.parse(job.params)));
      for (let from = 0; from < ids.length; from += TRAJECTORIES_AT_ONCE) {
        const items: NewItem[] = [];
        for (const trajectoryId of ids.slice(from, from + TRAJECTORIES_AT_ONCE)) {
          const entries = judgedEntries(db, trajectoryId);
          for (let at = 0; at < entries.length; at += STEPS_OF_ITEM)
            items.push({
              key: `${trajectoryId}/${at / STEPS_OF_ITEM + 1}`,
              payload: { trajectoryId, entries: entries.slice(at, at + STEPS_OF_ITEM) },
            });
        }
        yield { items };
        await new Promise((resolve) => setImmediate(resolve));
        if (signal.aborted) return;
      }
    },

    async run(context) {
      const { db, job, signal } = context;
      const params = localizeParams.parse(JSON.parse(job.params));
      const models = open(db, { jobId: job.id, signal });
      const make = (cache: boolean) => makeLocalizer({ db, models, signal, cache }, params.localizer);
      const asking: Asking = {
        localizer: await make(true),
        anew: await make(false),
        slots: new Slots(params.parallel),
      };
      setMaxListeners(0, signal);
      const queue = [...context.items];
      let broken: unknown;
      const lane = async () => {
        while (!signal.aborted && broken === undefined) {
          const item = queue.shift();
          if (!item) return;
          try {
            await runItem(context, item, asking);
          } catch (error) {
            // No more may be spent, the disk is full, or it was stopped: what is open stays open.
            broken ??= error;
            return;
          }
        }
      };
      await Promise.all(Array.from({ length: Math.min(params.parallel, queue.length) }, lane));
      if (broken !== undefined && !signal.aborted) throw broken;
    },
  };
}

export const localizeExecutor = makeLocalizeExecutor((db, job) => lazyModels(db, job));
