import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { accountsOn } from "./accounts/state";
import { PeopleRefused } from "./refused";

/** Throws PeopleRefused when nobody else could administer: another admin who is enabled and, where people sign in, has an account. */
export function keepAnAdmin(db: Db, without: { id: number; name: string }): void {
  const others = statement(
    db,
    "select count(*) as n from person where role = 'admin' and disabled_at is null and id <> ? and (user_id is not null or not ?)",
  ).get(without.id, accountsOn(db) ? 1 : 0) as { n: number };
  if (others.n === 0)
    throw new PeopleRefused(
      `${without.name} is the last admin${accountsOn(db) ? " who can sign in" : ""}. Make somebody else admin first.`,
    );
}
