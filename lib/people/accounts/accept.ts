import "server-only";
import crypto from "node:crypto";
import { hashPassword } from "better-auth/crypto";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import type { Actor } from "@/lib/people/actor";
import { insertPerson } from "@/lib/people/add";
import { foldName, nameSchema } from "@/lib/people/name";
import { record } from "@/lib/people/record";
import { PeopleRefused } from "@/lib/people/refused";
import { invitationOf } from "./invitationOf";

/** Shortest password, characters. */
export const MIN_PASSWORD = 10;
/** Longest password, characters. */
export const MAX_PASSWORD = 128;

/** What somebody with a link sends. `name`: only where the link is for nobody in particular. */
export const acceptance = z.object({
  token: z.string().min(1).max(200),
  name: nameSchema.optional(),
  password: z
    .string()
    .min(MIN_PASSWORD, `a password has at least ${MIN_PASSWORD} characters`)
    .max(MAX_PASSWORD, `a password has at most ${MAX_PASSWORD} characters`),
});

const NEW_USER = `insert into auth_user (id, name, email, email_verified, username, created_at, updated_at) values (?, ?, ?, 0, ?, ?, ?)`;
const NEW_ACCOUNT = `insert into auth_account (id, account_id, provider_id, user_id, password, created_at, updated_at) values (?, ?, 'credential', ?, ?, ?, ?)`;

/** Makes the user of a person, with a password. */
function addUser(db: Db, person: { id: number; name: string }, password: string): void {
  const id = crypto.randomUUID();
  const now = new Date().toISOString();
  statement(db, NEW_USER).run(id, person.name, `${id}@people.invalid`, foldName(person.name), now, now);
  statement(db, NEW_ACCOUNT).run(crypto.randomUUID(), id, id, password, now, now);
  statement(db, "update person set user_id = ? where id = ?").run(id, person.id);
}

/**
 * Uses a link: makes the person where it is for nobody yet, their account, or their new password (which ends their
 * sessions). Throws PeopleRefused when the link does not work, also when two use it at once. Returns the name to sign in with.
 */
export async function accept(db: Db, { token, name, password }: z.output<typeof acceptance>): Promise<string> {
  // Hashing costs: only for those who hold a link.
  const first = invitationOf(db, token);
  if (first.person === null && name === undefined) throw new PeopleRefused("Say what you are called.", "name");
  const hash = await hashPassword(password);
  return db.$client
    .transaction(() => {
      const invitation = invitationOf(db, token);
      const called = invitation.person?.name ?? name ?? "";
      const self: Actor = { personId: invitation.person?.id ?? null, name: called, role: invitation.role };
      const person = invitation.person ?? {
        id: insertPerson(db, self, { name: called, role: invitation.role }),
        name: called,
        userId: null,
      };
      if (person.userId === null) addUser(db, person, hash);
      else {
        statement(db, "update auth_account set password = ?, updated_at = ? where user_id = ?").run(
          hash,
          new Date().toISOString(),
          person.userId,
        );
        statement(db, "delete from auth_session where user_id = ?").run(person.userId);
      }
      statement(db, "update auth_invitation set used_at = ?, person_id = ? where id = ?").run(
        Date.now(),
        person.id,
        invitation.id,
      );
      record(db, self, invitation.kind === "invite" ? "join" : "new password", `person:${person.id}`, {
        invitation: invitation.id,
      });
      return called;
    })
    .immediate();
}
