import "server-only";
import type { Db } from "@/db/client";
import { people } from "@/db/queries/people";
import { statement } from "@/db/statement";
import { type Actor, requireRole } from "@/lib/people/actor";
import { insertPerson } from "@/lib/people/add";
import { foldName } from "@/lib/people/name";
import { record } from "@/lib/people/record";
import { PeopleRefused } from "@/lib/people/refused";
import { type Invitation, invite } from "./invite";
import { authSecret } from "./secret";
import { ACCOUNTS_SETTING } from "./state";

/**
 * From now on people sign in. Where no admin can yet, an invitation for the first one comes back: for `admin`, a person's
 * name (added as admin when there is none of that name), or for whoever opens it.
 */
export function switchOn(db: Db, actor: Actor, admin?: string): Invitation | null {
  requireRole(actor, "admin");
  authSecret();
  return db.$client
    .transaction(() => {
      statement(
        db,
        "insert into setting (key, value, updated_at) values (?, 'true', ?) on conflict do update set value = excluded.value, updated_at = excluded.updated_at",
      ).run(ACCOUNTS_SETTING, Date.now());
      record(db, actor, "switch on", "accounts");
      const everybody = people(db);
      if (everybody.some((p) => p.role === "admin" && p.disabledAt === null && p.userId !== null)) return null;
      if (admin === undefined) return invite(db, actor, { role: "admin" });
      const there = everybody.find((p) => foldName(p.name) === foldName(admin));
      if (there && there.role !== "admin")
        throw new PeopleRefused(
          `${there.name} is ${there.role}. Give them the role admin first, or name somebody else.`,
        );
      return invite(db, actor, { personId: there?.id ?? insertPerson(db, actor, { name: admin, role: "admin" }) });
    })
    .immediate();
}

/** From now on one picks a name; everybody is signed out. Accounts and passwords stay for the next time. */
export function switchOff(db: Db, actor: Actor): void {
  requireRole(actor, "admin");
  db.$client
    .transaction(() => {
      statement(db, "delete from setting where key = ?").run(ACCOUNTS_SETTING);
      statement(db, "delete from auth_session").run();
      record(db, actor, "switch off", "accounts");
    })
    .immediate();
}
