import "server-only";
import crypto from "node:crypto";
import type { Db } from "@/db/client";
import { personById } from "@/db/queries/people";
import { statement } from "@/db/statement";
import { type Actor, type Role, requireRole } from "@/lib/people/actor";
import { record } from "@/lib/people/record";
import { PeopleRefused } from "@/lib/people/refused";

/** How long a link works, milliseconds: an invitation a week, a new password a day. */
export const LASTS_MS = { invite: 7 * 86_400_000, reset: 86_400_000 };

/** For whoever has the link, with a role; for a person who has no account yet; or for one who needs a new password. */
export type Wanted = { role: Role } | { personId: number };

/** A link that was made. The token is nowhere but here and in the link. */
export interface Invitation {
  id: number;
  kind: "invite" | "reset";
  /** Of the server, with the token: /invite/… */
  path: string;
  expiresAt: number;
}

/** What is stored of a token. */
export const tokenHash = (token: string): string => crypto.createHash("sha256").update(token).digest("hex");

/** Makes a link; an earlier open one for the same person stops working. Throws PeopleRefused for a disabled person. */
export function invite(db: Db, actor: Actor, wanted: Wanted, now = Date.now()): Invitation {
  requireRole(actor, "admin");
  const token = crypto.randomBytes(32).toString("base64url");
  return db.$client
    .transaction(() => {
      const person = "personId" in wanted ? personById(db, wanted.personId) : null;
      if (person === undefined) throw new PeopleRefused("That person is not there.");
      if (person && person.disabledAt !== null)
        throw new PeopleRefused(`${person.name} is disabled. Enable them first.`);
      const kind = person && person.userId !== null ? "reset" : "invite";
      if (person)
        statement(
          db,
          "update auth_invitation set revoked_at = ? where person_id = ? and used_at is null and revoked_at is null",
        ).run(now, person.id);
      const expiresAt = now + LASTS_MS[kind];
      const role = "role" in wanted ? wanted.role : null;
      const id = Number(
        statement(
          db,
          "insert into auth_invitation (token_hash, kind, role, person_id, created_by, created_at, expires_at) values (?, ?, ?, ?, ?, ?, ?)",
        ).run(tokenHash(token), kind, role, person?.id ?? null, actor.name, now, expiresAt).lastInsertRowid,
      );
      record(db, actor, kind === "invite" ? "invite" : "offer new password", `invitation:${id}`, {
        ...(role === null ? {} : { role }),
        ...(person ? { person: person.id } : {}),
      });
      return { id, kind, path: `/invite/${token}`, expiresAt } satisfies Invitation;
    })
    .immediate();
}
