import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { type Actor, requireRole } from "@/lib/people/actor";
import { record } from "@/lib/people/record";
import { PeopleRefused } from "@/lib/people/refused";

/** Ends a token at once: one's own, or as admin anybody's. Throws PeopleRefused when it has ended already. */
export function revokeToken(db: Db, actor: Actor, id: number, now = Date.now()): void {
  db.$client
    .transaction(() => {
      const row = statement(
        db,
        "select person_id as personId, name from api_token where id = ? and revoked_at is null",
      ).get(id) as { personId: number; name: string } | undefined;
      // Whether there is a token is nobody's business but the owner's and an admin's.
      if (row?.personId !== actor.personId || actor.personId === null) requireRole(actor, "admin");
      if (!row) throw new PeopleRefused(`There is no token ${id} that works.`);
      statement(db, "update api_token set revoked_at = ? where id = ?").run(now, id);
      record(db, actor, "revoke token", `token:${id}`, { person: row.personId, name: row.name });
    })
    .immediate();
}
