import "server-only";
import os from "node:os";
import { z } from "zod";
import type { Db } from "@/db/client";
import { isMachineFailure } from "@/db/failure";
import type { Counts, Executor, ItemRow, NewItem } from "@/lib/jobs/executor";
import type { JobRow } from "@/lib/jobs/queue";
import { RERUN_MODES, RerunCancelled, type RerunResult, rerunPrefix } from "@/lib/prefix/rerun";
import { type RerunIdentity, storeRerun } from "@/lib/prefix/store";
import { prefixTarget } from "@/lib/prefix/target";
import { PREFIX_STATUSES } from "@/lib/prefix/types";
import { DRIVERS, type DriverName, type Sandbox, SandboxFailure } from "@/lib/sandbox/types";
import { Slots } from "./slots";

/** Reruns a prefix is given when nobody says otherwise: one pass alone admits flaky ones (recipe 9). */
export const DEFAULT_REPEATS = 2;
export const MAX_REPEATS = 20;

/** Which prefixes, how often and how. Exactly one of `prefixes` and `draw` may be absent; both absent means all. */
export const rerunParams = z.object({
  prefixes: z.array(z.number().int().positive()).optional(),
  drawId: z.number().int().positive().optional(),
  /** Only those in this state when the job is listed. */
  status: z.enum(PREFIX_STATUSES).optional(),
  repeats: z.number().int().min(1).max(MAX_REPEATS).default(DEFAULT_REPEATS),
  mode: z.enum(RERUN_MODES).default("stop"),
  driver: z.enum(DRIVERS).optional(),
});
export type RerunParams = z.infer<typeof rerunParams>;

const itemSchema = z.object({ prefixId: z.number(), repeat: z.number() });

/** Where reruns happen: opens fresh sandboxes of environments until it is closed. */
export interface Ground {
  open(environmentId: number, driver: DriverName | undefined): Promise<Sandbox>;
  /** Disposes whatever is still open. */
  close(): Promise<void>;
}

/** Reruns that run commands at once. As many more are being started or cleared away meanwhile. */
export const PARALLEL = os.availableParallelism();

/** Opens a sandbox, then waits for a place to run its commands; disposing it gives the place back first. */
async function openInTurn(open: () => Promise<Sandbox>, slots: Slots, signal: AbortSignal): Promise<Sandbox> {
  const sandbox = await open();
  try {
    const giveBack = await slots.take(signal);
    const dispose = sandbox.dispose.bind(sandbox);
    sandbox.dispose = () => {
      giveBack();
      return dispose();
    };
    return sandbox;
  } catch (error) {
    await sandbox.dispose();
    throw error;
  }
}

function selected(db: Db, { prefixes, drawId, status }: RerunParams): number[] {
  return db.$client
    .prepare<[string | null, string | null, number | null, number | null, string | null, string | null], number>(
      `select id from prefix where (? is null or id in (select value from json_each(?)))
         and (? is null or draw_id = ?) and (? is null or status = ?) order by step_id, id`,
    )
    .pluck()
    .all(
      prefixes ? JSON.stringify(prefixes) : null,
      prefixes ? JSON.stringify(prefixes) : null,
      drawId ?? null,
      drawId ?? null,
      status ?? null,
      status ?? null,
    ) as number[];
}

/** What one repeat came to. Plain data. */
interface DoneRerun {
  identity: RerunIdentity;
  result: RerunResult;
}

/** One repeat of one prefix. Throws when the prefix is gone, and RerunCancelled. */
async function performItem(
  { db, job, signal }: { db: Db; job: JobRow; signal: AbortSignal },
  item: ItemRow,
  params: RerunParams,
  ground: Ground,
  slots: Slots,
): Promise<DoneRerun> {
  const { prefixId, repeat } = itemSchema.parse(JSON.parse(item.payload));
  const target = prefixTarget(db, prefixId);
  if (!target) throw new Error(`prefix ${prefixId} is gone`);
  const { environmentId, missing, stepId } = target;
  const open = async () => {
    if (environmentId === null) throw new Error(missing ?? "no environment");
    return openInTurn(() => ground.open(environmentId, params.driver), slots, signal);
  };
  const result = await rerunPrefix(target.replay, open, { mode: params.mode, signal });
  if (signal.aborted) throw new RerunCancelled();
  const { repeats, mode } = params;
  return { identity: { prefixId, stepId, repeat, repeats, mode, jobId: job.id }, result };
}

/** Its row, and what the job counts of it. */
function store(db: Db, { identity, result }: DoneRerun): Counts {
  if (!storeRerun(db, identity, result)) return {};
  return { reruns: 1, [result.verdict]: 1, commands: result.commands.length };
}

const paramsOf = (job: JobRow): RerunParams => rerunParams.parse(JSON.parse(job.params));

/** Reruns prefixes: an item a repeat, `parallel` running commands at a time, each in a fresh sandbox, each stored as it ends. */
export function makeRerunExecutor(connect: (db: Db) => Promise<Ground>, parallel = PARALLEL): Executor {
  return {
    kind: "rerun",
    batch: 32 * parallel,

    async *list({ db, job, log }) {
      const params = paramsOf(job);
      const ids = selected(db, params);
      const items: NewItem[] = [];
      for (const prefixId of ids)
        for (let repeat = 1; repeat <= params.repeats; repeat++)
          items.push({ key: `${prefixId}/${repeat}`, payload: { prefixId, repeat } });
      if (ids.length === 0) log("warn", "no prefix matches; nothing to rerun");
      yield { items };
    },

    async run(context) {
      const params = paramsOf(context.job);
      const ground = await connect(context.db);
      const queue = [...context.items];
      const slots = new Slots(parallel);
      let broken: unknown;
      const lane = async () => {
        while (!context.signal.aborted && broken === undefined) {
          const item = queue.shift();
          if (!item) return;
          try {
            const done = await performItem(context, item, params, ground, slots);
            context.together(() => {
              context.commit(item, () => store(context.db, done));
              context.end(item, { status: "done" });
            });
          } catch (error) {
            if (error instanceof RerunCancelled) return;
            const hostGone = error instanceof SandboxFailure && error.kind === "host-gone";
            if (hostGone || isMachineFailure(error)) {
              broken = error;
              return;
            }
            const message = error instanceof Error ? error.message : String(error);
            context.log("error", `${item.key}: ${message}`);
            context.end(item, { status: "failed", error: message });
          }
        }
      };
      try {
        await Promise.all(Array.from({ length: 2 * parallel }, lane));
      } finally {
        await ground.close();
      }
      if (broken !== undefined && !context.signal.aborted) throw broken;
    },

    away: {
      refusal: () => null,
      async open(context) {
        const params = paramsOf(context.job);
        const ground = await connect(context.db);
        const slots = new Slots(context.lanes);
        return {
          perform: (item) => performItem(context, item, params, ground, slots),
          close: () => ground.close(),
        };
      },
      receive: ({ db }, _, value) => ({ effect: () => store(db, value as DoneRerun) }),
    },
  };
}
