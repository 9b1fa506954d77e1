import type { Db } from "@/db/client";
import { blank, entry, insertFlags, insertTrajectory, ran } from "@/e2e/support/insert";
import type { Actor } from "@/lib/people/actor";
import { seedBuiltinTypes } from "@/lib/profile/builtin";
import { dispatch } from "./dispatch";

export const ADMIN: Actor = { personId: null, name: "script", role: "admin" };

/** A call to the API as the route makes it, by an actor. `body`: sent as JSON. */
export const call = (
  db: Db,
  method: string,
  target: string,
  { body, actor = ADMIN, headers = {} }: { body?: unknown; actor?: Actor; headers?: Record<string, string> } = {},
): Promise<Response> => {
  const url = new URL(`http://127.0.0.1:3737/api/v1${target}`);
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const request = new Request(url, { method, headers: { "content-type": "application/json", ...headers }, ...sent });
  return dispatch(
    db,
    url.pathname.slice("/api/v1/".length).split("/").map(decodeURIComponent),
    request,
    async () => actor,
  );
};

/** Fills an index with two short trajectories that have a flagged step each. Returns their ids. */
export async function seedSmall(db: Db): Promise<number[]> {
  seedBuiltinTypes(db);
  const slug = db.$client
    .prepare("select slug from error_type where taxonomy_id = 1 order by rank limit 1")
    .pluck()
    .get();
  const ids: number[] = [];
  for (const n of [1, 2]) {
    const steps = [
      entry({ kind: "user", message: "Put the sum of parts.txt into answer.txt." }),
      ran("awk '{ s += $1 } END { print s }' parts.txt", "awk: cannot open parts.txt\n", 2, {
        turn: 0,
        thinking: "Sum it.",
      }),
      ran("ls", "part.txt\n", 0, { turn: 1 }),
    ];
    const id = await insertTrajectory(
      db,
      blank({ name: `try ${n}`, task: `sum-parts-${n}`, model: "small-model", outcome: "failed", reward: 0, steps }),
    );
    insertFlags(db, id, [{ entry: 1, slug: String(slug), reason: "Nobody looked whether it is there.", evidence: [] }]);
    ids.push(id);
  }
  return ids;
}
