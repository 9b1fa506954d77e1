import "server-only";
import type { Db } from "@/db/client";
import { personById } from "@/db/queries/people";
import { statement } from "@/db/statement";
import { type Actor, type Role, requireRole } from "./actor";
import { keepAnAdmin } from "./lastAdmin";
import { record } from "./record";
import { PeopleRefused } from "./refused";

/** Gives a person another role, in force with their next request. Throws PeopleRefused for the last admin. */
export function changeRole(db: Db, actor: Actor, { personId, role }: { personId: number; role: Role }): void {
  requireRole(actor, "admin");
  db.$client
    .transaction(() => {
      const person = personById(db, personId);
      if (!person) throw new PeopleRefused(`There is no person ${personId}.`);
      if (person.role === role) return;
      if (person.role === "admin" && person.disabledAt === null) keepAnAdmin(db, person);
      statement(db, "update person set role = ? where id = ?").run(role, personId);
      record(db, actor, "change role", `person:${personId}`, { from: person.role, to: role });
    })
    .immediate();
}
