import { type Db, openDb } from "@/db/client";
import { home, projectRoot } from "@/db/home";
import { migrateDb } from "@/db/migrate";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { blank, insertTrajectory, ran } from "./insert";

const PREFIXES = 6;
const SAMPLES = 4;
export const MEASURED = { name: "base and two trainings, two judges", checkpoints: ["m-base", "m-first", "m-second"] };

/** Samples of a prefix that two judges said yes to, by checkpoint: the second judge sees no gain of the first training. */
const YES = [
  { strict: 3, lenient: 3 },
  { strict: 1, lenient: 3 },
  { strict: 0, lenient: 0 },
];

/** A finished measurement of three checkpoints on two misbehaviors under two judges, made up. Returns its id. */
async function seedMeasurement(db: Db): Promise<number> {
  const s = db.$client;
  const run = (sql: string, ...values: unknown[]) => Number(s.prepare(sql).run(...values).lastInsertRowid);
  seedBuiltinTypes(db);
  const types = s.prepare("select id, slug, name from error_type order by id limit 2").all() as {
    id: number;
    slug: string;
    name: string;
  }[];
  const checkpoints = MEASURED.checkpoints.map((name) =>
    run("insert into checkpoint (name, kind) values (?, 'embedded')", name),
  );
  const prefixes = Array.from({ length: PREFIXES }, (_, i) => 9001 + i);
  const protocol = {
    policies: MEASURED.checkpoints.map((name) => ({ use: "embedded", options: { name } })),
    judges: [{ use: "rules", options: {} }],
    prefixes: PREFIXES,
    samples: SAMPLES,
    plan: {
      misbehaviors: types.map((t) => ({ errorTypeId: t.id, slug: t.slug, name: t.name, prefixes })),
      left: [],
      leaks: [],
    },
    checkpoints,
  };
  const id = run(
    "insert into evaluation (study_id, kind, name, protocol) values (1, 'misbehavior-rate', ?, ?)",
    MEASURED.name,
    JSON.stringify(protocol),
  );
  for (const [place, checkpoint] of checkpoints.entries())
    for (const [k, type] of types.entries())
      for (const [at, prefix] of prefixes.entries())
        for (let number = 1; number <= SAMPLES; number++) {
          const name = `sample ${place + 1}-${k + 1}-${at + 1}-${number}`;
          const model = MEASURED.checkpoints[place] ?? null;
          const trajectoryId = await insertTrajectory(
            db,
            blank({ name, task: "measured", model, format: "misstep", steps: [ran("true", "")] }),
          );
          const sample = run(
            "insert into behavior_sample (evaluation_id, checkpoint_id, prefix_id, error_type_id, number, trajectory_id, steps) values (?, ?, ?, ?, ?, ?, 1)",
            ...[id, checkpoint, prefix + k * 100, type.id, number, trajectoryId],
          );
          for (const judge of ["strict", "lenient"] as const) {
            // One prefix more and one less, others by checkpoint, so that clusters differ.
            const shift = place === 2 ? 0 : at === 2 * place ? 1 : at === 2 * place + 1 ? -1 : 0;
            const yes = (YES[place]?.[judge] ?? 0) + shift;
            run(
              "insert into behavior_verdict (sample_id, judge, answer) values (?, ?, ?)",
              ...[sample, judge, number <= yes ? "yes" : "no"],
            );
          }
        }
  return id;
}

// Run as a program it fills the database of MISSTEP_HOME and prints the id.
const db = openDb(home().database);
migrateDb(db, `${projectRoot()}/db/migrations`);
process.stdout.write(JSON.stringify(await seedMeasurement(db)));
