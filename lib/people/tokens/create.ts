import "server-only";
import crypto from "node:crypto";
import { z } from "zod";
import type { Db } from "@/db/client";
import { personById } from "@/db/queries/people";
import { statement } from "@/db/statement";
import { tokenHash } from "@/lib/people/accounts/invite";
import { type Actor, NotAllowed, ROLES, requireRole, roleOf } from "@/lib/people/actor";
import { record } from "@/lib/people/record";
import { PeopleRefused } from "@/lib/people/refused";
import { narrower, TOKEN_PREFIX } from "./actor";

/** A token to be made: whose, what it is called, what it may do at most, and how long it works (days; null: until revoked). */
export const newToken = z.object({
  personId: z.number().int().positive(),
  name: z.string().trim().min(1, "a name is needed").max(60, "a name has 60 characters at most"),
  role: z.enum(ROLES),
  days: z.number().int().min(1).max(3650).nullable(),
});

/** A token that was made. The text is nowhere but here. */
export interface MadeToken {
  id: number;
  token: string;
  expiresAt: number | null;
}

/**
 * Makes a token for the HTTP API: one's own, or as admin somebody else's. Only its SHA-256 is stored. Throws PeopleRefused
 * for a person who is not there or disabled, and for a role wider than the owner's.
 */
export function createToken(
  db: Db,
  actor: Actor,
  { personId, name, role, days }: z.output<typeof newToken>,
  now = Date.now(),
): MadeToken {
  if (actor.personId !== personId) requireRole(actor, "admin");
  // A token gives no right that whoever makes it has not: one made with a token is no wider than that token.
  if (narrower(actor.role, role) !== role)
    throw new NotAllowed(`A token of the role ${role} needs that role; ${actor.name} is ${actor.role} here.`);
  const token = `${TOKEN_PREFIX}${crypto.randomBytes(32).toString("base64url")}`;
  const expiresAt = days === null ? null : now + days * 86_400_000;
  return db.$client
    .transaction(() => {
      const person = personById(db, personId);
      if (!person) throw new PeopleRefused("That person is not there.");
      if (person.disabledAt !== null) throw new PeopleRefused(`${person.name} is disabled. Enable them first.`);
      const own = roleOf(person.role);
      if (narrower(own, role) !== role)
        throw new PeopleRefused(`${person.name} is ${own}: a token may not do more than its owner.`, "role");
      const id = Number(
        statement(
          db,
          "insert into api_token (token_hash, person_id, name, role, created_by, created_at, expires_at) values (?, ?, ?, ?, ?, ?, ?)",
        ).run(tokenHash(token), personId, name, role, actor.name, now, expiresAt).lastInsertRowid,
      );
      record(db, actor, "create token", `token:${id}`, { person: personId, name, role, expiresAt });
      return { id, token, expiresAt };
    })
    .immediate();
}
