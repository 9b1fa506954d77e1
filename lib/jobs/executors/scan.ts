import "server-only";
import { z } from "zod";
import type { Executor } from "@/lib/jobs/executor";
import { RULES_VERSION } from "@/lib/profile/rules";
import { scanTrajectory } from "@/lib/profile/scan";

/** `scope`: "outdated" scans what an older rule version (or none) scanned; "all" scans everything again. */
export const scanParams = z.object({ scope: z.enum(["outdated", "all"]).default("outdated") });

const rangeSchema = z.object({ from: z.number(), to: z.number(), version: z.string() });
const SPAN_OF_ITEM = 200;

/** Runs the rule localizer over stored trajectories. Labels of people are not touched. */
export const scanExecutor: Executor = {
  kind: "scan",

  async *list({ db, job }) {
    scanParams.parse(JSON.parse(job.params));
    const last = db.$client.prepare<[], number | null>("select max(id) from trajectory").pluck().get() as
      | number
      | null
      | undefined;
    const items = [];
    for (let from = 1; from <= (last ?? 0); from += SPAN_OF_ITEM) {
      const to = from + SPAN_OF_ITEM - 1;
      items.push({ key: `${from}-${to}`, payload: { from, to, version: RULES_VERSION } });
    }
    yield { items };
  },

  async run(context) {
    const { db, job, signal } = context;
    const { scope } = scanParams.parse(JSON.parse(job.params));
    const find = db.$client
      .prepare(
        "select id from trajectory where id between ? and ? and superseded_by is null and (? or rules_version is not ?) order by id",
      )
      .pluck();
    for (const item of context.items) {
      const { from, to } = rangeSchema.parse(JSON.parse(item.payload));
      for (const id of find.all(from, to, scope === "all" ? 1 : 0, RULES_VERSION) as number[]) {
        context.commit(item, () => ({ scanned: 1, findings: scanTrajectory(db, id) }));
        await new Promise<void>((resolve) => setImmediate(resolve));
        if (signal.aborted) return;
      }
      context.end(item, { status: "done" });
    }
  },
};
