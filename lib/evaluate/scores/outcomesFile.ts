import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";

/** null: not recorded. */
const counts = z.array(z.number().int().min(0).nullable());

/** Outcomes of models at the tasks of one benchmark, attempts in order: the shape tb20-outcomes/1. */
export const outcomesFile = z.object({
  schema: z.literal("tb20-outcomes/1"),
  source: z.object({ repo: z.string().optional(), commit: z.string().optional() }).loose(),
  models: z.record(
    z.string().min(1),
    z.object({
      tasks: z.record(
        z.string().min(1),
        z
          .object({
            /** null: void. */
            reward: z.array(z.number().nullable()).min(1),
            steps: counts.optional(),
            in: counts.optional(),
            out: counts.optional(),
          })
          .superRefine((task, context) => {
            for (const key of ["steps", "in", "out"] as const)
              if (task[key] && task[key].length !== task.reward.length)
                context.addIssue({
                  code: "custom",
                  path: [key],
                  message: `has ${task[key].length} values for ${task.reward.length} rewards`,
                });
          }),
      ),
    }),
  ),
});
export type OutcomesFile = z.infer<typeof outcomesFile>;

const METRICS = { reward: "outcome", steps: "steps", in: "input-tokens", out: "output-tokens" } as const;

/** What an import did: an evaluation a model; models whose rows were there already are in `present`. */
export interface ImportedOutcomes {
  evaluations: { id: number; model: string; tasks: number; attempts: number; void: number }[];
  present: string[];
}

/**
 * Stores outcomes as evaluations with their score rows, one a model, all or none. The same model with the same content
 * in the same data set is not stored twice. Environments and checkpoints are made where they are missing.
 */
export function importOutcomes(
  db: Db,
  file: OutcomesFile,
  { dataset, digest, studyId = 1 }: { dataset: string; digest: string; studyId?: number },
): ImportedOutcomes {
  const insert = statement(
    db,
    "insert into score (evaluation_id, checkpoint_id, environment_id, run, metric, value, void_reason) values (?, ?, ?, ?, ?, ?, ?)",
  );
  const idOf = (make: string, find: string, ...values: (string | number)[]): number => {
    statement(db, make).run(...values);
    return (statement(db, find).get(...values) as { id: number }).id;
  };
  return db.$client
    .transaction((): ImportedOutcomes => {
      const done: ImportedOutcomes = { evaluations: [], present: [] };
      for (const [model, { tasks }] of Object.entries(file.models)) {
        const there = statement(
          db,
          `select 1 from evaluation where kind = 'score' and json_extract(protocol, '$.outcomes.digest') = ?
             and json_extract(protocol, '$.outcomes.model') = ? and json_extract(protocol, '$.outcomes.dataset') = ?`,
        ).get(digest, model, dataset);
        if (there) {
          done.present.push(model);
          continue;
        }
        const checkpointId = idOf(
          "insert into checkpoint (name) values (?) on conflict (name) do nothing",
          "select id from checkpoint where name = ?",
          model,
        );
        const protocol = { outcomes: { model, dataset, digest, repo: file.source.repo, commit: file.source.commit } };
        const id = Number(
          statement(db, "insert into evaluation (study_id, kind, name, protocol) values (?, 'score', ?, ?)").run(
            studyId,
            `Outcomes of ${model} on ${dataset}`,
            JSON.stringify(protocol),
          ).lastInsertRowid,
        );
        let attempts = 0;
        let voids = 0;
        for (const [task, values] of Object.entries(tasks)) {
          const environmentId = idOf(
            "insert into environment (name, dataset) values (?, ?) on conflict (name, dataset) do nothing",
            "select id from environment where name = ? and dataset = ?",
            task,
            dataset,
          );
          for (const [key, metric] of Object.entries(METRICS) as [keyof typeof METRICS, string][])
            for (const [i, value] of (values[key] ?? []).entries()) {
              if (value === null && key !== "reward") continue;
              // Nothing was recorded of the attempt: no steps are not 0 steps.
              if (key === "steps" && value === 0 && values.in?.[i] === null) continue;
              insert.run(
                id,
                checkpointId,
                environmentId,
                i + 1,
                metric,
                value,
                value === null ? "the file has no reward" : null,
              );
            }
          attempts += values.reward.length;
          voids += values.reward.filter((r) => r === null).length;
        }
        done.evaluations.push({ id, model, tasks: Object.keys(tasks).length, attempts, void: voids });
      }
      return done;
    })
    .immediate();
}
