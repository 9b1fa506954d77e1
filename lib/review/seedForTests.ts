import "server-only";
import type { Db } from "@/db/client";
import { SPAN } from "@/db/ids";
import type { Actor, Role } from "@/lib/people/actor";
import { seedBuiltinTypes } from "@/lib/profile/builtin";

/** Adds a person; who they are as an actor. For tests. */
export function addPerson(db: Db, name: string, role: Role = "annotator"): Actor & { personId: number } {
  const { lastInsertRowid } = db.$client.prepare("insert into person (name, role) values (?, ?)").run(name, role);
  return { personId: Number(lastInsertRowid), name, role };
}

/** Adds a trajectory with `steps` agent steps without texts, each flagged by rules. Gives back the step ids. For tests. */
export function addFlagged(
  db: Db,
  id: number,
  steps: number,
  typeOf: (i: number) => string | null = () => null,
): number[] {
  const s = db.$client;
  seedBuiltinTypes(db);
  s.prepare(
    `insert into trajectory (id, study_id, task, model, format, outcome, steps, entries, error_steps, content_hash, source_key, rules_version)
     values (?, 1, 't', 'm', 'chat', 'failed', ?, ?, ?, ?, ?, '1')`,
  ).run(id, steps, steps, steps, `h${id}`, `k${id}`);
  s.prepare("insert or ignore into localizer (id, kind, name, version) values (901, 'rule', 'rules', '1')").run();
  return Array.from({ length: steps }, (_, i) => {
    const stepId = id * SPAN + i;
    s.prepare(
      "insert into step (id, kind, number, turn, preview, output_chars, chunk) values (?, 'agent', ?, ?, 'ls', 0, 0)",
    ).run(stepId, i + 1, i);
    s.prepare("insert into error_step (step_id, trajectory_id) values (?, ?)").run(stepId, id);
    s.prepare(
      "insert into localization (step_id, localizer_id, verdict, reason) values (?, 901, 'bad', 'rule says so')",
    ).run(stepId);
    const slug = typeOf(i);
    if (slug !== null)
      s.prepare(
        `insert into label (step_id, error_type_id, source, localizer_id)
         select ?, id, 'rule', 901 from error_type where slug = ? and taxonomy_id = 1`,
      ).run(stepId, slug);
    return stepId;
  });
}
