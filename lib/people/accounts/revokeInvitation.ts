import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { type Actor, requireRole } from "@/lib/people/actor";
import { record } from "@/lib/people/record";
import { PeopleRefused } from "@/lib/people/refused";

/** Makes a link stop working. Throws PeopleRefused when it was used or revoked already. */
export function revokeInvitation(db: Db, actor: Actor, id: number): void {
  requireRole(actor, "admin");
  db.$client
    .transaction(() => {
      const done = statement(
        db,
        "update auth_invitation set revoked_at = ? where id = ? and used_at is null and revoked_at is null",
      ).run(Date.now(), id);
      if (done.changes === 0) throw new PeopleRefused("That invitation is not open any more; reload the page.");
      record(db, actor, "revoke", `invitation:${id}`);
    })
    .immediate();
}
