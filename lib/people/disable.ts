import "server-only";
import type { Db } from "@/db/client";
import { personById } from "@/db/queries/people";
import { statement } from "@/db/statement";
import { type Actor, requireRole } from "./actor";
import { keepAnAdmin } from "./lastAdmin";
import { record } from "./record";
import { PeopleRefused } from "./refused";

/**
 * Disables a person (they may not act any more, their sessions and open links end at once; what they did stays), or
 * enables them again. Throws PeopleRefused for the last admin.
 */
export function setDisabled(
  db: Db,
  actor: Actor,
  { personId, disabled }: { personId: number; disabled: boolean },
): void {
  requireRole(actor, "admin");
  db.$client
    .transaction(() => {
      const person = personById(db, personId);
      if (!person) throw new PeopleRefused(`There is no person ${personId}.`);
      if ((person.disabledAt !== null) === disabled) return;
      const now = Date.now();
      if (disabled) {
        if (person.role === "admin") keepAnAdmin(db, person);
        statement(db, "delete from auth_session where user_id = ?").run(person.userId);
        statement(
          db,
          "update auth_invitation set revoked_at = ? where person_id = ? and used_at is null and revoked_at is null",
        ).run(now, personId);
      }
      statement(db, "update person set disabled_at = ? where id = ?").run(disabled ? now : null, personId);
      record(db, actor, disabled ? "disable" : "enable", `person:${personId}`, { name: person.name });
    })
    .immediate();
}
