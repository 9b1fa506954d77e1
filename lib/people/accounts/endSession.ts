import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { type Actor, requireRole } from "@/lib/people/actor";
import { record } from "@/lib/people/record";
import { PeopleRefused } from "@/lib/people/refused";

/** Signs a browser out: one of the actor's own, or as admin anybody's. Throws PeopleRefused when it is over already. */
export function endSession(db: Db, actor: Actor, sessionId: string): void {
  db.$client
    .transaction(() => {
      const owner = statement(
        db,
        "select p.id from auth_session s join person p on p.user_id = s.user_id where s.id = ?",
      ).get(sessionId) as { id: number } | undefined;
      if (!owner || owner.id !== actor.personId) requireRole(actor, "admin");
      if (!owner) throw new PeopleRefused("That session is over already; reload the page.");
      statement(db, "delete from auth_session where id = ?").run(sessionId);
      record(db, actor, "end session", `person:${owner.id}`);
    })
    .immediate();
}
