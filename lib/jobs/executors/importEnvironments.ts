import "server-only";
import path from "node:path";
import { z } from "zod";
import { statement } from "@/db/statement";
import { discoverEnvironments, readEnvironment } from "@/lib/environment/read";
import { EnvironmentRefused } from "@/lib/environment/refused";
import { storeEnvironment } from "@/lib/environment/store";
import type { Counts, Executor } from "@/lib/jobs/executor";

/** `path`: a task directory, or a folder with many. `dataset`: data set they belong to. `name`: for a single one, instead of its own. */
export const importEnvironmentsParams = z.object({
  path: z.string().min(1),
  dataset: z.string().min(1).optional(),
  name: z.string().min(1).optional(),
});

const itemSchema = z.object({ directory: z.string() });

/** Imports task directories: one item a directory; what looks like one and cannot be read is listed with its reason. */
export const importEnvironmentsExecutor: Executor = {
  kind: "import-environments",

  async *list({ db, job }) {
    const params = importEnvironmentsParams.parse(JSON.parse(job.params));
    const { found, refused } = discoverEnvironments(params.path);
    if (params.name !== undefined && found.length !== 1)
      throw new Error(`a name can be given to one task directory; ${params.path} has ${found.length}`);
    yield {
      items: found.map(({ directory }) => ({
        key: path.relative(params.path, directory) || ".",
        payload: { directory },
      })),
      effect: (): Counts => {
        let added = 0;
        for (const r of refused)
          added += statement(
            db,
            "insert or ignore into import_file (job_id, key, path, status, position, reason, hint) values (?, ?, ?, 'refused', ?, ?, null)",
          ).run(job.id, path.relative(params.path, r.path) || r.path, r.path, r.position, r.reason).changes;
        return added > 0 ? { refused: added } : {};
      },
    };
  },

  async run(context) {
    const { db, job } = context;
    const { dataset, name } = importEnvironmentsParams.parse(JSON.parse(job.params));
    for (const item of context.items) {
      const { directory } = itemSchema.parse(JSON.parse(item.payload));
      try {
        const read = readEnvironment(directory);
        const spec = name === undefined ? read : { ...read, name };
        const stored = storeEnvironment(db, { directory, spec }, dataset === undefined ? {} : { dataset });
        context.commit(item, () => ({ [`environments-${stored.status}`]: 1 }));
        context.end(item, { status: "done" });
      } catch (error) {
        if (!(error instanceof EnvironmentRefused)) throw error;
        context.end(item, { status: "failed", error: error.message });
      }
    }
  },
};
