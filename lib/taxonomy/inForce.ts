import "server-only";
import type { Db } from "@/db/client";
import { getTaxonomy, IN_FORCE_SETTING } from "@/db/queries/taxonomies";
import { statement } from "@/db/statement";

/** A version that pages cannot go by. */
export class CannotBeInForce extends Error {}

/** Makes a version the one that pages, lists and draws go by; null goes back to the newest built-in one. */
export function setInForce(db: Db, taxonomyId: number | null, actor: string): void {
  db.$client
    .transaction(() => {
      if (taxonomyId === null) statement(db, "delete from setting where key = ?").run(IN_FORCE_SETTING);
      else {
        const row = getTaxonomy(db, taxonomyId);
        if (!row) throw new CannotBeInForce(`there is no taxonomy version ${taxonomyId}`);
        if (row.status !== "done" || row.origin === "dataset")
          throw new CannotBeInForce(
            `${row.name} ${row.version} cannot be in force: it is ${row.origin === "dataset" ? "a data set's own list" : row.status}`,
          );
        statement(
          db,
          "insert into setting (key, value, updated_at) values (?, ?, ?) on conflict do update set value = excluded.value, updated_at = excluded.updated_at",
        ).run(IN_FORCE_SETTING, String(taxonomyId), Date.now());
      }
      statement(db, "insert into audit (actor, verb, subject, details) values (?, 'put in force', ?, '{}')").run(
        actor,
        `taxonomy:${taxonomyId ?? "default"}`,
      );
    })
    .immediate();
}
