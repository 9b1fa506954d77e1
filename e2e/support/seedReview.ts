import { openDb } from "@/db/client";
import { home, projectRoot } from "@/db/home";
import { SPAN } from "@/db/ids";
import { migrateDb } from "@/db/migrate";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { createQueue } from "@/lib/review/queue/create";
import type { Question } from "@/lib/review/types";
import { blank, entry, insertFlags, insertTrajectory, ran } from "./insert";

const TRAJECTORIES = 6;
const STEPS = 5;

/**
 * Adds three persons and a queue over 30 flagged steps, two raters an item; prints their ids. Arguments: the queue's name,
 * its question, and "reason" when a reason comes first.
 */
async function seedReview(name: string, question: Question, reason: "optional" | "first") {
  const db = openDb(home().database);
  migrateDb(db, `${projectRoot()}/db/migrations`);
  seedBuiltinTypes(db);
  const s = db.$client;
  const slug = s
    .prepare("select slug from error_type where taxonomy_id = 1 order by rank limit 1")
    .pluck()
    .get() as string;
  const ids: number[] = [];
  for (let t = 1; t <= TRAJECTORIES; t++) {
    const steps = [
      entry({ kind: "user", message: `Put the sum of part-${t}.txt into answer.txt.` }),
      ...Array.from({ length: STEPS }, (_, i) =>
        ran(`awk '{ s += $${i + 1} } END { print s }' part-${t}.txt`, `awk: cannot open part-${t}.txt\n`, 2, {
          turn: i,
          message: `Try column ${i + 1}.`,
        }),
      ),
      ran("ls", "part.txt\n", 0, { turn: STEPS }),
    ];
    const id = await insertTrajectory(
      db,
      blank({ name: `${name} ${t}`, task: "sum-parts", model: "small-model", steps }),
    );
    const flags = Array.from({ length: STEPS }, (_, i) => ({
      ...{ entry: i + 1, slug, reason: `localizer says why ${t}-${i}` },
      evidence: [{ step: i + 1, part: "output", start: 0, end: 3 }],
    }));
    insertFlags(db, id, flags);
    ids.push(...flags.map((f) => id * SPAN + f.entry));
  }
  const people: Record<string, number> = {};
  for (const [who, role] of [
    ["ada", "annotator"],
    ["bob", "annotator"],
    ["lea", "admin"],
  ] as const) {
    s.prepare("insert or ignore into person (name, role) values (?, ?)").run(who, role);
    people[who] = s.prepare("select id from person where name = ?").pluck().get(who) as number;
  }
  const { queueId } = createQueue(
    db,
    { personId: people.lea ?? null, name: "lea", role: "admin" },
    { kind: "ids", ids },
    {
      ...{ name, question, raters: 2, reason, draw: { strategy: "all", n: 1, seed: 5 } },
      guideline: "Wrong is a step that a careful person would not have taken, knowing what the policy knew.",
    },
  );
  const items = s
    .prepare("select id, position, subject_id as step from review_item where queue_id = ? order by position")
    .all(queueId);
  s.close();
  process.stdout.write(JSON.stringify({ queueId, people, items, trajectory: Math.floor((ids[0] ?? 0) / SPAN) }));
}

const [name = "Are these steps wrong?", question = "wrong", reason = "optional"] = process.argv.slice(2);
await seedReview(name, question as Question, reason as "optional" | "first");
